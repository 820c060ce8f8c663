/** Turns that left the conversation, and the ways back to them. */
import type { Message, MessageOrigin } from '../../protocol/messages.js';
import { previewOf } from '../compression/summary-messages.js';
import type { Turn } from '../compression/transcript.js';
import { ContextGraphBuilder } from '../graph/build.js';
import type { TurnPlace, TurnStore } from './turn-store.js';

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
/** Of more, only the newest are listed. */
const MAX_KNOWN = 2_000;

/** A turn, or where it lies. A class, since there are thousands: objects made by spreading take several times the room. */
class Kept implements ArchivedTurn {
  constructor(
    readonly id: string,
    readonly role: Message['role'],
    readonly origin: MessageOrigin,
    readonly preview: string,
    readonly content: Message | TurnPlace,
  ) {}
}

export class TurnArchive {
  private readonly turns = new Map<string, Kept>();

  /** @param store absent: all turns stay in memory */
  constructor(private readonly store?: TurnStore) {}

  add(turns: readonly Turn[]): void {
    const places = this.store?.save(turns);
    turns.forEach(({ id, message }, index) => {
      const { role, origin } = message;
      const own = ownCopy(id);
      const content = places?.[index] ?? message;
      this.turns.set(own, new Kept(own, role, origin, ownCopy(previewOf(message)), content));
    });
    this.forgetOldest();
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
    if (exact || id.length < PREFIX.length + MIN_DIGITS) return this.messageOf(exact);
    const matching = [...this.turns.keys()].filter((key) => key.startsWith(id));
    if (matching.length === 0 && /^\w+$/.test(id)) return this.store?.find(id);
    // Turns that differ only in their number say the same.
    const contents = new Set(matching.map((key) => key.slice(0, key.lastIndexOf('_'))));
    return contents.size === 1 ? this.messageOf(this.turns.get(matching.at(-1) as string)) : undefined;
  }

  list(): ArchivedTurn[] {
    return [...this.turns.values()].map(({ id, role, origin, preview }) => ({ id, role, origin, preview }));
  }

  /** They are found on disk by their id. */
  private forgetOldest(): void {
    for (const [id, { content }] of this.turns) {
      if (this.turns.size <= MAX_KNOWN) return;
      if (!('parts' in content)) this.turns.delete(id);
    }
  }

  private messageOf(kept: Kept | undefined): Message | undefined {
    if (!kept) return undefined;
    const { content } = kept;
    return 'parts' in content ? content : this.store?.read(content);
  }
}

/** A piece of a text keeps the whole of it in memory; a copy does not. */
function ownCopy(text: string): string {
  return Buffer.from(text).toString();
}

interface Level {
  before: readonly Message[];
  after: readonly Message[];
}

/** Every compression can be taken back, the latest first. */
export class CompressionLevels {
  private readonly levels: Level[] = [];

  /** @param isRecorded then only the latest is kept here: earlier ones are in the session's file */
  constructor(private readonly isRecorded: () => boolean = () => false) {}

  push(before: readonly Message[], after: readonly Message[]): void {
    if (this.isRecorded()) this.levels.length = 0;
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
