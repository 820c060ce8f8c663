/** Keeps turns that were removed from the conversation, for `recall_turn` and `/uncompress`. */
import type { Message, MessageOrigin } from '../../protocol/messages.js';
import { previewOf } from '../compression/summary-messages.js';
import type { Turn } from '../compression/transcript.js';
import { ContextGraphBuilder } from '../graph/build.js';
import type { TurnLocation, TurnStore } from './turn-store.js';

export interface ArchivedTurn {
  id: string;
  role: Message['role'];
  origin: MessageOrigin;
  /** Its first words, on one line. */
  preview: string;
}

const PREFIX = 'turn_';
/** A shorter beginning of an id is too ambiguous. */
const MIN_DIGITS = 6;
/** Only the newest are listed. */
const MAX_KNOWN = 2_000;

/** A turn, or its location on disk. A class, because thousands of spread objects take several times the memory. */
class StoredTurn implements ArchivedTurn {
  constructor(
    readonly id: string,
    readonly role: Message['role'],
    readonly origin: MessageOrigin,
    readonly preview: string,
    readonly content: Message | TurnLocation,
  ) {}
}

export class TurnArchive {
  private readonly turns = new Map<string, StoredTurn>();

  /** @param store absent: all turns stay in memory */
  constructor(private readonly store?: TurnStore) {}

  add(turns: readonly Turn[]): void {
    const locations = this.store?.save(turns);
    turns.forEach(({ id, message }, index) => {
      const { role, origin } = message;
      const own = ownCopy(id);
      const content = locations?.[index] ?? message;
      this.turns.set(own, new StoredTurn(own, role, origin, ownCopy(previewOf(message)), content));
    });
    this.forgetOldest();
  }

  /** For a resumed session: equal histories get equal ids. */
  addHistory(history: readonly Message[]): void {
    this.add(new ContextGraphBuilder().build(history).turns);
  }

  get isEmpty(): boolean {
    return this.turns.size === 0;
  }

  /** @param turnId the id or an unambiguous beginning of it */
  recall(turnId: string): Message | undefined {
    const wanted = turnId.trim();
    const id = wanted.startsWith(PREFIX) ? wanted : `${PREFIX}${wanted}`;
    const exact = this.turns.get(id);
    if (exact || id.length < PREFIX.length + MIN_DIGITS) return this.messageOf(exact);
    const matching = [...this.turns.keys()].filter((key) => key.startsWith(id));
    if (matching.length === 0 && /^\w+$/.test(id)) return this.store?.find(id);
    // Ids that differ only in their number belong to turns with the same content.
    const contents = new Set(matching.map((key) => key.slice(0, key.lastIndexOf('_'))));
    return contents.size === 1 ? this.messageOf(this.turns.get(matching.at(-1) as string)) : undefined;
  }

  list(): ArchivedTurn[] {
    return [...this.turns.values()].map(({ id, role, origin, preview }) => ({ id, role, origin, preview }));
  }

  /** Forgotten turns can still be found on disk by their id. */
  private forgetOldest(): void {
    for (const [id, { content }] of this.turns) {
      if (this.turns.size <= MAX_KNOWN) return;
      if (!('parts' in content)) this.turns.delete(id);
    }
  }

  private messageOf(stored: StoredTurn | undefined): Message | undefined {
    if (!stored) return undefined;
    const { content } = stored;
    return 'parts' in content ? content : this.store?.read(content);
  }
}

/** V8 keeps the whole text in memory for a substring, but not for a copy. */
function ownCopy(text: string): string {
  return Buffer.from(text).toString();
}

interface Level {
  before: readonly Message[];
  after: readonly Message[];
}

/** Undoes compressions, the latest first. */
export class CompressionLevels {
  private readonly levels: Level[] = [];

  /** @param isRecorded true: only the latest is kept in memory, since the session file has the earlier ones */
  constructor(private readonly isRecorded: () => boolean = () => false) {}

  push(before: readonly Message[], after: readonly Message[]): void {
    if (this.isRecorded()) this.levels.length = 0;
    this.levels.push({ before: [...before], after });
  }

  /** The full history and what followed; undefined when `history` is not from a compression. */
  undo(history: readonly Message[]): readonly Message[] | undefined {
    const level = this.levels.at(-1);
    if (!level) return undefined;
    const { before, after } = level;
    const summary = after.findIndex(({ origin }) => origin === 'summary');
    if (history[summary] !== after[summary]) return undefined;
    this.levels.pop();
    // If the conversation was rewound since, the full history is too, but not beyond the summary.
    const kept = after.length - 1 - after.findLastIndex(({ origin }) => isFromCompression(origin));
    const removed = Math.min(kept, Math.max(0, after.length - history.length));
    return [...before.slice(0, before.length - removed), ...history.slice(after.length)];
  }
}

function isFromCompression(origin: MessageOrigin): boolean {
  return origin === 'summary' || origin === 'reminder';
}
