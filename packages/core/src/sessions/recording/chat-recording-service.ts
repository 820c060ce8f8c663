/**
 * Records one conversation to its file: append-only, each record whole or absent, created at the first real message.
 * A write failure never reaches the conversation; the user is warned once.
 */
import { messageOf } from '../../base/errors.js';
import { createLog } from '../../platform/log.js';
import { randomUuid } from '../../platform/random.js';
import type { Part, TokenUsage } from '../../protocol/messages.js';
import type {
  MessageRecord,
  MessageType,
  RecordedThought,
  SessionMetadata,
  ToolCallRecord,
} from '../../protocol/session-record.js';
import { isSubstance } from '../reading/message-kinds.js';
import type { SessionReader } from '../reading/read-session.js';
import { splitAnswer } from '../to-records.js';
import { continueSession, newSessionFile, type OpenedSession, openNewSession } from './open-session.js';
import { messageLine, rewindLine, setLine, setMessagesLine } from './record-text.js';
import { withRecordedDetails } from './recorded-details.js';
import type { RedactValue } from './redact-record.js';
import { SessionTally } from './session-tally.js';

const log = createLog('sessions');

export interface RecordingOptions {
  chatsDir: string;
  sessionId: string;
  projectHash: () => string;
  now: () => number;
  redact: RedactValue;
  /** Tells the user that recording stopped or continues in another file. */
  warn(message: string): void;
  /** The session continues under a new id, because another process records the old one. */
  onFork?(to: string, from: string): void;
  /** The resumed session, while its file is open and before anything is written. */
  onFound?(session: SessionReader): void;
  directories?: string[];
  /** Set for a sub-agent, whose transcript is stored beside this session. */
  parentSessionId?: string;
  parentCallId?: string;
  agentName?: string;
}

export interface AnswerRecord {
  parts: readonly Part[];
  thoughts?: readonly RecordedThought[];
  model?: string;
  tokens?: TokenUsage;
  origin?: MessageRecord['origin'];
}

/** A change of one call; `id` must be one of the last answer's. */
export type ToolCallUpdate = Pick<ToolCallRecord, 'id'> & Partial<ToolCallRecord>;

/** Answers up to this size are rewritten with every result; larger ones less often. */
const CHEAP_BYTES = 64 * 1024;
/** Limit of notes buffered before the first real message. */
const MAX_WAITING = 100;

export class ChatRecordingService {
  private opened: OpenedSession | undefined;
  private tally = new SessionTally();
  private hasStopped = false;
  private id: string;
  private metadata: Partial<SessionMetadata>;
  private lastTime = 0;
  /** Set once the name of the file, which contains it, has been told. */
  private startTime: string | undefined;
  /** Offset in the file before which everything is obsolete. */
  private base = 0;
  /** Records waiting for the first real message, which creates the file. */
  private waiting: MessageRecord[] = [];
  private lastUser: MessageRecord | undefined;
  private answer: MessageRecord | undefined;
  /** Statuses of its calls, and its size, as they stand on disk. */
  private savedStatuses = '';
  private answerBytes = 0;
  private unsavedBytes = 0;

  constructor(private readonly options: RecordingOptions) {
    this.id = options.sessionId;
    this.metadata = options.directories ? { directories: options.directories } : {};
  }

  /**
   * Continues an earlier session: in its file, in a converted file beside it where its format is old, or in a copy where
   * another process is recording it.
   */
  static resume(path: string, options: RecordingOptions): ChatRecordingService {
    const service = new ChatRecordingService(options);
    service.attempt(() => {
      const { opened, tally, metadata, base } = continueSession(path, options);
      service.base = base;
      service.opened = opened;
      service.tally = tally;
      service.id = opened.sessionId;
      service.metadata = metadata;
      service.lastTime = Date.parse(metadata.lastUpdated ?? '') || 0;
    });
    return service;
  }

  get sessionId(): string {
    return this.id;
  }

