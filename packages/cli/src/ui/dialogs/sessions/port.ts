/** What the browser does with recorded sessions; tests pass their own. */
import type { SessionInfo } from '@gemini-cli/core';
import type { DialogServices } from '../dialog.js';
import type { SessionPreview } from './session-order.js';

export interface SessionPort {
  list(): Promise<readonly SessionInfo[]>;
  search(words: string, signal: AbortSignal): Promise<readonly SessionInfo[]>;
  preview(session: SessionInfo): Promise<SessionPreview>;
  rename(session: SessionInfo, name: string): Promise<string>;
  /** @returns the written path */
  export(session: SessionInfo, file: string): Promise<string>;
  remove(session: SessionInfo): Promise<void>;
  age(time: string): string;
  now(): number;
}

const LAST_MESSAGES = 6;

export async function openSessionPort({
  cwd,
  env,
  config,
}: Pick<DialogServices, 'cwd' | 'env' | 'config'>): Promise<SessionPort> {
  const { openSessionProject } = await import('../../../sessions/project.js');
  const project = await openSessionProject({ cwd, env });
  const { sessions, places } = project;
  const currentSessionId = config?.getSessionId();
  const mine = currentSessionId === undefined ? {} : { currentSessionId };
  return {
    list: async () => sessions.listSessions(places, mine),
    async search(words, signal) {
      const byId = sessions.listSessions(places, mine).filter(({ id }) => id.startsWith(words.trim()));
      const found = await sessions.searchSessions(words, places, { ...mine, signal, variables: env });
      return [...byId.filter(({ id }) => !found.some((other) => other.id === id)), ...found];
    },
    async preview(session) {
      const record = sessions.readSession(session.path);
      return { summary: record.summary, messages: lastMessages(sessions.toMessages(record)) };
    },
    rename: async (session, name) => sessions.renameSession(session, name, project.writing),
    async export(session, file) {
      const { exportPieces, writeExport } = await import('../../../sessions/export.js');
      const record = sessions.readSession(session.path);
      const format = /\.html?$/i.test(file) ? 'html' : /\.(md|markdown)$/i.test(file) ? 'markdown' : 'json';
      writeExport(file, await exportPieces(record, format, project), { force: false, cwd });
      return file;
    },
    remove: async (session) => sessions.deleteSession(session, places),
    age: (time) => sessions.relativeTime(time, project.now()),
    now: project.now,
  };
}

type Messages = readonly { role: string; parts: readonly { text?: string }[] }[];

function lastMessages(messages: Messages): SessionPreview['messages'] {
  return messages
    .map(({ role, parts }) => ({
      who: role === 'user' ? 'You' : 'Model',
      text: parts.map(({ text }) => text ?? '').join(''),
    }))
    .filter(({ text }) => text.trim() !== '')
    .slice(-LAST_MESSAGES);
}
