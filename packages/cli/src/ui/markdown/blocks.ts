/**
 * Splits Markdown into blocks that are drawn one by one. As the text grows, every line is read once:
 * finished blocks never change, only the last one is open.
 */
import { closesFence, type Fence, openingFence } from '@gemini-cli/core';

export interface Block {
  start: number;
  end: number;
  kind: 'text' | 'list' | 'fence';
  /** A blank line precedes it. */
  isAfterBlank: boolean;
  /** Another item of the list of the block before. */
  continuesList: boolean;
}

const LIST_ITEM = /^( {0,3})(?:[-*+]|\d{1,9}[.)])(?: |\t|$)/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const RULE = /^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/;

export class BlockScanner {
  /** Finished ones first; the last may still grow. */
  readonly blocks: Block[] = [];
  /** Where reading continues: the start of the first incomplete line. */
  #position = 0;
  #fence: Fence | undefined;
  #isBlank = false;
  #isSealed = false;
  #itemIndent = 0;
  #itemMark = '';
  #safePoint = 0;

  /** Reads more. `text` starts with everything read before. */
  read(text: string): void {
    for (;;) {
      const end = text.indexOf('\n', this.#position);
      if (end < 0) break;
      this.#line(text.slice(this.#position, end), this.#position, end + 1);
      this.#position = end + 1;
    }
  }

  /** Blocks from `first` on, as if the text ended here; the scanner stays before the incomplete line. */
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

  /** The last blank line outside of fences and lists: nothing before it can change any more. */
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
    // Code may start right after an item's marker.
    this.#fence = openingFence(line.replace(/^\s*(?:[-*+]|\d{1,9}[.)])\s/, ''));
  }

  #open(kind: Block['kind'], start: number, end: number, continuesList: boolean): void {
    if (this.#isBlank && !continuesList) this.#safePoint = start;
    this.blocks.push({ start, end, kind, isAfterBlank: this.#isBlank, continuesList });
    this.#isBlank = false;
    this.#isSealed = false;
  }
}

/** Text right below a list item belongs to it, unless it clearly starts another block. */
function isLazy(line: string): boolean {
  return (
    !outerFence(line) &&
    !HEADING.test(line) &&
    !RULE.test(line) &&
    !line.startsWith('>') &&
    !line.startsWith('|')
  );
}

/** Inside a paragraph, only `1.` and bullets start a list. */
function canInterrupt(marker: string): boolean {
  return /^ {0,3}(?:[-*+]|1[.)])[ \t]/.test(marker);
}

/** A different marker starts another list. */
function markOf(line: string): string {
  return /^\s*(?:\d+)?(.)/.exec(line)?.[1] ?? '';
}

/** Outside of lists, more than three spaces make a line code. */
function outerFence(line: string): Fence | undefined {
  return /^ {0,3}\S/.test(line) ? openingFence(line) : undefined;
}
