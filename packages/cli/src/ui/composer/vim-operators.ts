/** Vim operators on a range of text: delete, change, yank, put. */
import { unfold } from './folded.js';
import { nextBoundary, splitGraphemes } from './graphemes.js';
import type { Position } from './layout.js';
import { lineAt, moveTo, replaceRange, type TextBuffer, textBetween } from './text-buffer.js';
import type { Target } from './vim-motions.js';
import { firstNonBlank, lastColumn } from './vim-motions.js';

export interface Register {
  text: string;
  isLines: boolean;
}

export interface Stretch {
  start: Position;
  end: Position;
  isLines: boolean;
}

export function stretchTo(buffer: TextBuffer, target: Target, motion: string): Stretch {
  const from = { row: buffer.row, column: buffer.column };
  const isBack = isBefore(target.to, from);
  const [start, end] = isBack ? [target.to, from] : [from, target.to];
  if (target.kind === 'lines') return { start, end, isLines: true };
  if (target.kind === 'inclusive') {
    return {
      start,
      end: { row: end.row, column: nextBoundary(lineAt(buffer, end.row), end.column) },
      isLines: false,
    };
  }
  // `dw` on the last word of a line keeps the line end.
  if ((motion === 'w' || motion === 'W') && end.row > start.row) {
    const row =
      end.column <= firstNonBlank(lineAt(buffer, end.row)) ? Math.max(start.row, end.row - 1) : end.row;
    return {
      start,
      end: row === end.row ? end : { row, column: lineAt(buffer, row).length },
      isLines: false,
    };
  }
  return { start, end, isLines: false };
}

export function copied(buffer: TextBuffer, stretch: Stretch): Register {
  const { start, end, isLines } = stretch;
  const text = isLines
    ? buffer.lines.slice(start.row, end.row + 1).join('\n')
    : textBetween(buffer, start, end);
  return { text: unfold(text, buffer.folded), isLines };
}

export function erased(buffer: TextBuffer, { start, end, isLines }: Stretch): TextBuffer {
  if (!isLines) return inNormal(replaceRange(buffer, start, end, ''));
  const all = buffer.lines.length;
  const [first, last] = [start.row, end.row];
  let changed: TextBuffer;
  if (last + 1 < all)
    changed = replaceRange(buffer, { row: first, column: 0 }, { row: last + 1, column: 0 }, '');
  else if (first > 0) {
    const before = { row: first - 1, column: lineAt(buffer, first - 1).length };
    changed = replaceRange(buffer, before, { row: last, column: lineAt(buffer, last).length }, '');
  } else
    changed = replaceRange(
      buffer,
      { row: 0, column: 0 },
      { row: last, column: lineAt(buffer, last).length },
      '',
    );
  const row = Math.min(first, changed.lines.length - 1);
  return moveTo(changed, { row, column: firstNonBlank(lineAt(changed, row)) });
}

/** Changing whole lines keeps one empty line to write in. */
export function emptied(buffer: TextBuffer, { start, end, isLines }: Stretch): TextBuffer {
  if (!isLines) return replaceRange(buffer, start, end, '');
  const tail = { row: end.row, column: lineAt(buffer, end.row).length };
  return replaceRange(buffer, { row: start.row, column: 0 }, tail, '');
}

export function put(
  buffer: TextBuffer,
  register: Register,
  times: number,
  side: 'before' | 'after',
): TextBuffer {
  if (register.text === '' && !register.isLines) return buffer;
  if (register.isLines) {
    const text = Array.from({ length: times }, () => register.text).join('\n');
    if (side === 'after') {
      const end = { row: buffer.row, column: lineAt(buffer).length };
      const changed = replaceRange(buffer, end, end, `\n${text}`);
      return moveTo(changed, { row: buffer.row + 1, column: firstNonBlank(lineAt(changed, buffer.row + 1)) });
    }
    const start = { row: buffer.row, column: 0 };
    const changed = replaceRange(buffer, start, start, `${text}\n`);
    return moveTo(changed, { row: buffer.row, column: firstNonBlank(lineAt(changed, buffer.row)) });
  }
  const text = register.text.repeat(times);
  const line = lineAt(buffer);
  const at = {
    row: buffer.row,
    column: side === 'after' ? nextBoundary(line, buffer.column) : buffer.column,
  };
  const changed = replaceRange(buffer, at, at, text);
  if (text.includes('\n')) return moveTo(changed, at);
  return inNormal(
    moveTo(changed, { row: changed.row, column: Math.max(0, changed.column - 1) }, 'start'),
    true,
  );
}

/** `r` replaces exactly `count` characters, or nothing. */
export function replacedCharacters(buffer: TextBuffer, times: number, by: string): TextBuffer {
  const line = lineAt(buffer);
  const rest = splitGraphemes(line.slice(buffer.column));
  if (rest.length < times) return buffer;
  const end = buffer.column + rest.slice(0, times).join('').length;
  const changed = replaceRange(buffer, buffer, { row: buffer.row, column: end }, by.repeat(times));
  return moveTo(changed, { row: buffer.row, column: buffer.column + by.length * (times - 1) });
}

export function mapped(
  buffer: TextBuffer,
  { start, end }: Stretch,
  change: (text: string) => string,
): TextBuffer {
  return replaceRange(buffer, start, end, change(textBetween(buffer, start, end)));
}

export function caseTurned(text: string): string {
  return splitGraphemes(text)
    .map((one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase()))
    .join('');
}

/** In NORMAL the cursor is on a character, not after the last one. */
export function inNormal(buffer: TextBuffer, keepsGoal = false): TextBuffer {
  const last = lastColumn(lineAt(buffer));
  if (buffer.column <= last) return keepsGoal ? moveTo(buffer, buffer, 'start') : buffer;
  return { ...moveTo(buffer, { row: buffer.row, column: last }, 'start'), goal: buffer.goal };
}

export function isBefore(one: Position, other: Position): boolean {
  return one.row < other.row || (one.row === other.row && one.column < other.column);
}
