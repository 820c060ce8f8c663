/** One growing Markdown text. Finished blocks are drawn once; only the open block at the end is drawn again. */
import type { Look } from '../look.js';
import { beginsWith } from '../text/begins-with.js';
import { cleanText } from '../text/clean.js';
import { stripStyles } from '../text/width.js';
import { BlockCache, type Drawn } from './block-cache.js';
import { type Block, BlockScanner } from './blocks.js';
import { grammarVersion } from './highlight.js';
import { OpenFence } from './open-fence.js';
import { blockLines, rawLines } from './tokens.js';

/** A block that may still change, as last drawn. */
interface Live {
  start: number;
  lines: string[];
  /** The source of `drawn`; absent for code whose fence is still open. */
  made?: { source: string; number: number | undefined; drawn: Drawn };
}

/** A longer open block is not lexed again for every few characters. */
const LONG_BLOCK = 2_000;

export class MarkdownDocument {
  /** Characters given to the lexer so far, the cost of streaming; tests check it. */
  lexedCharacters = 0;
  #text = '';
  #scanner = new BlockScanner();
  /** Lines of the first `#settledBlocks` blocks, which are final. */
  #settled: string[] = [];
  #settledBlocks = 0;
  #number: number | undefined;
  #live: Live[] = [];
  #openFence: OpenFence | undefined;
  #version = grammarVersion();
  #lines: readonly string[] | undefined;

  constructor(
    readonly look: Look,
    readonly cache = new BlockCache(),
  ) {}

  /** Whether the text continues what was drawn, so that the work can be reused. */
  continues(text: string): boolean {
    return beginsWith(text, this.#text);
  }

  draw(text: string): readonly string[] {
    if (this.#version !== grammarVersion() || !this.continues(text)) this.#forget();
    if (this.#lines && text === this.#text) return this.#lines;
    this.#text = text;
    this.#scanner.read(text);
    this.#settle();
    this.#lines = this.#settled.concat(this.#drawLive());
    return this.#lines;
  }

  /** Blocks that a later complete line has finished. */
  #settle(): void {
    const { blocks } = this.#scanner;
    for (; this.#settledBlocks < blocks.length - 1; this.#settledBlocks++) {
      const block = blocks[this.#settledBlocks];
      if (!block) break;
      const drawn = this.#drawFinal(block, startOf(block, this.#number));
      this.#number = drawn.lastNumber;
      appendBlock(this.#settled, block, drawn.lines, this.#text);
    }
  }

  #drawLive(): string[] {
    const { blocks, isInFence } = this.#scanner.blocksAt(this.#text, this.#settledBlocks);
    const lines: string[] = [];
    const live: Live[] = [];
    let number = this.#number;
    for (const [index, block] of blocks.entries()) {
      const isOpenFence = isInFence && block.kind === 'fence' && index === blocks.length - 1;
      const shown = isOpenFence ? this.#drawFence(block) : this.#drawOpen(block, startOf(block, number));
      number = shown.made?.drawn.lastNumber;
      live.push(shown);
      appendBlock(lines, block, shown.lines, this.#text, lines.length > 0 || this.#settled.length > 0);
    }
    this.#live = live;
    return lines;
  }

  #drawFence({ start }: Block): Live {
    if (this.#openFence?.start !== start) this.#openFence = new OpenFence(start, this.look);
    return { start, lines: this.#openFence.draw(this.#text) };
  }

  #drawOpen(block: Block, number: number | undefined): Live {
    const { start } = block;
    const source = this.#sourceOf(block);
    const before = this.#live.find((live) => live.start === start);
    const made = before?.made?.number === number ? before?.made : undefined;
    if (before && made?.source === source) return before;
    const grown = made ? source.length - made.source.length : 0;
    if (made && made.source.length >= LONG_BLOCK && grown > 0 && grown < made.source.length / 8) {
      // The new part is shown unformatted until it is worth lexing the whole block again.
      const rest = cleanText(source.slice(made.source.length));
      return { start, made, lines: withRest(made.drawn.lines, rest, this.look) };
    }
    const drawn = this.#draw(source, number);
    return { start, lines: drawn.lines, made: { source, number, drawn } };
  }

  #drawFinal(block: Block, number: number | undefined): Drawn {
    const source = this.#sourceOf(block);
    const live = this.#live.find(({ start }) => start === block.start)?.made;
    const isSame = live !== undefined && live.source === source && live.number === number;
    const drawn = isSame ? live.drawn : this.#draw(source, number);
    this.cache.set(source, number, drawn);
    return drawn;
  }

  #draw(source: string, number: number | undefined): Drawn {
    const known = this.cache.get(source, number);
    if (known) return known;
    this.lexedCharacters += source.length;
    return blockLines(cleanText(source), this.look, number);
  }

  /** Splitting an answer drops the last line break, which must not change the drawing. */
  #sourceOf({ start, end }: Block): string {
    return this.#text.slice(start, end).trimEnd();
  }

  #forget(): void {
    if (this.#version !== grammarVersion()) this.cache.clear();
    this.#version = grammarVersion();
    this.#scanner = new BlockScanner();
    this.#settled = [];
    this.#settledBlocks = 0;
    this.#number = undefined;
    this.#live = [];
    this.#openFence = undefined;
    this.#lines = undefined;
  }
}

/** The number that another list item continues from. */
function startOf(block: Block, number: number | undefined): number | undefined {
  return block.continuesList && number !== undefined ? number + 1 : undefined;
}

function appendBlock(
  lines: string[],
  block: Block,
  drawn: readonly string[],
  text: string,
  isAfterOthers = lines.length > 0,
): void {
  if (drawn.length === 0) return;
  if (isAfterOthers && needsGap(block, text)) lines.push('');
  for (const line of drawn) lines.push(line);
}

/** Unformatted text after the last line, or below it. */
function withRest(lines: readonly string[], rest: string, look: Look): string[] {
  const last = rest.startsWith('\n') ? undefined : lines.at(-1);
  if (last === undefined) return [...lines, ...rawLines(rest.replace(/^\n/, ''), look)];
  return [...lines.slice(0, -1), ...rawLines(stripStyles(last) + rest, look)];
}

/** List items have no gap; a heading has one before it. */
function needsGap(block: Block, text: string): boolean {
  if (block.continuesList) return false;
  return (
    block.isAfterBlank || (block.kind === 'text' && /^ {0,3}#/.test(text.slice(block.start, block.start + 4)))
  );
}
