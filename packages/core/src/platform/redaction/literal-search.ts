/**
 * Searches many strings at once (algorithm of Wu and Manber): it reads two characters at the end of a window as long
 * as the shortest string and skips ahead, so most of a large text is never read.
 */
import type { Span } from './redact-spans.js';

const TABLE_SIZE = 0x10000;

export class LiteralSearch {
  private readonly window: number;
  private readonly longest: number;
  /** How far the window can move, by the two characters at its end. */
  private readonly shifts: Uint8Array;
  /** Strings by the two characters at the end of their first window; longest first. */
  private readonly byBlock = new Map<number, string[]>();
  private readonly byFirst = new Map<number, string[]>();

  /** @param literals not empty, each with at least two characters */
  constructor(literals: readonly string[]) {
    const sorted = [...literals].sort((a, b) => b.length - a.length);
    this.longest = sorted[0]?.length ?? 0;
    this.window = Math.min(255, sorted.at(-1)?.length ?? 2);
    this.shifts = new Uint8Array(TABLE_SIZE).fill(this.window - 1);
    for (const literal of sorted) this.add(literal);
  }

  /** Sorted by start, the longest at each start; spans may overlap. */
  find(text: string, from = 0): Span[] {
    const { window, shifts } = this;
    const spans: Span[] = [];
    let last = from + window - 1;
    while (last < text.length) {
      const block = blockAt(text, last);
      const shift = shifts[block] ?? 1;
      if (shift > 0) {
        last += shift;
        continue;
      }
      const start = last - window + 1;
      const literal = this.byBlock.get(block)?.find((candidate) => text.startsWith(candidate, start));
      if (literal !== undefined) spans.push({ start, end: start + literal.length });
      last++;
    }
    return spans;
  }

  /** Start of the first string that may be incomplete at the end of the text; the text's length if there is none. */
  findOpen(text: string, from: number): number {
    for (let start = Math.max(from, text.length - this.longest + 1); start < text.length; start++) {
      const candidates = this.byFirst.get(text.charCodeAt(start));
      if (candidates && isBeginning(text, start, candidates)) return start;
    }
    return text.length;
  }

  private add(literal: string): void {
    for (let last = 1; last < this.window; last++) {
      const block = blockAt(literal, last);
      const shift = this.window - 1 - last;
      if (shift < (this.shifts[block] ?? 0)) this.shifts[block] = shift;
      if (shift === 0) append(this.byBlock, block, literal);
    }
    append(this.byFirst, literal.charCodeAt(0), literal);
  }
}

function blockAt(text: string, last: number): number {
  return ((text.charCodeAt(last - 1) << 8) ^ text.charCodeAt(last)) & (TABLE_SIZE - 1);
}

function isBeginning(text: string, start: number, candidates: readonly string[]): boolean {
  const length = text.length - start;
  const second = text.charCodeAt(start + 1);
  return candidates.some(
    (candidate) =>
      candidate.length > length &&
      (length === 1 || candidate.charCodeAt(1) === second) &&
      candidate.startsWith(text.slice(start)),
  );
}

function append(lists: Map<number, string[]>, key: number, literal: string): void {
  const list = lists.get(key);
  if (list) list.push(literal);
  else lists.set(key, [literal]);
}
