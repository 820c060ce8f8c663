/** Tells prose from the rest of a streamed Markdown text: repetition is natural in code, tables and lists. */
import { closesFence, type Fence, openingFence } from '../../base/markdown-fences.js';

/** Where a new stretch of prose begins: the text before it is forgotten. */
export type Reset = 'before' | 'after' | undefined;

/** The first letters of a line decide what it is. */
const LEAD = 80;
/** A table row, list item, heading or quote. */
const STRUCTURE = /^\s*(?:[|\u2500-\u257f]|[*+\-\u2022]\s|\d{1,9}[.)]\s|#{1,6}\s|>)/;
/** A line of at least three drawing characters, e.g. a table border. */
const DIVIDER = /^\s*(?:[-*_=+|:~#\u2500-\u257f]\s*){3,}$/;

export class ProseLines {
  private lead = '';
  private isStructure = false;
  /** The fence that opened the current code block. */
  private fence: Fence | undefined;

  clear(): void {
    this.lead = '';
    this.isStructure = false;
    this.fence = undefined;
  }

  /** False within a code block. */
  get isProse(): boolean {
    return this.fence === undefined;
  }

  /** Takes a line, or its part that has arrived; `isEnd`: the line is complete. */
  read(text: string, isEnd: boolean): Reset {
    if (text === '\n' && this.lead === '') return undefined;
    const { isProse } = this;
    let reset: Reset;
    if (this.lead.length < LEAD) {
      this.lead += text.length > LEAD ? text.slice(0, LEAD) : text;
      if (isProse && !this.isStructure && STRUCTURE.test(this.lead)) {
        this.isStructure = true;
        reset = 'before';
      }
    }
    if (isEnd) {
      if (this.passFence() || (isProse && DIVIDER.test(this.lead))) reset = 'after';
      this.lead = '';
      this.isStructure = false;
    }
    return reset;
  }

  /** At the end of a line: whether it opened or closed a code block. */
  private passFence(): boolean {
    if (this.fence && !closesFence(this.lead, this.fence)) return false;
    const wasOpen = this.fence !== undefined;
    this.fence = wasOpen ? undefined : openingFence(this.lead);
    return wasOpen || this.fence !== undefined;
  }
}
