/** The newest part of a recorded session, as the screen shows it. */
import { loadSessions } from '@gemini-cli/core';
import type { HistoryItemWithoutId } from '../../../history/item.js';
import { itemsFromRecord } from '../../../history/recorded-items.js';

/** The rest stays in the session's file. */
const SHOWN_ITEMS = 300;
const SHOWN_BYTES = 1_000_000;

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
