/** Opens a session file for recording: a new one, an earlier one to continue, or a copy of it. */
import { rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { preparePrivateDirectory } from '../../platform/files/private-file.js';
import type { HeldLock } from '../../platform/locks/lock-file.js';
import { SESSION_FORMAT_VERSION, type SessionMetadata } from '../../protocol/session-record.js';
import { type SessionReader, withSession } from '../reading/read-session.js';
import type { IndexEntry } from '../reading/session-index.js';
import { SessionError } from '../session-error.js';
import { createSessionId, fileNameFor, sessionFileName, withoutExtension } from '../session-names.js';
import type { RecordingOptions } from './chat-recording-service.js';
import { RecordFile } from './record-file.js';
import { messageLine } from './record-text.js';
import { lockSession } from './session-lock.js';
import { SessionTally } from './session-tally.js';

export interface OpenedSession {
  sessionId: string;
  file: RecordFile;
  /** Absent for sub-agents: no other process writes their file. */
  lock?: HeldLock;
}

interface ContinuedSession {
  opened: OpenedSession;
  tally: SessionTally;
  metadata: Partial<SessionMetadata>;
  /** Offset in the file before which everything is obsolete. */
  base: number;
}

type OpenOptions = Pick<
  RecordingOptions,
  | 'chatsDir'
  | 'sessionId'
  | 'projectHash'
  | 'now'
  | 'warn'
  | 'onFork'
  | 'onFound'
  | 'parentSessionId'
  | 'parentCallId'
  | 'agentName'
>;

/** The path of a new session's file, unless another one has it already. */
export function newSessionFile({ chatsDir, sessionId }: OpenOptions, startMs: number): string {
  return join(chatsDir, sessionFileName(sessionId, startMs));
}

/** @throws the system's error, after removing the empty file */
export function openNewSession(options: OpenOptions, fields: Partial<SessionMetadata>): OpenedSession {
  const { chatsDir, sessionId, parentSessionId, parentCallId, agentName } = options;
  if (parentSessionId !== undefined) {
    const directory = join(chatsDir, fileNameFor(parentSessionId));
    preparePrivateDirectory(directory);
    const file = createFile(
      directory,
      (number) => `${fileNameFor(sessionId)}${number > 1 ? `-${number}` : ''}.jsonl`,
    );
    const link = { agentName, parentSessionId, parentCallId };
    writeMetadata(file, { ...fields, ...link, sessionId, kind: 'subagent' }, options);
    return { sessionId, file };
  }
  preparePrivateDirectory(chatsDir);
  const lock = lockSession(chatsDir, sessionId);
  if (!lock) return fork(options, sessionId, (to) => openNewSession({ ...options, sessionId: to }, fields));
  try {
    const startMs = Date.parse(fields.startTime ?? '') || options.now();
    const file = createFile(chatsDir, (number) => sessionFileName(sessionId, startMs, number));
    writeMetadata(file, { ...fields, sessionId, kind: 'main' }, options);
    return { sessionId, file, lock };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** @throws SessionError or the system's error; the caller tells the user */
export function continueSession(path: string, options: OpenOptions): ContinuedSession {
  return withSession(path, (reader) => {
    const metadata = reader.metadata();
    options.onFound?.(reader);
    const found = { tally: SessionTally.of(reader.index), metadata, base: 0 };
    preparePrivateDirectory(options.chatsDir);
    const lock = lockSession(options.chatsDir, metadata.sessionId);
    if (!lock) {
      return fork(options, metadata.sessionId, (sessionId) => {
        const opened = openNewSession({ ...options, sessionId }, { ...metadata, sessionId });
        copyMessages(reader, reader.index.entries, opened.file);
        return { ...found, opened };
      });
    }
    try {
      const isContinued = isOurs(path, reader, options);
      const file = isContinued ? RecordFile.continue(path) : convert(path, reader, options);
      const base = isContinued ? reader.index.base : 0;
      return { ...found, base, opened: { sessionId: metadata.sessionId, file, lock } };
    } catch (error) {
      lock.release();
      throw error;
    }
  });
}

/** A file in today's format, in the place where we write. */
function isOurs(path: string, { index }: SessionReader, { chatsDir }: OpenOptions): boolean {
  return path.endsWith('.jsonl') && index.hasMetadataLine && resolve(dirname(path)) === resolve(chatsDir);
}

/** An older format is converted to `<same name>.jsonl`; the old file is kept. */
function convert(path: string, reader: SessionReader, options: OpenOptions): RecordFile {
  const { chatsDir } = options;
  const name = withoutExtension(path.slice(dirname(path).length + 1)).replace(/^conversation-/, 'session-');
  const file = createFile(chatsDir, (number) => `${name}${number > 1 ? `-${number}` : ''}.jsonl`);
  writeMetadata(file, reader.metadata(), options);
  copyMessages(reader, reader.index.entries, file);
  return file;
}

/** Holds only one message at a time in memory. */
export function copyMessages(reader: SessionReader, entries: readonly IndexEntry[], file: RecordFile): void {
  for (const entry of entries) {
    const record = reader.message(entry);
    if (record) file.write(messageLine(record, (value) => value));
  }
  for (const { offset, length } of reader.index.unknown) {
    file.write(`${reader.file.read(offset, length).toString('utf8').trim()}\n`);
  }
}

export function writeMetadata(
  file: RecordFile,
  fields: Partial<SessionMetadata> & Pick<SessionMetadata, 'sessionId' | 'kind'>,
  { projectHash, now }: Pick<OpenOptions, 'projectHash' | 'now'>,
): void {
  const { sessionId, startTime = new Date(now()).toISOString(), lastUpdated = startTime, kind } = fields;
  const metadata: SessionMetadata = {
    sessionId,
    projectHash: fields.projectHash || projectHash(),
    startTime,
    lastUpdated,
    kind,
    formatVersion: SESSION_FORMAT_VERSION,
    ...(fields.agentName !== undefined && { agentName: fields.agentName }),
    ...(fields.parentSessionId !== undefined && { parentSessionId: fields.parentSessionId }),
    ...(fields.parentCallId !== undefined && { parentCallId: fields.parentCallId }),
    ...(fields.directories?.length && { directories: fields.directories }),
    ...(fields.summary !== undefined && { summary: fields.summary }),
    ...(fields.memoryScratchpad !== undefined && { memoryScratchpad: fields.memoryScratchpad }),
  };
  try {
    file.write(`${JSON.stringify(metadata)}\n`);
  } catch (error) {
    file.close();
    rmSync(file.path, { force: true });
    throw error;
  }
}

const MAX_SAME_NAMES = 1_000;

export function createFile(directory: string, nameOf: (number: number) => string): RecordFile {
  for (let number = 1; number <= MAX_SAME_NAMES; number++) {
    const file = RecordFile.create(join(directory, nameOf(number)));
    if (file) return file;
  }
  throw new SessionError('WRITE_FAILED', `Too many session files named like ${nameOf(1)} in ${directory}.`);
}

function fork<T>(options: OpenOptions, from: string, open: (to: string) => T): T {
  const to = createSessionId();
  const result = open(to);
  options.warn(`Session ${from} is open in another process. This one continues as a copy, session ${to}.`);
  options.onFork?.(to, from);
  return result;
}
