/** Reads a session file of any known format: first its index, then as many messages as the caller wants. */
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../../base/errors.js';
import { isObject } from '../../base/objects.js';
import { readSmallFile } from '../../platform/files/private-file.js';
import {
  type ConversationRecord,
  type MessageRecord,
  SESSION_FORMAT_VERSION,
} from '../../protocol/session-record.js';
import { SessionError } from '../session-error.js';
import { bugReportTime, flatSessionId, withoutExtension } from '../session-names.js';
import { takeResponses } from '../to-records.js';
import { SessionFile } from './line-scanner.js';
import { classify, messageFrom, metadataFrom } from './record-lines.js';
import type { RecordedLevels } from './recorded-levels.js';
import { type IndexEntry, SessionIndex, type Source } from './session-index.js';

/** A file that is one JSON value must be parsed as a whole. */
const MAX_WHOLE_BYTES = 128 * 1024 * 1024;

/** `maxBytes` for resuming a session: more than any model accepts, little memory. */
export const RESUME_MAX_BYTES = 4 * 1024 * 1024;

export interface ReadOptions {
  /** Counts and metadata, no messages. */
  metadataOnly?: boolean;
  /** Only the newest messages, beginning with a prompt, up to about so many bytes. */
  maxBytes?: number;
  /** Reads only this many bytes from the beginning of the file. */
  scanBytes?: number;
}

/** @throws SessionError UNREADABLE_SESSION, naming the file and what is wrong with it */
export function readSession(path: string, options: ReadOptions = {}): ConversationRecord {
  return withSession(path, (reader) => reader.record(options), options);
}

export interface IndexOptions extends Pick<ReadOptions, 'scanBytes'> {
  /** Collects the recorded compressions. */
  levels?: RecordedLevels;
  /** Offset of a line; earlier ones are not read. */
  from?: number;
}

export function withSession<T>(
  path: string,
  work: (reader: SessionReader) => T,
  options: IndexOptions = {},
): T {
  let file: SessionFile;
  try {
    file = SessionFile.open(path);
  } catch (error) {
    throw unreadable(path, messageOf(error), error);
  }
  try {
    return work(new SessionReader(file, options));
  } finally {
    file.close();
  }
}

export class SessionReader {
  readonly index: SessionIndex;
  private readonly sidecar: Partial<ConversationRecord>;
  private parsedLine: { offset: number; value: unknown } | undefined;

  constructor(
    readonly file: SessionFile,
    options: IndexOptions = {},
  ) {
    if (file.size === 0) throw unreadable(file.path, 'it is empty');
    this.index = indexOf(file, options);
    this.sidecar = sidecarOf(file.path);
  }

  record({ metadataOnly, maxBytes }: ReadOptions = {}): ConversationRecord {
    const { index } = this;
    const wanted = metadataOnly ? [] : newest(index.entries, maxBytes);
    const omitted = metadataOnly ? 0 : index.entries.length - wanted.length;
    const messages = this.messages(wanted);
    const problems = this.problems();
    return {
      ...this.metadata(),
      messages,
      messageCount: index.messageCount,
      userMessageCount: index.userMessageCount,
      hasUserOrAssistantMessage: index.hasSubstance,
      ...(index.firstUserMessage !== undefined && { firstUserMessage: index.firstUserMessage }),
      ...(index.isScratchpadStale !== undefined && { memoryScratchpadIsStale: index.isScratchpadStale }),
      ...(omitted > 0 && { omittedMessages: omitted }),
      ...(!metadataOnly && index.unknown.length > 0 && { unknownRecords: this.unknownRecords() }),
      ...(problems.length > 0 && { problems }),
    };
  }

  messages(entries: readonly IndexEntry[]): MessageRecord[] {
    return entries.flatMap((entry) => this.message(entry) ?? []);
  }

  message(entry: IndexEntry): MessageRecord | undefined {
    const record = messageFrom(this.value(entry.source), entry.id, this.fallbackTime());
    if (!record) return undefined;
    for (const source of entry.results) {
      const line = classify(this.value(source));
      if (line.kind !== 'role') continue;
      // Older files hold responses without the call's id.
      const named = line.parts.map((part) =>
        part.functionResponse
          ? part
          : { functionResponse: { name: nextOpen(record), response: { output: part.text ?? '' } } },
      );
      takeResponses(line.role === 'tool' ? named : line.parts, record.toolCalls ?? []);
    }
    return record;
  }

  metadata() {
    const { file } = this;
    const known = { ...this.sidecar, ...this.index.metadata };
    const modified = new Date(file.modifiedMs).toISOString();
    const startTime = known.startTime ?? this.index.firstTimestamp ?? known.lastUpdated ?? modified;
    return {
      sessionId: known.sessionId ?? flatSessionId(file.path) ?? withoutExtension(basename(file.path)),
      projectHash: known.projectHash ?? '',
      startTime,
      lastUpdated: known.lastUpdated ?? modified,
      kind: known.kind ?? 'main',
      ...(known.formatVersion !== undefined && { formatVersion: known.formatVersion }),
      ...(known.agentName !== undefined && { agentName: known.agentName }),
      ...(known.parentSessionId !== undefined && { parentSessionId: known.parentSessionId }),
      ...(known.parentCallId !== undefined && { parentCallId: known.parentCallId }),
      ...(known.directories && { directories: known.directories }),
      ...(known.summary !== undefined && { summary: known.summary }),
      ...(known.memoryScratchpad !== undefined && { memoryScratchpad: known.memoryScratchpad }),
    } as const;
  }

