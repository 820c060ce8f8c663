/** Turns that left the conversation, and the ways back to them. */
import type { Message, MessageOrigin } from '../protocol/messages.js';
import { ContextGraphBuilder } from './graph/build.js';
import { previewOf } from './summary-messages.js';
import type { Turn } from './transcript.js';

export interface ArchivedTurn {
  id: string;
  role: Message['role'];
  origin: MessageOrigin;
  /** Its first words, on one line. */
  preview: string;
}

const PREFIX = 'turn_';
/** Fewer digits of an id say nothing. */
const MIN_DIGITS = 6;

export class TurnArchive {
  private readonly turns = new Map<string, Message>();

  add(turns: readonly Turn[]): void {
    for (const { id, message } of turns) this.turns.set(id, message);
  }

  /** A resumed session: the ids of the same history are the same again. */
  addHistory(history: readonly Message[]): void {
    this.add(new ContextGraphBuilder().build(history).turns);
  }

  get isEmpty(): boolean {
    return this.turns.size === 0;
  }

  /** The id, or enough of its beginning to tell it from all others. */
  recall(turnId: string): Message | undefined {
    const wanted = turnId.trim();
    const id = wanted.startsWith(PREFIX) ? wanted : `${PREFIX}${wanted}`;
    const exact = this.turns.get(id);
    if (exact || id.length < PREFIX.length + MIN_DIGITS) return exact;
    const matching = [...this.turns.keys()].filter((key) => key.startsWith(id));
    // Turns that differ only in their number say the same.
    const contents = new Set(matching.map((key) => key.slice(0, key.lastIndexOf('_'))));
    return contents.size === 1 ? this.turns.get(matching.at(-1) as string) : undefined;
  }

  list(): ArchivedTurn[] {
    return [...this.turns].map(([id, message]) => ({
      id,
      role: message.role,
      origin: message.origin,
      preview: previewOf(message),
    }));
  }
}

interface Level {
  before: readonly Message[];
  after: readonly Message[];
}

/** Every compression can be taken back, the latest first. */
export class CompressionLevels {
  private readonly levels: Level[] = [];

  push(before: readonly Message[], after: readonly Message[]): void {
    this.levels.push({ before: [...before], after });
  }

  /** The full history with what came since; undefined when `history` does not come from a compression. */
  undo(history: readonly Message[]): readonly Message[] | undefined {
    const level = this.levels.at(-1);
    if (!level) return undefined;
    const { before, after } = level;
    const summary = after.findIndex(({ origin }) => origin === 'summary');
    if (history[summary] !== after[summary]) return undefined;
    this.levels.pop();
    // Where the conversation was taken back in the meantime, so is the full one, but no further than the summary.
    const kept = after.length - 1 - after.findLastIndex(({ origin }) => isOurs(origin));
    const removed = Math.min(kept, Math.max(0, after.length - history.length));
    return [...before.slice(0, before.length - removed), ...history.slice(after.length)];
  }
}

function isOurs(origin: MessageOrigin): boolean {
  return origin === 'summary' || origin === 'reminder';
}
