/** Totals of a session: models, tokens, calls, changed files. */
import type { MessageRecord } from '../../../protocol/session-record.js';
import { isUserMessage } from '../../reading/message-kinds.js';
import { countDiff } from './diff-html.js';
import { diffOf } from './tool-call-html.js';

export class SessionFacts {
  readonly models = new Set<string>();
  readonly files = new Set<string>();
  prompts = 0;
  calls = 0;
  added = 0;
  removed = 0;
  tokens = { input: 0, output: 0, cached: 0 };
  private first = Number.NaN;
  private last = Number.NaN;

  static of(messages: Iterable<MessageRecord>): SessionFacts {
    const facts = new SessionFacts();
    for (const message of messages) facts.add(message);
    return facts;
  }

  add(message: MessageRecord): void {
    const isSaid = message.type === 'user' || message.type === 'gemini';
    const time = isSaid ? Date.parse(message.timestamp) : Number.NaN;
    if (!Number.isNaN(time)) {
      this.first = Number.isNaN(this.first) ? time : Math.min(this.first, time);
      this.last = Number.isNaN(this.last) ? time : Math.max(this.last, time);
    }
    if (isUserMessage(message)) this.prompts++;
    if (typeof message.model === 'string' && message.model !== '') this.models.add(message.model);
    const { tokens } = message;
    if (tokens) {
      this.tokens.input += count(tokens.input);
      this.tokens.output += count(tokens.output) + count(tokens.thoughts);
      this.tokens.cached += count(tokens.cached);
    }
    for (const call of message.toolCalls ?? []) {
      this.calls++;
      const change = diffOf(call);
      if (!change) continue;
      const { added, removed } = countDiff(change.diff);
      this.files.add(change.path);
      this.added += added;
      this.removed += removed;
    }
  }

  /** ISO time of the first message; an imported session begins earlier than its file. */
  get startTime(): string | undefined {
    return Number.isNaN(this.first) ? undefined : new Date(this.first).toISOString();
  }

  /** From the first prompt or answer to the last; a note may be of another day. */
  get durationMs(): number {
    return Number.isNaN(this.first) ? 0 : this.last - this.first;
  }

  get allTokens(): number {
    return this.tokens.input + this.tokens.output;
  }
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** `950`, `12.4K`, `1.2M` */
export function shortNumber(value: number): string {
  return COMPACT.format(value);
}

/** `1 call`, `2 calls` */
export function counted(value: number, what: string): string {
  return `${value} ${what}${value === 1 ? '' : 's'}`;
}

/** `42 s`, `3 min 5 s`, `2 h 10 min`, `3 days`; nothing for less than a second. */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 1) return '';
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 ? `${minutes} min ${seconds % 60} s` : `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  return `${Math.floor(hours / 24)} days`;
}
