/** Breaks code where it does not fit: after a space or a sign if there is one, else anywhere. Nothing but one space at a break is lost. */
import type { Span } from './spans.js';
import { graphemes, takeWidth, textWidth } from './width.js';

/** A break further left would waste the row. */
const LEAST_FILLED = 0.5;

export function breakAtWords(spans: readonly Span[], width: number): Span[][] {
  const limit = Math.max(1, width);
  const text = spans.map((part) => part.text).join('');
  if (text.length <= limit && textWidth(text) <= limit) return [[...spans]];
  return slices(spans, rowsOf(text, limit));
}

interface Row {
  start: number;
  end: number;
}

function rowsOf(text: string, limit: number): Row[] {
  const rows: Row[] = [];
  for (let start = 0; start < text.length; ) {
    // Only about one row is looked at, not the rest of a long line.
    const ahead = text.slice(start, start + 2 * limit + 64);
    const { head } = takeWidth(ahead, limit);
    if (head.length === ahead.length || start + head.length >= text.length) {
      rows.push({ start, end: start + head.length });
      start += head.length;
      continue;
    }
    const length = head === '' ? firstCharacter(ahead) : breakIn(ahead, head.length);
    rows.push({ start, end: start + length });
    start += length;
    // A space where the row ends is the break itself.
    if (text[start] === ' ' && text[start + 1] !== ' ') start++;
  }
  return rows.length > 0 ? rows : [{ start: 0, end: 0 }];
}

/** A character wider than the row must still advance. */
function firstCharacter(text: string): number {
  const [first = text] = graphemes(text.slice(0, 64));
  return first.length;
}

/** Where to end a row that could hold `length` units. */
function breakIn(text: string, length: number): number {
  if (text[length] === ' ') return length;
  const indent = text.length - text.trimStart().length;
  const least = Math.max(indent + 1, Math.ceil(length * LEAST_FILLED));
  const space = text.lastIndexOf(' ', length - 1) + 1;
  if (space > least) return space;
  for (let at = length; at > least; at--) {
    if (SIGNS.has(text[at - 1] ?? '') && text[at] !== text[at - 1]) return at;
  }
  return length;
}

const SIGNS = new Set(',;:()[]{}<>|&=+-*/.?!');

function slices(spans: readonly Span[], rows: readonly Row[]): Span[][] {
  let [index, offset] = [0, 0];
  return rows.map(({ start, end }) => {
    const row: Span[] = [];
    while (index < spans.length) {
      const part = spans[index];
      if (!part) break;
      const from = Math.max(start - offset, 0);
      const to = Math.min(end - offset, part.text.length);
      if (to > from) row.push({ text: part.text.slice(from, to), style: part.style });
      // The rest of this span belongs to the next row.
      if (offset + part.text.length > end) break;
      offset += part.text.length;
      index++;
    }
    return row;
  });
}
