/** Cuts lines to a number of rows and counts the hidden ones in a note. */
import type { Look } from '../look.js';
import { truncateAnsi } from '../text/wrap.js';
import { stylesOf } from '../themes/styles.js';

export const HIDDEN_HINT = '(ctrl+o to show)';

/** Keeps the last rows, for items that grow at their end. */
export function keepLast(lines: readonly string[], rows: number, look: Look): string[] {
  if (lines.length <= rows) return [...lines];
  if (rows <= 0) return [];
  const kept = Math.max(0, rows - 1);
  const note = hiddenNote(lines.length - kept, 'above', look);
  return kept === 0 ? [note] : [note, ...lines.slice(-kept)];
}

export function keepFirst(lines: readonly string[], rows: number, look: Look): string[] {
  if (lines.length <= rows) return [...lines];
  if (rows <= 0) return [];
  const kept = Math.max(0, rows - 1);
  return [...lines.slice(0, kept), hiddenNote(lines.length - kept, 'more', look)];
}

export function hiddenNote(count: number, where: 'above' | 'more', look: Look): string {
  return look.paint(truncateAnsi(hiddenText(count, where), look.width), stylesOf(look.theme).secondary);
}

export function hiddenText(count: number, where: 'above' | 'more'): string {
  const lines = count === 1 ? 'line' : 'lines';
  return where === 'above'
    ? `… ${count} ${lines} above hidden ${HIDDEN_HINT}`
    : `… ${count} more ${lines} hidden ${HIDDEN_HINT}`;
}