  /** Null until the first real message, and when recording failed from the start. */
  get conversationFile(): string | null {
    return this.opened?.file.path ?? null;
  }

  /** Where the conversation is recorded, or will be with the first message; undefined: it is not. */
  get transcriptFile(): string | undefined {
    if (this.opened || this.hasStopped) return this.opened?.file.path;
    this.startTime ??= this.time();
    return newSessionFile(this.options, Date.parse(this.startTime));
  }

  get memoryScratchpad(): SessionMetadata['memoryScratchpad'] {
    return this.metadata.memoryScratchpad;
  }

  get isRecording(): boolean {
    return !this.hasStopped;
  }

  recordUser(
    content: string | readonly Part[],
    extra: Pick<MessageRecord, 'displayContent' | 'origin'> = {},
  ): string {
    const parts = typeof content === 'string' ? content : [...content];
    this.saveAnswer();
    this.answer = undefined;
    const record = this.newRecord('user', parts, extra);
    if (!extra.origin) this.lastUser = record;
    this.append(record);
    return record.id;
  }

  recordAnswer({ parts, thoughts = [], model, tokens, origin }: AnswerRecord): string {
    this.saveAnswer();
    const { content, toolCalls } = splitAnswer(parts, this.time());
    const record = this.newRecord('gemini', content, {
      ...(toolCalls.length > 0 && { toolCalls }),
      ...(thoughts.length > 0 && { thoughts: [...thoughts] }),
      ...(tokens && { tokens: recordedTokens(tokens) }),
      ...(model && { model }),
      ...(origin && { origin }),
    });
    this.answer = record;
    this.answerBytes = this.append(record);
    this.unsavedBytes = 0;
    return record.id;
  }

  /** Calls of the last answer. Written at once unless that would rewrite large results again and again. */
  recordToolCalls(updates: readonly ToolCallUpdate[]): void {
    const calls = this.answer?.toolCalls;
    if (!this.answer || !calls) return;
    for (const update of updates) {
      const call = calls.find(({ id }) => id === update.id);
      if (!call) continue;
      Object.assign(call, update);
      if (update.result || update.resultDisplay) this.unsavedBytes += sizeOf(update);
    }
    const isDone = calls.every(({ result }) => result);
    const isCheap = this.answerBytes + this.unsavedBytes <= CHEAP_BYTES;
    if (isDone || isCheap || this.unsavedBytes >= this.answerBytes) this.saveAnswer();
  }

  /** A note for readers of the session; it is never sent to the model. */
  recordNote(type: Exclude<MessageType, 'user' | 'gemini'>, text: string): void {
    this.append(this.newRecord(type, text, {}));
  }

  /** The request with this prompt failed: it stays readable, and is not sent again. */
  markNotSent(id: string): void {
    if (this.lastUser?.id !== id) return;
    this.append({ ...this.lastUser, notSent: true });
  }

  /** After compression. Earlier lines stay in the file. */
  replaceHistory(newRecords: readonly MessageRecord[]): void {
    const { file } = this.opened ?? {};
    const records = file ? withRecordedDetails(newRecords, file.path, this.base) : newRecords;
    this.base = file?.end ?? 0;
    this.tally.replaceAll(records);
    const last = records.at(-1);
    this.answer = last?.type === 'gemini' ? last : undefined;
    this.answerBytes = last ? sizeOf(last) : 0;
    this.unsavedBytes = 0;
    this.savedStatuses = last ? statusesOf(last) : '';
    if (this.opened) this.write(() => setMessagesLine(records, this.options.redact));
  }

  /** Drops a message and all later ones; does nothing when there is none of that id. */
  rewindTo(id: string): void {
    if (!this.tally.has(id)) return;
    this.tally.rewind(id);
    this.answer = undefined;
    this.waiting = this.waiting.filter((record) => this.tally.has(record.id));
    if (this.opened) this.write(() => rewindLine(id));
  }

