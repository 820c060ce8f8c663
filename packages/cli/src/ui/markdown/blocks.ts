/**
 * Cuts Markdown into blocks that can be drawn one by one, reading every line once, also when the text grows:
 * what has been cut stays as it is, only the last block is still open.
 */
import { closesFence, type Fence, openingFence } from '@gemini-cli/core';

export interface Block {
  start: number;
  end: number;
  kind: 'text' | 'list' | 'fence';
  /** A blank line stands before it. */
  isAfterBlank: boolean;
  /** A further item of the list that the block before belongs to. */
  continuesList: boolean;
}

const LIST_ITEM = /^( {0,3})(?:[-*+]|\d{1,9}[.)])(?: |\t|$)/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const RULE = /^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/;

export class BlockScanner {
  /** Finished ones first; the last may still grow. */
  readonly blocks: Block[] = [];
  /** Where reading goes on: the start of the first line without an end. */
  #position = 0;
  #fence: Fence | undefined;
  #isBlank = false;
  #isSealed = false;
  #itemIndent = 0;
  #itemMark = '';
  #safePoint = 0;

  /** Reads on. `text` begins with all that was read before. */
  read(text: string): void {
    for (;;) {
      const end = text.indexOf('\n', this.#position);
      if (end < 0) break;
      this.#line(text.slice(this.#position, end), this.#position, end + 1);
      this.#position = end + 1;
    }
  }

  /** The blocks from `first` on, as if the text ended here; the scanner itself stays before the unfinished line. */
  blocksAt(text: string, first = 0): { blocks: Block[]; isInFence: boolean } {
    if (this.#position >= text.length)
      return { blocks: this.blocks.slice(first), isInFence: this.#fence !== undefined };
    const ahead = new BlockScanner();
    const last = this.blocks.at(-1);
    if (last) ahead.blocks.push({ ...last });
    ahead.#fence = this.#fence;
    ahead.#isBlank = this.#isBlank;
    ahead.#isSealed = this.#isSealed;
    ahead.#itemIndent = this.#itemIndent;
    ahead.#itemMark = this.#itemMark;
    ahead.#line(text.slice(this.#position), this.#position, text.length);
    return {
      blocks: [...this.blocks.slice(first, -1), ...ahead.blocks],
      isInFence: ahead.#fence !== undefined,
    };
  }

  /** The last place where what stands before can never change its look: a blank line outside of fences and lists. */
  get safePoint(): number {
    return this.#safePoint;
  }

  #line(line: string, start: number, end: number): void {
    const current = this.blocks.at(-1);
    if (this.#fence && current) {
      current.end = end;
      if (closesFence(line, this.#fence)) {
        this.#fence = undefined;
        this.#isSealed = current.kind === 'fence';
      }
      return;
    }
    if (line.trim() === '') {
      this.#isBlank = true;
      return;
    }
    const item = LIST_ITEM.exec(line);
    const isRule = item !== null && RULE.test(line);
    const isInList = current?.kind === 'list' && !this.#isSealed;
    const indent = line.length - line.trimStart().length;
    if (isInList && (!item || isRule) && (indent >= 2 || (!this.#isBlank && isLazy(line)))) {
      this.#grow(current, line, end);
      return;
    }
    if (isInList && item && !isRule) {
      if (indent > this.#itemIndent + 1) this.#grow(current, line, end);
      else this.#openItem(line, start, end, markOf(line) === this.#itemMark);
      return;
    }
    if (item && !isRule && (this.#isBlank || !current || this.#isSealed || canInterrupt(item[0]))) {
      this.#itemIndent = indent;
      this.#openItem(line, start, end, false);
      return;
    }
    const fence = outerFence(line);
    if (fence) {
      this.#open('fence', start, end, false);
      this.#fence = fence;
      return;
    }
    if (HEADING.test(line)) {
      this.#open('text', start, end, false);
      this.#isSealed = true;
      return;
    }
    if (!current || this.#isBlank || this.#isSealed || current.kind !== 'text')
      this.#open('text', start, end, false);
    else current.end = end;
  }

  #grow(block: Block, line: string, end: number): void {
    block.end = end;
    this.#isBlank = false;
    this.#fence = openingFence(line);
  }

  #openItem(line: string, start: number, end: number, continuesList: boolean): void {
    this.#open('list', start, end, continuesList);
    this.#itemMark = markOf(line);
    // Code may begin right after the mark of an item.
    this.#fence = openingFence(line.replace(/^\s*(?:[-*+]|\d{1,9}[.)])\s/, ''));
  }

  #open(kind: Block['kind'], start: number, end: number, continuesList: boolean): void {
    if (this.#isBlank && !continuesList) this.#safePoint = start;
    this.blocks.push({ start, end, kind, isAfterBlank: this.#isBlank, continuesList });
    this.#isBlank = false;
    this.#isSealed = false;
  }
}

/** Text right below a list item belongs to it, unless it plainly starts something else. */
function isLazy(line: string): boolean {
  return (
    !outerFence(line) &&
    !HEADING.test(line) &&
    !RULE.test(line) &&
    !line.startsWith('>') &&
    !line.startsWith('|')
  );
}

/** In the middle of a paragraph only `1.` and bullets begin a list. */
function canInterrupt(marker: string): boolean {
  return /^ {0,3}(?:[-*+]|1[.)])[ \t]/.test(marker);
}

/** Another kind of mark begins another list. */
function markOf(line: string): string {
  return /^\s*(?:\d+)?(.)/.exec(line)?.[1] ?? '';
}

/** Outside of lists, more than three spaces make a line code already. */
function outerFence(line: string): Fence | undefined {
  return /^ {0,3}\S/.test(line) ? openingFence(line) : undefined;
}
