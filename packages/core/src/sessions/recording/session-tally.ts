/** Counts the messages a recorder wrote: ids and counts, no contents. */
import { headOf } from '../../base/cut-text.js';
import type { MessageRecord, SessionCounts } from '../../protocol/session-record.js';
import { isCounted, isSubstance, isUserMessage, shownTextOf } from '../reading/message-kinds.js';
import type { IndexEntry, SessionIndex } from '../reading/session-index.js';

/** The file's last line holds it, and a listing reads only 1 KB of that. */
const FIRST_MESSAGE_CHARS = 120;

interface Tallied {
  type: string;
  isUser: boolean;
  isSubstance: boolean;
}

export class SessionTally {
  private messages = new Map<string, Tallied>();
  private counted = 0;
  private users = 0;
  private substance = 0;
  private firstUserMessage: string | undefined;

  static of({ entries, firstUserMessage }: SessionIndex): SessionTally {
    return SessionTally.from(entries, firstUserMessage);
  }

  static from(entries: readonly IndexEntry[], firstUserMessage: string | undefined): SessionTally {
    const tally = new SessionTally();
    for (const { id, type, isUser, isSubstance } of entries) tally.put(id, { type, isUser, isSubstance });
    tally.firstUserMessage = shortened(firstUserMessage);
    return tally;
  }

  add(record: MessageRecord): void {
    const { type } = record;
    const tallied = { type, isUser: isUserMessage(record), isSubstance: isSubstance(record) };
    if (tallied.isUser && tallied.isSubstance) this.firstUserMessage ??= shortened(shownTextOf(record));
    this.put(record.id, tallied);
  }

  replaceAll(records: readonly MessageRecord[]): void {
    this.clear();
    for (const record of records) this.add(record);
  }

  has(id: string): boolean {
    return this.messages.has(id);
  }

  /** Drops `id` and all later ones; an unknown id drops all, as readers do. */
  rewind(id: string): void {
    let isDropping = !this.messages.has(id);
    for (const [known, tallied] of this.messages) {
      if (known === id) isDropping = true;
      if (!isDropping) continue;
      this.messages.delete(known);
      this.count(tallied, -1);
    }
  }

  counts(): SessionCounts {
    return {
      messageCount: this.counted,
      userMessageCount: this.users,
      hasUserOrAssistantMessage: this.substance > 0,
      ...(this.firstUserMessage !== undefined && { firstUserMessage: this.firstUserMessage }),
    };
  }

  private put(id: string, tallied: Tallied): void {
    const earlier = this.messages.get(id);
    if (earlier) this.count(earlier, -1);
    this.messages.set(id, tallied);
    this.count(tallied, 1);
  }

  private count(tallied: Tallied, by: 1 | -1): void {
    const { isUser, isSubstance } = tallied;
    if (isCounted(tallied)) this.counted += by;
    if (isUser) this.users += by;
    if (isSubstance) this.substance += by;
  }

  private clear(): void {
    this.messages.clear();
    this.counted = 0;
    this.users = 0;
    this.substance = 0;
  }
}

function shortened(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const line = text.replace(/\s+/g, ' ').trim();
  return headOf(line, FIRST_MESSAGE_CHARS);
}
