/** Names of session files, and the check that an id is safe in a path. */
import { basename } from 'node:path';
import { randomUuid } from '../platform/random.js';

/** Directory names that a session's own directory must not take. */
const RESERVED_IDS = new Set(['chats', 'logs', 'tool-outputs', 'checkpoints', 'memory', 'images', '.', '..']);
const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export function createSessionId(): string {
  return randomUuid();
}

/** Ids come from flags and files; one that is not a plain name must not reach the file system. */
export function isSafeSessionId(id: string): boolean {
  return SAFE_ID.test(id) && !RESERVED_IDS.has(id.toLowerCase());
}

/** Any id as part of a file name: other characters are replaced. */
export function fileNameFor(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 128) || '_';
}

/** `session-2026-11-15T13-50-1a2b3c4d.jsonl`; `number` from 2 on where that name is taken. */
export function sessionFileName(sessionId: string, startMs: number, number = 1): string {
  const time = new Date(startMs).toISOString().slice(0, 16).replace(':', '-');
  const tail = number > 1 ? `-${number}` : '';
  return `session-${time}-${fileNameFor(sessionId.slice(0, 8))}${tail}.jsonl`;
}

export function isSessionFileName(name: string): boolean {
  return (
    /^session-.+\.jsonl?$/.test(name) ||
    /^conversation-.+\.jsonl$/.test(name) ||
    bugReportTime(name) !== undefined
  );
}

/** The time in a name such as `bug-report-history-<ms>.json`, whose content has no metadata. */
export function bugReportTime(path: string): string | undefined {
  const ms = Number(/^bug-report-history-(\d{1,15})\.json$/.exec(basename(path))?.[1] ?? Number.NaN);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** The id in the name of the flat layout (`conversation-<id>.jsonl`). */
export function flatSessionId(path: string): string | undefined {
  return /^conversation-(.+)\.jsonl$/.exec(basename(path))?.[1];
}

export function withoutExtension(name: string): string {
  return name.replace(/\.jsonl?$/, '');
}
