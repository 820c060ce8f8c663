/** From one conversation to another without leaving the program: a new one, or an earlier one. */
import { chooseSession, loadSessions, randomUuid } from '@gemini-cli/core';
import type { HistoryItemWithoutId } from '../../../history/item.js';
import { itemsFromRecord } from '../../../history/recorded-items.js';
import type { App } from '../app.js';

/** Shown of an earlier session; the rest is in its file. */
const SHOWN_ITEMS = 300;
const SHOWN_BYTES = 1_000_000;

/** An empty conversation under a new id, with the same model and sign-in. */
export async function startNewSession(app: App): Promise<void> {
  await app.engine.start({ sessionId: randomUuid(), startSource: 'clear' });
  app.resetCounts();
}

/** @returns what was said in it. @throws naming what is wrong with the identifier */
export async function openSession(app: App, identifier: string): Promise<HistoryItemWithoutId[]> {
  const { cwd, environment, settings } = app.engine.folder;
  const session = await chooseSession({
    overrides: { resume: identifier },
    cwd,
    environment,
    sessionId: randomUuid(),
    storageDir: settings.merged.general?.sessionStorageDir,
    notice: app.notice,
  });
  await app.engine.start(session);
  app.resetCounts();
  return session.resume ? shownHistory(session.resume) : [];
}

/** The newest part of a recorded session as the screen shows it. */
export async function shownHistory(path: string): Promise<HistoryItemWithoutId[]> {
  const { readSession, convertSessionToHistoryFormats } = await loadSessions();
  const record = readSession(path, { maxBytes: SHOWN_BYTES });
  const items = itemsFromRecord(convertSessionToHistoryFormats(record).uiHistory);
  const hidden = Math.max(0, items.length - SHOWN_ITEMS) + (record.omittedMessages ?? 0);
  const note: HistoryItemWithoutId = {
    type: 'info',
    text: `${hidden} earlier entries are in the session, but not shown.`,
  };
  return hidden > 0 ? [note, ...items.slice(-SHOWN_ITEMS)] : items;
}
