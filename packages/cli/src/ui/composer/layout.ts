/** Soft-wraps lines to screen rows. Changing one line wraps only that line again. */
import { graphemesOf, graphemeWidth, isPlain, nextBoundary, widthOf } from './graphemes.js';

export interface Position {
  /** Logical line. */
  row: number;
  /** UTF-16 offset, always on a grapheme boundary. */
  column: number;
}

export interface Cell {
  /** Screen row, counted from the first row of the text. */
  row: number;
  column: number;
}

export interface Layout {
  lines: readonly string[];
  columns: number;
  /** Per line: where each of its rows starts. */
  wraps: readonly (readonly number[])[];
  /** Per line: the screen row of its first row. */
  firstRow: readonly number[];
  rowCount: number;
}

/** The buffer on screen is laid out often and changes little. */
const recent: Layout[] = [];
const KEPT = 2;

export function layoutOf(lines: readonly string[], columns: number): Layout {
  const width = Math.max(1, Math.floor(columns));
  const known = recent.find((layout) => layout.lines === lines && layout.columns === width);
  if (known) return known;
  const near = recent.find((layout) => layout.columns === width);
  const layout = build(lines, width, near ? rewrap(near, lines) : lines.map((line) => wrapLine(line, width)));
  recent.unshift(layout);
  recent.length = Math.min(recent.length, KEPT);
  return layout;
}

export function cellOf(layout: Layout, { row, column }: Position): Cell {
  const starts = layout.wraps[row] ?? [0];
  let index = starts.length - 1;
  while (index > 0 && (starts[index] ?? 0) > column) index--;
  const line = layout.lines[row] ?? '';
  return {
    row: (layout.firstRow[row] ?? 0) + index,
    column: widthOf(line.slice(starts[index] ?? 0, column)),
  };
}

/** The position nearest to a cell, within its row. */
export function positionAt(layout: Layout, cell: Cell): Position {
  const wanted = Math.max(0, Math.min(cell.row, layout.rowCount - 1));
  const { row, start, end, isLast } = rowAt(layout, wanted);
  const line = layout.lines[row] ?? '';
  let column = start;
  let width = 0;
  while (column < end) {
    const next = nextBoundary(line, column);
    width += graphemeWidth(line.slice(column, next));
    // The end of a wrapped row is the start of the next one.
    if (width > cell.column || (next >= end && !isLast)) break;
    column = next;
  }
  return { row, column };
}

export interface Row {
  row: number;
  start: number;
  end: number;
  /** Columns within its line. */
  isLast: boolean;
}

export function rowAt(layout: Layout, screenRow: number): Row {
  let low = 0;
  let high = layout.firstRow.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((layout.firstRow[middle] ?? 0) <= screenRow) low = middle;
    else high = middle - 1;
  }
  const starts = layout.wraps[low] ?? [0];
  const index = Math.min(screenRow - (layout.firstRow[low] ?? 0), starts.length - 1);
  const next = starts[index + 1];
  return {
    row: low,
    start: starts[index] ?? 0,
    end: next ?? (layout.lines[low] ?? '').length,
    isLast: next === undefined,
  };
}

/** Where each row starts. Rows break after blanks and beside wide characters; one blank may hang over the edge. */
export function wrapLine(line: string, width: number): number[] {
  return isPlain(line) && line.length <= width ? [0] : [0, ...rowStarts(line, width, 0)];
}

/** The rows after the one that starts at `from`; the text before it has no influence. */
function rowStarts(line: string, width: number, from: number): Iterable<number> {
  return isPlain(line) ? plainStarts(line, width, from) : anyStarts(line, width, from);
}

function* plainStarts(line: string, width: number, from: number): Generator<number> {
  let start = from;
  while (line.length - start > width) {
    const edge = start + width;
    let next = edge;
    if (line.charCodeAt(edge) === 32) next = edge + 1;
    else {
      const blank = line.lastIndexOf(' ', edge - 1);
      if (blank >= start) next = blank + 1;
    }
    yield next;
    start = next;
  }
}

