/** Draws tables fitted to the width; where columns would be too narrow, each row becomes a list of its cells. */
import type { Tokens } from 'marked';
import type { Look } from '../look.js';
import { fitSpans, paintSpans, type Span, span, spansWidth, wrapSpans } from '../text/spans.js';
import { textWidth } from '../text/width.js';
import { type Styles, stylesOf } from '../themes/styles.js';
import { inlineSpans } from './inline.js';

type Alignment = 'left' | 'right' | 'center' | null;

export function tableLines(table: Tokens.Table, look: Look): string[] {
  const styles = stylesOf(look.theme);
  const header = table.header.map((cell) => inlineSpans(cell.tokens, styles.bold, styles));
  const rows = table.rows.map((row) => row.map((cell) => inlineSpans(cell.tokens, styles.response, styles)));
  const widths = look.screenReader ? undefined : columnWidths([header, ...rows], look.width);
  if (!widths) return stackedLines(header, rows, look, styles);
  return boxLines(header, rows, widths, table.align, look, styles);
}

/** Undefined when the width is too small for a table. */
function columnWidths(rows: readonly Span[][][], width: number): number[] | undefined {
  const columns = rows[0]?.length ?? 0;
  const room = width - columns * 3 - 1;
  const wanted: number[] = [];
  const least: number[] = [];
  for (let column = 0; column < columns; column++) {
    let [want, need] = [1, 1];
    for (const row of rows) {
      const cell = row[column] ?? [];
      want = Math.max(want, ...widestLines(cell));
      need = Math.max(need, longestWord(cell));
    }
    wanted.push(want);
    least.push(Math.min(want, need, Math.max(LONGEST_KEPT, Math.floor(room / 2))));
  }
  if (sum(wanted) <= room) return wanted;
  if (sum(least) <= room) return share(least, wanted, room);
  return levelled(least, room);
}

/** Only the columns with the longest words are narrower than these, all alike. Undefined: ordinary words would break. */
function levelled(least: readonly number[], room: number): number[] | undefined {
  let left = room;
  const widths = [...least];
  const rising = least.map((value, column) => ({ value, column })).sort((a, b) => a.value - b.value);
  for (const [index, { value, column }] of rising.entries()) {
    const equal = Math.floor(left / (rising.length - index));
    const width = Math.min(value, equal);
    if (width < value && width < SHORTEST_BROKEN) return undefined;
    widths[column] = width;
    left -= width;
  }
  return widths;
}

/** Shorter words are never broken: a list is easier to read than such a table. */
const SHORTEST_BROKEN = 12;
/** Shorter words, and those that take less than half the room, are not broken while there is room. */
const LONGEST_KEPT = 24;

/** Gives the spare width to the columns that need it most in proportion. */
function share(least: readonly number[], wanted: readonly number[], room: number): number[] {
  const widths = [...least];
  let left = room - sum(widths);
  const lack = wanted.map((want, index) => Math.max(0, want - (least[index] ?? 0)));
  const total = sum(lack);
  if (left <= 0 || total === 0) return widths;
  for (const [index, value] of lack.entries()) {
    const extra = Math.min(value, Math.floor((left * value) / total));
    widths[index] = (widths[index] ?? 0) + extra;
  }
  left = room - sum(widths);
  for (let index = 0; left > 0 && index < widths.length; index++) {
    if ((widths[index] ?? 0) >= (wanted[index] ?? 0)) continue;
    widths[index] = (widths[index] ?? 0) + 1;
    left--;
  }
  return widths;
}

function boxLines(
  header: Span[][],
  rows: Span[][][],
  widths: number[],
  align: Alignment[],
  look: Look,
  styles: Styles,
): string[] {
  const rule = (left: string, middle: string, right: string) =>
    look.paint(left + widths.map((width) => '─'.repeat(width + 2)).join(middle) + right, styles.border);
  const bar = look.paint('│', styles.border);
  const cells = (row: Span[][]) => widths.map((width, column) => wrapSpans(row[column] ?? [], width));
  const draw = (wrapped: Span[][][]) => {
    const height = Math.max(1, ...wrapped.map((cell) => cell.length));
    return Array.from({ length: height }, (_, line) => {
      const parts = widths.map((width, column) => {
        const content = wrapped[column]?.[line] ?? [];
        return ` ${paintSpans(aligned(content, width, align[column] ?? null), look.paint)} `;
      });
      return bar + parts.join(bar) + bar;
    });
  };
  const bodies = rows.map(cells);
  // Rows of several lines need a line between them.
  const isTall = bodies.some((row) => row.some((cell) => cell.length > 1));
  const lines = [rule('╭', '┬', '╮'), ...draw(cells(header)), rule('├', '┼', '┤')];
  for (const [index, body] of bodies.entries()) {
    if (isTall && index > 0) lines.push(rule('├', '┼', '┤'));
    lines.push(...draw(body));
  }
  return [...lines, rule('╰', '┴', '╯')];
}

function aligned(spans: Span[], width: number, alignment: Alignment): Span[] {
  const fitted = fitSpans(spans, width);
  const gap = Math.max(0, width - spansWidth(fitted));
  const before = alignment === 'right' ? gap : alignment === 'center' ? Math.floor(gap / 2) : 0;
  return [span(' '.repeat(before)), ...fitted, span(' '.repeat(gap - before))];
}

function stackedLines(header: Span[][], rows: Span[][][], look: Look, styles: Styles): string[] {
  const lines: string[] = [];
  for (const [index, row] of rows.entries()) {
    if (index > 0) lines.push('');
    for (const [column, cell] of row.entries()) {
      const name = header[column] ?? [];
      const label = name.length > 0 ? [...name, span(': ', styles.bold)] : [];
      for (const line of wrapSpans([...label, ...cell], look.width)) lines.push(paintSpans(line, look.paint));
    }
  }
  if (rows.length > 0) return lines;
  const names = header.flatMap((name, index) => (index > 0 ? [span(', '), ...name] : name));
  return wrapSpans(names, look.width).map((line) => paintSpans(line, look.paint));
}

function widestLines(cell: readonly Span[]): number[] {
  const text = cell.map((part) => part.text).join('');
  return text.split('\n').map(textWidth);
}

function longestWord(cell: readonly Span[]): number {
  const text = cell.map((part) => part.text).join('');
  let longest = 0;
  for (const word of text.split(/\s+/)) longest = Math.max(longest, textWidth(word));
  return longest;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
