/** Where each vim motion moves the cursor. */
import { previousBoundary, splitGraphemes } from './graphemes.js';
import type { Position } from './layout.js';
import { charLeft, charRight, lineAt, type TextBuffer } from './text-buffer.js';
import { bigSpansOf, type Span, spansOf } from './words.js';

export interface Find {
  kind: string;
  character: string;
}

export interface Target {
  to: Position;
  /** What an operator covers: up to the target, including it, or whole lines. */
  kind: 'exclusive' | 'inclusive' | 'lines';
}

/** @returns undefined: the motion has no target, nothing happens */
export function motionTarget(
  buffer: TextBuffer,
  motion: string,
  count: number | undefined,
  find: Find | undefined,
): Target | undefined {
  const times = count ?? 1;
  const { row, column } = buffer;
  switch (motion) {
    case 'h':
      return exclusive(
        repeat(times, { row, column }, (at) => (at.column > 0 ? charLeft(buffer, at) : undefined)),
      );
    case 'l':
      return exclusive(
        repeat(times, { row, column }, (at) =>
          at.column < lineAt(buffer, at.row).length ? charRight(buffer, at) : undefined,
        ),
      );
    case 'j':
    case 'k': {
      const to = row + (motion === 'j' ? times : -times);
      if (to < 0 || to >= buffer.lines.length) return undefined;
      return {
        to: { row: to, column: Math.min(buffer.goal ?? column, lineAt(buffer, to).length) },
        kind: 'lines',
      };
    }
    case '0':
      return exclusive({ row, column: 0 });
    case '^':
      return exclusive({ row, column: firstNonBlank(lineAt(buffer)) });
    case '$': {
      const to = Math.min(row + times - 1, buffer.lines.length - 1);
      return exclusive({ row: to, column: lineAt(buffer, to).length });
    }
    case 'gg':
    case 'G': {
      const last = buffer.lines.length - 1;
      const to = count === undefined ? (motion === 'G' ? last : 0) : Math.min(count - 1, last);
      return { to: { row: to, column: firstNonBlank(lineAt(buffer, to)) }, kind: 'lines' };
    }
    case 'w':
    case 'W':
      return exclusive(repeat(times, { row, column }, (at) => wordForward(buffer, at, motion === 'W')));
    case 'b':
    case 'B':
      return exclusive(repeat(times, { row, column }, (at) => wordBack(buffer, at, motion === 'B')));
    case 'e':
    case 'E': {
      const to = repeat(times, { row, column }, (at) => wordEnd(buffer, at, motion === 'E'));
      return { to, kind: 'inclusive' };
    }
    case ';':
      return find ? findTarget(buffer, find, times, true) : undefined;
    case ',':
      return find ? findTarget(buffer, { ...find, kind: turned(find.kind) }, times, true) : undefined;
    default:
      return find ? findTarget(buffer, find, times, false) : undefined;
  }
}

export function firstNonBlank(line: string): number {
  const found = line.search(/\S/);
  return found < 0 ? Math.max(0, previousBoundary(line, line.length)) : found;
}

/** The start of the last character, the rightmost cursor position in NORMAL. */
export function lastColumn(line: string): number {
  return previousBoundary(line, line.length);
}

/** The word at or after the cursor, as `cw` covers it. */
export function changeWordEnd(buffer: TextBuffer, times: number, isBig: boolean): Position {
  const line = lineAt(buffer);
  const under = spans(line, isBig).find(({ start, end }) => start <= buffer.column && buffer.column < end);
  const first = under ? { row: buffer.row, column: previousBoundary(line, under.end) } : buffer;
  return repeat(times - 1, first, (at) => wordEnd(buffer, at, isBig));
}

function findTarget(buffer: TextBuffer, find: Find, times: number, again: boolean): Target | undefined {
  const line = lineAt(buffer);
  const isForward = find.kind === 'f' || find.kind === 't';
  const isTill = find.kind === 't' || find.kind === 'T';
  const starts = occurrences(line, find.character);
  // A repeated `t` skips the character beside the cursor, else it would not move.
  const from = again && isTill ? beside(line, buffer.column, isForward) : buffer.column;
  const candidates = isForward
    ? starts.filter((at) => at > from)
    : starts.filter((at) => at < from).reverse();
  const at = candidates[times - 1];
  if (at === undefined) return undefined;
  const { row } = buffer;
  if (isForward) return { to: { row, column: isTill ? previousBoundary(line, at) : at }, kind: 'inclusive' };
  return exclusive({ row, column: isTill ? at + find.character.length : at });
}

function beside(line: string, column: number, isForward: boolean): number {
  if (!isForward) return previousBoundary(line, column);
  return column + (splitGraphemes(line.slice(column, column + 32))[0]?.length ?? 0);
}

function occurrences(line: string, character: string): number[] {
  const starts: number[] = [];
  let at = 0;
  for (const one of splitGraphemes(line)) {
    if (one === character) starts.push(at);
    at += one.length;
  }
  return starts;
}

function turned(kind: string): string {
  return kind === kind.toLowerCase() ? kind.toUpperCase() : kind.toLowerCase();
}

function exclusive(to: Position): Target {
  return { to, kind: 'exclusive' };
}

function repeat(times: number, from: Position, step: (at: Position) => Position | undefined): Position {
  let at = from;
  for (let done = 0; done < times; done++) {
    const next = step(at);
    if (!next || (next.row === at.row && next.column === at.column)) break;
    at = next;
  }
  return { row: at.row, column: at.column };
}

function spans(line: string, isBig: boolean): Span[] {
  return (isBig ? bigSpansOf(line) : spansOf(line)).filter(({ kind }) => kind !== 'blank');
}

/** In vim an empty line is a word. */
function wordForward(buffer: TextBuffer, from: Position, isBig: boolean): Position {
  const here = spans(lineAt(buffer, from.row), isBig).find(({ start }) => start > from.column);
  if (here) return { row: from.row, column: here.start };
  for (let row = from.row + 1; row < buffer.lines.length; row++) {
    const line = lineAt(buffer, row);
    const first = spans(line, isBig)[0];
    if (first || line === '') return { row, column: first?.start ?? 0 };
  }
  const row = buffer.lines.length - 1;
  return { row, column: lineAt(buffer, row).length };
}

function wordBack(buffer: TextBuffer, from: Position, isBig: boolean): Position {
  const here = spans(lineAt(buffer, from.row), isBig).findLast(({ start }) => start < from.column);
  if (here) return { row: from.row, column: here.start };
  for (let row = from.row - 1; row >= 0; row--) {
    const line = lineAt(buffer, row);
    const last = spans(line, isBig).at(-1);
    if (last || line === '') return { row, column: last?.start ?? 0 };
  }
  return { row: 0, column: 0 };
}

function wordEnd(buffer: TextBuffer, from: Position, isBig: boolean): Position {
  for (let row = from.row; row < buffer.lines.length; row++) {
    const line = lineAt(buffer, row);
    for (const { end } of spans(line, isBig)) {
      const column = previousBoundary(line, end);
      if (row > from.row || column > from.column) return { row, column };
    }
  }
  const row = buffer.lines.length - 1;
  return { row, column: lastColumn(lineAt(buffer, row)) };
}