  setMetadata(fields: Partial<Pick<SessionMetadata, 'summary' | 'directories' | 'memoryScratchpad'>>): void {
    this.metadata = { ...this.metadata, ...fields };
    if (this.opened) this.write(() => setLine(this.options.redact(fields)));
  }

  /** At the end of a turn: flushed to disk, so that it survives a power cut. */
  endTurn(): void {
    this.saveAnswer();
    const { opened } = this;
    if (!opened) return;
    if (!this.hasStopped) opened.file.sync((error) => this.stop(error));
    opened.lock?.touch();
  }

  /** Stops recording after a failure and warns the user once. */
  stop(error: unknown): void {
    if (this.hasStopped) return;
    log.error('recording stopped', error);
    this.hasStopped = true;
    this.waiting = [];
    this.letGo();
    const why = messageOf(error).replace(/[.\s]+$/, '');
    this.options.warn(
      `This session is no longer recorded: ${why}. What was recorded so far is kept; the conversation continues.`,
    );
  }

  close(): void {
    this.saveAnswer();
    this.letGo();
    this.hasStopped = true;
  }

  private saveAnswer(): void {
    if (!this.answer || (this.unsavedBytes === 0 && statusesOf(this.answer) === this.savedStatuses)) return;
    this.answerBytes = this.append(this.answer);
    this.unsavedBytes = 0;
  }

  private newRecord(
    type: MessageType,
    content: MessageRecord['content'],
    extra: Partial<MessageRecord>,
  ): MessageRecord {
    return { id: randomUuid(), timestamp: this.time(), type, content, ...extra };
  }

  /** @returns the approximate size of the record in bytes */
  private append(record: MessageRecord): number {
    if (record.type === 'gemini') this.savedStatuses = statusesOf(record);
    this.tally.add(record);
    if (!this.opened && !isSubstance(record)) {
      if (this.waiting.length < MAX_WAITING) this.waiting.push(record);
      return 0;
    }
    let bytes = 0;
    this.write(() => {
      const line = messageLine(record, this.options.redact);
      bytes = line.length;
      return line;
    });
    return bytes;
  }

  /** One write: the records and the metadata line that a listing reads. */
  private write(lines: () => string): void {
    this.attempt(() => {
      const text = lines();
      let before = '';
      if (!this.opened) {
        this.open();
        before = this.waiting.map((record) => messageLine(record, this.options.redact)).join('');
        this.waiting = [];
      }
      this.opened?.file.write(before + text + this.stateLine());
    });
  }

  private open(): void {
    const opened = openNewSession(
      this.options,
      this.options.redact({ ...this.metadata, startTime: this.startTime ?? this.time() }),
    );
    this.opened = opened;
    this.id = opened.sessionId;
  }

  private stateLine(): string {
    const { summary } = this.metadata;
    const state = {
      lastUpdated: this.time(),
      ...this.tally.counts(),
      ...(summary !== undefined && { summary }),
    };
    return setLine(this.options.redact(state));
  }

  /** Never earlier than before, whatever the clock does. */
  private time(): string {
    this.lastTime = Math.max(this.lastTime, this.options.now());
    return new Date(this.lastTime).toISOString();
  }

  private attempt(work: () => void): void {
    if (this.hasStopped) return;
    try {
      work();
    } catch (error) {
      this.stop(error);
    }
  }

  private letGo(): void {
    const { opened } = this;
    if (!opened) return;
    try {
      opened.file.close();
    } catch (error) {
      log.warn('session file not closed', error);
    }
    opened.lock?.release();
  }
}

function statusesOf({ toolCalls = [] }: MessageRecord): string {
  return toolCalls.map(({ status, result }) => `${status}${result ? '!' : ''}`).join();
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}

function recordedTokens({ prompt, candidates, cached, thoughts, tool, total }: TokenUsage) {
  return { input: prompt, output: candidates, cached, thoughts, tool, total };
}
