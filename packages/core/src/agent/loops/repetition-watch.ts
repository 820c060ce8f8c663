/**
 * Checks streamed prose cheaply until something in it repeats, then closely. Text in a loop repeats long
 * stretches, so it is enough to check now and then whether a block occurred before; only then the finder,
 * which looks at every letter, gets the kept text and all that follows.
 */
import { CHUNK, REPETITION_SPAN, RepetitionFinder, WINDOW } from './repetition-finder.js';

/** Letters from one checked block to the next. */
const STRIDE = 2 * CHUNK;

export class RepetitionWatch {
  /** The end of the text since the last reset; longer than the window, so that it is seldom cut. */
  private tail = '';
  /** How far into `tail` blocks have been checked. */
  private seen = 0;
  private finder: RepetitionFinder | undefined;
  /** How many more letters go through the finder. */
  private closely = 0;

  reset(): void {
    this.tail = '';
    this.seen = 0;
    this.closely = 0;
  }

  /** The repeating text, as soon as it is found. */
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

  /** Whether one of the new blocks also occurs in the text shortly before it. */
  private hasRepeatedBlock(): boolean {
    let isRepeating = false;
    for (; this.seen + CHUNK <= this.tail.length; this.seen += STRIDE) {
      if (isRepeating) continue;
      const block = this.tail.slice(this.seen, this.seen + CHUNK);
      isRepeating = this.tail.indexOf(block, Math.max(0, this.seen - REPETITION_SPAN)) < this.seen;
    }
    return isRepeating;
  }

  private lookBack(): string | undefined {
    this.finder ??= new RepetitionFinder();
    this.finder.clear();
    return this.finder.add(this.tail);
  }

  private cut(): void {
    const removed = this.tail.length - WINDOW;
    this.tail = this.tail.slice(removed);
    this.seen -= removed;
  }
}
