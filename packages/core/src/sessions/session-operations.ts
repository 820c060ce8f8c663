/** Operations on whole sessions: load, save, delete, rename, fork, import, export. */
import { existsSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { headOf } from '../base/cut-text.js';
import { codeOf, messageOf } from '../base/errors.js';
import { preparePrivateDirectory } from '../platform/files/private-file.js';
import type { ConversationRecord, MessageRecord } from '../protocol/session-record.js';
import { copyTranscripts } from './finding/agent-transcripts.js';
import type { SessionInfo } from './finding/session-info.js';
import type { SessionPlaces } from './finding/session-places.js';
import { readSession, withSession } from './reading/read-session.js';
import type { IndexEntry } from './reading/session-index.js';
import { copyMessages, createFile, writeMetadata } from './recording/open-session.js';
import { RecordFile } from './recording/record-file.js';
import { messageLine, setLine } from './recording/record-text.js';
import type { RedactValue } from './recording/redact-record.js';
import { redactRecord } from './recording/redact-record.js';
import { isSessionLive, lockSession, removeLock } from './recording/session-lock.js';
import { SessionTally } from './recording/session-tally.js';
import { SessionError } from './session-error.js';
import {
  createSessionId,
  fileNameFor,
  flatSessionId,
  isSafeSessionId,
  sessionFileName,
} from './session-names.js';

export interface SessionWriting {
  places: SessionPlaces;
  projectHash: () => string;
  now: () => number;
  redact: RedactValue;
}

export interface SavedSession {
  sessionId: string;
  path: string;
}

/** Writes a record as a new file. An unreadable file in its place is renamed. */
export function saveSession(record: ConversationRecord, writing: SessionWriting): SavedSession {
  const { places, now } = writing;
  return saving(places.chatsDir, () => {
    const startMs = Date.parse(record.startTime) || now();
    setUnreadableAside(join(places.chatsDir, sessionFileName(record.sessionId, startMs)), now());
    const file = createFile(places.chatsDir, (number) => sessionFileName(record.sessionId, startMs, number));
    writeMetadata(file, record, writing);
    const tally = new SessionTally();
    return finishNew(file, () => {
      for (const message of record.messages) {
        tally.add(message);
        file.write(messageLine(message, writing.redact));
      }
      for (const unknown of record.unknownRecords ?? []) file.write(`${JSON.stringify(unknown)}\n`);
      file.write(endLine(record, tally));
      return { sessionId: record.sessionId, path: file.path };
    });
  });
}

/** `--session-file`: JSON or JSONL of any format and size, under a new id. @throws SessionError */
export function importSession(path: string, writing: SessionWriting): SavedSession {
  const { places, now, redact } = writing;
  return withSession(resolve(path), (reader) =>
    saving(places.chatsDir, () => {
      const sessionId = createSessionId();
      const time = new Date(now()).toISOString();
      // An imported file must not add folders to the workspace.
      const { directories: _directories, ...rest } = redact(reader.metadata());
      const file = createFile(places.chatsDir, (number) => sessionFileName(sessionId, now(), number));
      const own = { sessionId, projectHash: writing.projectHash(), kind: 'main' } as const;
      const metadata = { ...rest, ...own, startTime: time, lastUpdated: time };
      writeMetadata(file, metadata, writing);
      const tally = new SessionTally();
      const write = (record: MessageRecord) => {
        tally.add(record);
        file.write(messageLine(record, redact));
      };
      return finishNew(file, () => {
        const content = `Imported session from ${path}`;
        write({ id: createSessionId(), timestamp: time, type: 'info', content });
        for (const entry of reader.index.entries) {
          const record = reader.message(entry);
          if (record?.type === 'user' || record?.type === 'gemini') write(record);
        }
        file.write(endLine(metadata, tally));
        return { sessionId, path: file.path };
      });
    }),
  );
}

/**
 * Copies a session up to and including a turn under a new id.
 * @param fromTurn number of the prompt, from 1, or the id of a message; all of it when absent
 */
export function forkSession(path: string, writing: SessionWriting, fromTurn?: number | string): SavedSession {
  const { places, now } = writing;
  return withSession(path, (reader) => {
    const entries = upToTurn(reader.index.entries, fromTurn);
    return saving(places.chatsDir, () => {
      const sessionId = createSessionId();
      const file = createFile(places.chatsDir, (number) => sessionFileName(sessionId, now(), number));
      const time = new Date(now()).toISOString();
      const metadata = { ...reader.metadata(), sessionId, startTime: time, lastUpdated: time };
      writeMetadata(file, metadata, writing);
      return finishNew(file, () => {
        copyMessages(reader, entries, file);
        const tally = SessionTally.from(entries, reader.index.firstUserMessage);
        file.write(endLine(metadata, tally));
        const calls = new Set(
          entries.flatMap((entry) => reader.message(entry)?.toolCalls?.map(({ id }) => id) ?? []),
        );
        const original = { path, sessionId: reader.metadata().sessionId };
        copyTranscripts(original, { path: file.path, sessionId }, (callId) => calls.has(callId));
        return { sessionId, path: file.path };
      });
    });
  });
}

const MAX_NAME_CHARS = 100;

/** The name takes the place of the summary; no summary is made of a session that has a name. */
export function renameSession(
  session: SessionInfo,
  name: string,
  { places, redact }: SessionWriting,
): string {
  const summary = headOf(name.replace(/\s+/g, ' ').trim(), MAX_NAME_CHARS);
  if (summary === '')
    throw new SessionError('INVALID_SESSION_IDENTIFIER', 'A session needs a name that is not empty.');
  writeSummary(session, redact(summary), places);
  return summary;
}

/** @throws SessionError SESSION_IN_USE while a process records it */
export function writeSummary(session: SessionInfo, summary: string, places: SessionPlaces): void {
  const { id, path } = session;
  if (
    resolve(dirname(path)) !== resolve(places.chatsDir) ||
    !path.endsWith('.jsonl') ||
    flatSessionId(path)
  ) {
    throw new SessionError(
      'WRITE_FAILED',
      `${path} is of an older format and only read. Resume the session once to convert it.`,
    );
  }
  const lock = lockSession(places.chatsDir, id);
  if (!lock)
    throw new SessionError(
      'SESSION_IN_USE',
      `Session ${id} is open in another process. Rename it there, or close it first.`,
    );
  try {
    const state = withSession(path, (reader) =>
      endLine({ ...reader.metadata(), summary }, SessionTally.of(reader.index)),
    );
    const file = RecordFile.continue(path);
    try {
      file.write(state);
      file.syncNow();
    } finally {
      file.close();
    }
  } catch (error) {
    throw writeFailed(path, error);
  } finally {
    lock.release();
  }
}

/**
 * Removes a session and all its files. @throws SessionError for unsafe ids, the current session, a session that another
 * process records, and one in a read-only place
 */
export function deleteSession(session: SessionInfo, places: SessionPlaces): void {
  const { id, path } = session;
  if (!isSafeSessionId(id)) {
    throw new SessionError(
      'INVALID_SESSION_IDENTIFIER',
      `The id "${id}" of ${path} is not a session id. Nothing was deleted; delete the file yourself if you want it gone.`,
    );
  }
  if (session.isCurrentSession)
    throw new SessionError('SESSION_IN_USE', 'The current session cannot be deleted.');
  if (isSessionLive(places.chatsDir, id)) {
    throw new SessionError('SESSION_IN_USE', `Session ${id} is open in another process. Close it first.`);
  }
  if (resolve(dirname(path)) !== resolve(places.chatsDir)) {
    throw new SessionError(
      'WRITE_FAILED',
      `${path} is in a folder that is only read. Delete the file yourself.`,
    );
  }
  try {
    rmSync(path, { force: true });
    const flatId = flatSessionId(path);
    if (flatId) rmSync(join(dirname(path), `session-${flatId}.json`), { force: true });
    // Otherwise the older file it was converted from would appear in the list again.
    if (path.endsWith('.jsonl')) rmSync(path.slice(0, -1), { force: true });
    removeSessionFiles(id, places);
  } catch (error) {
    throw writeFailed(path, error);
  }
}

/** Sub-agent transcripts, saved outputs, logs, plans. An id that is not a plain name has none. */
function removeSessionFiles(id: string, { chatsDir, projectTempDir }: SessionPlaces): void {
  if (!isSafeSessionId(id)) return;
  const remove = (path: string) => rmSync(path, { recursive: true, force: true });
  removeLock(chatsDir, id);
  remove(join(chatsDir, fileNameFor(id)));
  remove(join(projectTempDir, 'tool-outputs', `session-${id}`));
  remove(join(projectTempDir, 'logs', `session-${id}.jsonl`));
  // A file there may have the same name as an id; only folders belong to sessions.
  const own = join(projectTempDir, id);
  if (lstatSync(own, { throwIfNoEntry: false })?.isDirectory()) remove(own);
}

/** The whole record as JSON, as `--session-file` takes it. */
export function exportSession(record: ConversationRecord, redact: RedactValue): string {
  const { problems: _problems, omittedMessages: _omitted, ...whole } = record;
  const { messages, ...rest } = whole;
  const clean = { ...redact(rest), messages: messages.map((message) => redactRecord(message, redact)) };
  return `${JSON.stringify(clean, null, 2)}\n`;
}

function upToTurn(
  entries: readonly IndexEntry[],
  fromTurn: number | string | undefined,
): readonly IndexEntry[] {
  if (fromTurn === undefined) return entries;
  const prompts = entries.filter(({ isUser }) => isUser);
  const target =
    typeof fromTurn === 'number' ? prompts[fromTurn - 1] : entries.find(({ id }) => id === fromTurn);
  if (!target) {
    throw new SessionError(
      'INVALID_SESSION_IDENTIFIER',
      `The session has no turn ${fromTurn}; it has ${prompts.length}.`,
    );
  }
  const start = entries.indexOf(target);
  const next = entries.findIndex(({ isUser }, index) => index > start && isUser);
  return next < 0 ? entries : entries.slice(0, next);
}

function endLine(metadata: { lastUpdated: string; summary?: string }, tally: SessionTally): string {
  const { lastUpdated, summary } = metadata;
  return setLine({ lastUpdated, ...tally.counts(), ...(summary !== undefined && { summary }) });
}

function setUnreadableAside(path: string, nowMs: number): void {
  if (!existsSync(path)) return;
  try {
    readSession(path, { metadataOnly: true });
  } catch {
    renameSync(path, `${path}.unreadable-${nowMs}`);
  }
}

function saving<T>(chatsDir: string, work: () => T): T {
  try {
    preparePrivateDirectory(chatsDir);
    return work();
  } catch (error) {
    throw writeFailed(chatsDir, error);
  }
}

/** Completes a new file or deletes it. */
function finishNew<T>(file: RecordFile, work: () => T): T {
  try {
    const result = work();
    file.syncNow();
    return result;
  } catch (error) {
    rmSync(file.path, { force: true });
    throw error;
  } finally {
    file.close();
  }
}

function writeFailed(path: string, error: unknown): SessionError {
  if (error instanceof SessionError) return error;
  const why = codeOf(error) === 'ENOSPC' ? 'the disk is full.' : messageOf(error);
  return new SessionError(
    'WRITE_FAILED',
    `Cannot write the session ${basename(path)} in ${dirname(path)}: ${why}`,
    error,
  );
}
