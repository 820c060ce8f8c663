/** Indexes a session file: offset and kind of each message. Bodies are not kept, and most are not even parsed. */
import type { ConversationRecord } from '../../protocol/session-record.js';
import { MAX_LINE_BYTES, type ScannedLine, type SessionFile } from './line-scanner.js';
import { isCounted, isSubstance, isUserMessage, shownTextOf } from './message-kinds.js';
import { classify, type Line, messageFrom, metadataFrom, recordFromRole, resultsIn } from './record-lines.js';
import type { RecordedLevels } from './recorded-levels.js';

/** A line, or one item of the `messages` in it. */
export interface Source {
  offset: number;
  length: number;
  item?: number;
}

export interface IndexEntry {
  id: string;
  type: string;
  source: Source;
  /** Lines with results of this message's calls. */
  results: Source[];
  /** Approximate size of its record in bytes. */
  weight: number;
  isUser: boolean;
  isSubstance: boolean;
  /** A summary that replaced earlier messages. */
  isSummary?: boolean;
}

/** Matches records with our fields in our order. */
const MESSAGE_HEAD = /^\{"id":"([\w.:-]+)","timestamp":"([^"\\]*)","type":"(\w+)",(?:"origin":"(\w+)",)?/;
/** The text begins within the scanned head, with a plain character. */
const TEXT_HEAD = /"content":(?:\[\{"text":)?"\s*[^"\s\\]/;
const HIDDEN_HEAD = /"(?:text|content)":"\s*(?:<session_context>|<hook_context>)/;
const COMMAND_HEAD = /"(?:text|content)":"\s*[/?]/;

export class SessionIndex {
  entries: IndexEntry[] = [];
  metadata: Partial<ConversationRecord> = {};
  readonly unknown: Source[] = [];
  firstTimestamp: string | undefined;
  badLines = 0;
  /** Bytes of a last line that was cut off. */
  tornBytes = 0;
  endsWithNewline = true;
  hasMetadataLine = false;
  /** Offset of the line that last replaced the whole list; everything before it is obsolete. */
  base = 0;
  private firstUser: string | undefined;
  private scratchpadIsStale: boolean | undefined;
  private byId = new Map<string, IndexEntry>();
  private lines = 0;

  constructor(
    private readonly file: SessionFile,
    private readonly levels?: RecordedLevels,
  ) {}

  /** @param end stop after so many bytes; @param start skip the obsolete beginning */
  scan(end?: number, start?: number): this {
    this.file.eachLine(
      (line) => {
        if (!line.isEnded) this.endsWithNewline = false;
        if (!this.addByHead(line)) this.addParsed(line);
        this.lines++;
      },
      end,
      start,
    );
    return this;
  }

  /** For files that are one JSON value, on one or several lines. */
  addValue(value: unknown, { offset, length }: Source): void {
    this.addLine(classify(value), { offset, length });
  }

  get messageCount(): number {
    return this.entries.reduce((count, entry) => count + (isCounted(entry) ? 1 : 0), 0);
  }

  get userMessageCount(): number {
    return this.entries.reduce((count, { isUser }) => count + (isUser ? 1 : 0), 0);
  }

  get hasSubstance(): boolean {
    return this.entries.some((entry) => entry.isSubstance);
  }

  /** The user's first prompt, else the one recorded by an earlier part of the file. */
  get firstUserMessage(): string | undefined {
    return this.firstUser ?? this.metadata.firstUserMessage;
  }

  get isScratchpadStale(): boolean | undefined {
    return this.scratchpadIsStale;
  }

  private addByHead({ offset, length, head, lastByte, isEnded }: ScannedLine): boolean {
    if (!isEnded || length > MAX_LINE_BYTES) return false;
    const text = head.toString('latin1');
    const match = MESSAGE_HEAD.exec(text);
    if (!match) return false;
    const [, id = '', timestamp, type = '', origin] = match;
    if (type === 'user' && (this.firstUser === undefined || !TEXT_HEAD.test(text))) return false;
    // A line that was cut off and continued by another one does not end like a record.
    if (lastByte !== CLOSING_BRACE) return false;
    const isUser = type === 'user' && !origin && !HIDDEN_HEAD.test(text);
    this.put({
      id,
      type,
      source: { offset, length },
      results: [],
      weight: length,
      isUser,
      isSubstance: type === 'gemini' || (isUser && !COMMAND_HEAD.test(text)),
    });
    this.firstTimestamp ??= timestamp;
    return true;
  }

  private addParsed({ offset, length, isEnded }: ScannedLine): void {
    let value: unknown;
    try {
      value = this.file.parse(offset, length);
    } catch {
      if (isEnded) this.badLines++;
      else this.tornBytes = length;
      return;
    }
    this.addLine(classify(value), { offset, length });
  }

  private addLine(line: Line, source: Source): void {
    switch (line.kind) {
      case 'metadata':
        this.hasMetadataLine = true;
        this.merge(line.fields);
        if (line.messages) this.replaceAll(line.messages, source);
        break;
      case 'set':
        this.merge(line.fields);
        if (line.messages) this.replaceAll(line.messages, source);
        break;
      case 'rewind':
        this.rewind(line.id);
        break;
      case 'message':
        this.addMessage(line.record, source, source.length);
        break;
      case 'role':
        this.addRole(line, source);
        break;
      case 'unknown':
        this.unknown.push(source);
    }
  }

  private merge(fields: Record<string, unknown>): void {
    Object.assign(this.metadata, metadataFrom(fields));
    if ('memoryScratchpad' in fields) this.scratchpadIsStale = false;
  }

  private replaceAll(messages: readonly unknown[], source: Source): void {
    const before = this.entries;
    this.base = source.offset;
    this.entries = [];
    this.byId.clear();
    const weight = source.length / Math.max(1, messages.length);
    messages.forEach((message, item) => {
      const line = classify(message);
      if (line.kind === 'role') this.addRole(line, { ...source, item });
      else this.addMessage(message, { ...source, item }, weight);
    });
    this.levels?.replaced(before, this.entries, this.metadata.formatVersion !== undefined);
  }

  private addMessage(value: unknown, source: Source, weight: number): void {
    const record = messageFrom(value, this.fallbackId(source), '');
    if (!record) return;
    const marks = { isUser: isUserMessage(record), isSubstance: isSubstance(record) };
    if (marks.isUser && marks.isSubstance) this.firstUser ??= shownTextOf(record);
    this.firstTimestamp ??= record.timestamp || undefined;
    const { id, type } = record;
    const summary = record.origin === 'summary' && { isSummary: true };
    this.put({ id, type, source, results: [], weight, ...marks, ...summary });
  }

  private addRole({ role, parts }: Extract<Line, { kind: 'role' }>, source: Source): void {
    const before = this.entries.at(-1);
    if (before?.type === 'gemini' && resultsIn(role, parts)) {
      before.results.push(source);
      before.weight += source.length;
    }
    const record = recordFromRole({ role, parts, id: this.fallbackId(source), timestamp: '' });
    if (record) this.addMessage(record, source, source.length);
  }

  /** The same in every read, so that a rewind to it works. */
  private fallbackId({ offset, item }: Source): string {
    return item === undefined ? `line-${this.lines + 1}` : `item-${offset}-${item}`;
  }

  private put(entry: IndexEntry): void {
    if (this.scratchpadIsStale === false) this.scratchpadIsStale = true;
    const earlier = this.byId.get(entry.id);
    if (earlier) {
      Object.assign(earlier, entry);
      return;
    }
    this.entries.push(entry);
    this.byId.set(entry.id, entry);
  }

  private rewind(id: string): void {
    this.levels?.rewound(id);
    const target = this.byId.get(id);
    const removed = this.entries.splice(target ? this.entries.lastIndexOf(target) : 0);
    for (const entry of removed) this.byId.delete(entry.id);
  }
}

const CLOSING_BRACE = '}'.charCodeAt(0);
