/** Lines that may be more than there is room for: a place in them, and a last line that says what is missing. */

import { keyName } from '../components/key-name.js';
import { isCommand } from '../keys/bindings.js';
import type { Key } from '../keys/key.js';
import type { Look } from '../look.js';

/** The first line shown, for a text of `total` lines in `rows`. */
function clampTop(top: number, total: number, rows: number): number {
  return Math.max(0, Math.min(top, total - textRows(total, rows)));
}

/** Undefined: the key does not scroll. */
export function scrollKey(key: Key, top: number, total: number, rows: number): number | undefined {
  const page = Math.max(1, textRows(total, rows) - 1);
  const to = (line: number) => clampTop(line, total, rows);
  if (isCommand(key, 'scroll.pageDown')) return to(top + page);
  if (isCommand(key, 'scroll.pageUp')) return to(top - page);
  if (isCommand(key, 'scroll.down')) return to(top + 1);
  if (isCommand(key, 'scroll.up')) return to(top - 1);
  if (isCommand(key, 'scroll.home')) return 0;
  if (isCommand(key, 'scroll.end')) return to(total);
  return undefined;
}

export function scrollLines(look: Look, lines: readonly string[], top: number, rows: number): string[] {
  if (lines.length <= rows) return [...lines];
  if (rows < 2) return [position(look, 0, 0, lines.length)];
  const size = textRows(lines.length, rows);
  const start = clampTop(top, lines.length, rows);
  return [...lines.slice(start, start + size), position(look, start, start + size, lines.length)];
}

/** One row is for the position. */
function textRows(total: number, rows: number): number {
  return total <= rows ? total : Math.max(1, rows - 1);
}

function position({ paint, theme }: Look, start: number, end: number, total: number): string {
  const below = total - end;
  const text =
    below > 0
      ? `… ${below} more line${below === 1 ? '' : 's'}, ${keyName('scroll.pageDown')}`
      : `… end; ${start} line${start === 1 ? '' : 's'} above, ${keyName('scroll.pageUp')}`;
  return paint(text, { color: theme.status.warning });
}