  problems(): string[] {
    const { badLines, tornBytes, unknown, metadata } = this.index;
    const newer = (metadata.formatVersion ?? 0) > SESSION_FORMAT_VERSION;
    return [
      ...(tornBytes > 0
        ? [`The last record was cut off while it was written and is left out (${tornBytes} bytes).`]
        : []),
      ...(badLines > 0 ? [`${badLines} damaged ${badLines === 1 ? 'line was' : 'lines were'} skipped.`] : []),
      ...(newer ? [`Written by a newer version (record format ${metadata.formatVersion}).`] : []),
      ...(unknown.length > 0
        ? [
            `${unknown.length} ${unknown.length === 1 ? 'record' : 'records'} of unknown kind kept, but not shown.`,
          ]
        : []),
    ];
  }

  private unknownRecords(): unknown[] {
    return this.index.unknown.map((source) => this.value(source));
  }

  private fallbackTime(): string {
    return this.index.metadata.startTime ?? new Date(this.file.modifiedMs).toISOString();
  }

  /** Caches the last parsed line: the messages of one line are requested one after the other. */
  private value({ offset, length, item }: Source): unknown {
    if (item === undefined) return this.parse(offset, length);
    if (this.parsedLine?.offset !== offset) this.parsedLine = { offset, value: this.parse(offset, length) };
    return messagesIn(this.parsedLine.value)?.[item];
  }

  private parse(offset: number, length: number): unknown {
    try {
      return JSON.parse(this.file.read(offset, length).toString('utf8'));
    } catch {
      return undefined;
    }
  }
}

function indexOf(file: SessionFile, { scanBytes, levels, from }: IndexOptions): SessionIndex {
  const index = new SessionIndex(file, levels).scan(scanBytes, from);
  const isSession = index.hasMetadataLine || index.entries.length > 0;
  if (isSession) return index;
  const start = file.read(0, 64).toString('utf8').trimStart();
  if (!/^[{[]/.test(start)) throw unreadable(file.path, 'it is not a session file');
  if (file.size > MAX_WHOLE_BYTES) throw unreadable(file.path, 'it is too large for its format');
  let value: unknown;
  try {
    value = JSON.parse(file.read(0, file.size).toString('utf8'));
  } catch (error) {
    if (scanBytes !== undefined && scanBytes < file.size) return index;
    throw unreadable(file.path, 'it holds no complete record', error);
  }
  const whole = new SessionIndex(file);
  whole.addValue(named(value, file.path), { offset: 0, length: file.size });
  const tellsWhatItIs = isObject(value) && ('sessionId' in value || 'messages' in value);
  if (!(tellsWhatItIs && whole.hasMetadataLine) && whole.entries.length === 0)
    throw unreadable(file.path, 'it is not a session file');
  return whole;
}

/** Older files may lack the id, and shared histories are only messages: then the file name is the id. */
function named(value: unknown, path: string): unknown {
  const messages = messagesIn(value);
  if (!messages || (isObject(value) && 'sessionId' in value)) return value;
  const startTime = bugReportTime(path);
  return {
    ...(startTime && { startTime }),
    ...(isObject(value) && value),
    sessionId: withoutExtension(basename(path)),
    messages,
  };
}

/** The messages of a record, an update, a bare history, or a saved one (`{history}`). */
function messagesIn(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const holder = isObject(value) && isObject(value['$set']) ? value['$set'] : value;
  const messages = isObject(holder) ? (holder['messages'] ?? holder['history']) : undefined;
  return Array.isArray(messages) ? messages : undefined;
}

/** Metadata of the flat layout: `session-<id>.json` beside `conversation-<id>.jsonl`. */
function sidecarOf(path: string): Partial<ConversationRecord> {
  const id = flatSessionId(path);
  if (!id) return {};
  try {
    const text = readSmallFile(join(dirname(path), `session-${id}.json`))?.text;
    const value: unknown = text === undefined ? undefined : JSON.parse(text);
    return isObject(value) ? metadataFrom(value) : {};
  } catch {
    return {};
  }
}

/** The newest entries that fit, beginning with a user prompt. */
export function newest(
  entries: readonly IndexEntry[],
  maxBytes = Number.POSITIVE_INFINITY,
): readonly IndexEntry[] {
  let bytes = 0;
  let first = entries.length;
  while (first > 0 && bytes + (entries[first - 1]?.weight ?? 0) <= maxBytes) {
    bytes += entries[--first]?.weight ?? 0;
  }
  if (first === 0) return entries;
  const prompt = entries.findIndex(({ isUser }, at) => at >= first && isUser);
  // One turn is larger than the limit: its end is better than nothing.
  return entries.slice(prompt < 0 ? Math.min(first, entries.length - 1) : prompt);
}

function nextOpen({ toolCalls = [] }: MessageRecord): string {
  return toolCalls.find(({ result }) => !result)?.name ?? '';
}

function unreadable(path: string, why: string, cause?: unknown): SessionError {
  return new SessionError('UNREADABLE_SESSION', `Cannot read the session file ${path}: ${why}.`, cause);
}
