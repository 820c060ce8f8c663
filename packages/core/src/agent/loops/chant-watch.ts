/**
 * Looks at streamed prose cheaply until something in it repeats, then closely. Text that loops repeats
 * long stretches, so it is enough to ask now and then of a block whether it was there before; only then the
 * finder, which looks at every letter, gets what is kept of the text and all that follows.
 */
import { CHANT_SPAN, CHUNK, ChantFinder, WINDOW } from './chant-finder.js';

/** From one block that is asked for to the next. */
const STRIDE = 2 * CHUNK;

export class ChantWatch {
  /** The end of the text since the last reset; somewhat longer than the window, to be cut seldom. */
  private tail = '';
  /** How far into `tail` blocks have been looked at. */
  private seen = 0;
  private finder: ChantFinder | undefined;
  /** So many letters more go through the finder. */
  private closely = 0;

  reset(): void {
    this.tail = '';
    this.seen = 0;
    this.closely = 0;
  }

  /** The text that repeats, as soon as it does. */
  add(text: string): string | undefined {
    this.tail += text;
    if (this.closely > 0) {
      this.closely -= text.length;
      const found = this.finder?.add(text);
      if (found !== undefined) return found;
    }
    let found: string | undefined;
    if (this.hasRepeatedBlock()) {
      if (this.closely <= 0) found = this.lookBack();
      this.closely = WINDOW;
    }
    if (this.tail.length > 2 * WINDOW) this.cut();
    return found;
  }

  /** Whether one of the new blocks stands in the text shortly before it, too. */
  private hasRepeatedBlock(): boolean {
    let isRepeating = false;
    for (; this.seen + CHUNK <= this.tail.length; this.seen += STRIDE) {
      if (isRepeating) continue;
      const block = this.tail.slice(this.seen, this.seen + CHUNK);
      isRepeating = this.tail.indexOf(block, Math.max(0, this.seen - CHANT_SPAN)) < this.seen;
    }
    return isRepeating;
  }

  private lookBack(): string | undefined {
    this.finder ??= new ChantFinder();
    this.finder.clear();
    return this.finder.add(this.tail);
  }

  private cut(): void {
    const removed = this.tail.length - WINDOW;
    this.tail = this.tail.slice(removed);
    this.seen -= removed;
  }
}