function* anyStarts(line: string, width: number, from: number): Generator<number> {
  let used = 0;
  /** The last place where the row may break. */
  let breakAt = from;
  let sinceBreak = 0;
  let start = from;
  for (const { text, start: at, width: own } of graphemesOf(line, from)) {
    const isBlank = text === ' ' || text === '\t';
    const isWide = own >= 2 && !isBlank;
    if (isWide) {
      breakAt = at;
      sinceBreak = 0;
    }
    if (used + own > width && used > 0) {
      if (text === ' ') {
        start = at + 1;
        yield start;
        [used, sinceBreak, breakAt] = [0, 0, start];
        continue;
      }
      const canBreak = breakAt > start;
      start = canBreak ? breakAt : at;
      used = canBreak ? sinceBreak : 0;
      // The carried-over part may already fill the row.
      if (canBreak && used + own > width) {
        yield start;
        start = at;
        used = 0;
      }
      yield start;
      [breakAt, sinceBreak] = [start, used];
    }
    used += own;
    sinceBreak += own;
    if (isBlank || isWide) {
      breakAt = at + text.length;
      sinceBreak = 0;
    }
  }
}

/** No grapheme is longer than this. */
const MARGIN = 64;

/** Wraps a long line after a change at one place: the rows before and after it are reused. */
export function rewrapLine(
  old: string,
  starts: readonly number[],
  line: string,
  width: number,
): readonly number[] {
  if (line.length < 1_000) return wrapLine(line, width);
  const head = Math.max(0, commonStart(old, line) - MARGIN);
  const tail = Math.max(0, commonEnd(old, line, Math.min(old.length, line.length) - head) - MARGIN);
  // A row's end depends on the word after it, so the last row before the change is wrapped again.
  const kept = Math.max(0, indexBelow(starts, head) - 1);
  const found = starts.slice(0, kept + 1);
  const shift = line.length - old.length;
  for (const start of rowStarts(line, width, found.at(-1) ?? 0)) {
    found.push(start);
    if (start < line.length - tail) continue;
    const same = indexBelow(starts, start - shift + 1);
    if (starts[same] !== start - shift) continue;
    for (let index = same + 1; index < starts.length; index++) found.push((starts[index] ?? 0) + shift);
    break;
  }
  return found;
}

/** Index of the last smaller value; 0 when there is none. */
function indexBelow(starts: readonly number[], limit: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) < limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Bisects: comparing slices is much faster than comparing letters. */
function commonStart(one: string, other: string): number {
  let low = 0;
  let high = Math.min(one.length, other.length);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (one.slice(low, middle) === other.slice(low, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function commonEnd(one: string, other: string, most: number): number {
  let low = 0;
  let high = Math.max(0, most);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const isSame =
      one.slice(one.length - middle, one.length - low) ===
      other.slice(other.length - middle, other.length - low);
    if (isSame) low = middle;
    else high = middle - 1;
  }
  return low;
}

function build(lines: readonly string[], columns: number, wraps: readonly (readonly number[])[]): Layout {
  const firstRow: number[] = new Array(wraps.length);
  let rowCount = 0;
  for (let index = 0; index < wraps.length; index++) {
    firstRow[index] = rowCount;
    rowCount += wraps[index]?.length ?? 1;
  }
  return { lines, columns, wraps, firstRow, rowCount };
}

/** Reuses the lines that are equal at both ends. */
function rewrap(old: Layout, lines: readonly string[]): (readonly number[])[] {
  const shorter = Math.min(old.lines.length, lines.length);
  let head = 0;
  while (head < shorter && old.lines[head] === lines[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.lines.at(-1 - tail) === lines.at(-1 - tail)) tail++;
  const changed = lines.slice(head, lines.length - tail);
  const isOneForOne = old.lines.length === lines.length;
  return [
    ...old.wraps.slice(0, head),
    ...changed.map((line, index) => {
      const before = old.lines[head + index];
      const starts = old.wraps[head + index];
      const isNear = isOneForOne && before !== undefined && starts !== undefined;
      return isNear ? rewrapLine(before, starts, line, old.columns) : wrapLine(line, old.columns);
    }),
    ...old.wraps.slice(old.wraps.length - tail),
  ];
}
