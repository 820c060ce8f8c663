/** Parts of the boxes: titles, labelled values, tables of numbers, durations. */
import type { Look } from '../look.js';
import { cleanLine } from '../text/clean.js';
import { fitSpans, paintSpans, type Span, span, spansWidth, wrapSpans } from '../text/spans.js';
import { textWidth } from '../text/width.js';
import type { Style } from '../themes/style.js';
import { stylesOf } from '../themes/styles.js';

export function title(text: string, look: Look): string {
  return look.paint(text, stylesOf(look.theme).accentBold);
}

export interface Field {
  label: string;
  value: string | Span[];
}

/** Labels in one column, values in the next; long values wrap in their own column. */
export function fieldLines(fields: readonly Field[], look: Look): string[] {
  const styles = stylesOf(look.theme);
  const widest = fields.reduce((most, { label }) => Math.max(most, textWidth(label)), 0);
  const column = Math.min(widest + 2, Math.max(8, Math.floor(look.width / 2)));
  return fields.flatMap(({ label, value }) => {
    const spans = typeof value === 'string' ? [span(cleanLine(value), styles.primary)] : value;
    if (look.screenReader) return wrapLine([span(`${label.replace(/:$/, '')}: `), ...spans], look);
    return wrapSpans(spans, Math.max(1, look.width - column)).map((row, index) => {
      const lead = fitSpans(
        [span(index === 0 ? label : '', styles.link.color ? { color: styles.link.color } : {})],
        column,
        {},
      );
      return paintSpans([...lead, ...row], look.paint);
    });
  });
}

export interface Cell {
  text: string;
  style?: Style;
}

/** The first column takes the free width; numbers are aligned right. Screen reader: one sentence per row. */
export function gridLines(
  header: readonly string[],
  rows: readonly (readonly Cell[])[],
  look: Look,
): string[] {
  const styles = stylesOf(look.theme);
  if (look.screenReader) return rows.map((row) => screenReaderRow(header, row));
  const widths = header.map((name, column) =>
    rows.reduce((most, row) => Math.max(most, textWidth(row[column]?.text ?? '')), textWidth(name)),
  );
  const others = widths.slice(1).reduce((total, width) => total + width + 2, 0);
  if (others + MIN_FIRST > look.width) return rows.flatMap((row) => stackedRow(header, row, look));
  widths[0] = Math.min(widths[0] ?? 0, look.width - others);
  const draw = (cells: readonly Cell[]) =>
    paintSpans(
      cells.flatMap(({ text, style }, column) => {
        const width = widths[column] ?? 0;
        const fitted = fitSpans([span(text, style ?? styles.primary)], width);
        const gap = ' '.repeat(Math.max(0, width - spansWidth(fitted)));
        return column === 0 ? [...fitted, span(gap)] : [span(`  ${gap}`), ...fitted];
      }),
      look.paint,
    );
  const total = widths.reduce((all, width) => all + width, 0) + 2 * (widths.length - 1);
  return [
    draw(header.map((text) => ({ text, style: styles.bold }))),
    look.paint('─'.repeat(Math.max(1, Math.min(total, look.width))), styles.border),
    ...rows.map(draw),
  ];
}

const MIN_FIRST = 12;

function stackedRow(header: readonly string[], row: readonly Cell[], look: Look): string[] {
  const [first, ...rest] = row;
  return [
    ...wrapLine([span(first?.text.trim() ?? '', first?.style ?? stylesOf(look.theme).bold)], look),
    ...rest.flatMap((cell, index) =>
      wrapLine([span(`  ${header[index + 1] ?? ''}: ${cell.text}`, cell.style ?? {})], look),
    ),
  ];
}

function screenReaderRow(header: readonly string[], row: readonly Cell[]): string {
  const [first, ...rest] = row;
  return `${(first?.text ?? '').replace(/^[\s↳]+/, '')}: ${rest.map((cell, index) => `${header[index + 1] ?? ''} ${cell.text}`).join(', ')}`;
}

export function wrapLine(spans: readonly Span[], look: Look): string[] {
  return wrapSpans(spans, look.width).map((row) => paintSpans(row, look.paint));
}

/** `850ms`, `2.4s`, `1m 5s`, `1h 2m 5s`. */
export function duration(ms: number): string {
  if (!Number.isFinite(ms) || ms <= 0) return '0s';
  if (ms < 1_000) return `${Math.round(ms)}ms`;
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)}s`;
  const seconds = Math.floor(ms / 1_000);
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor((seconds % 3_600) / 60);
  const parts = [
    hours > 0 ? `${hours}h` : '',
    minutes > 0 ? `${minutes}m` : '',
    seconds % 60 > 0 ? `${seconds % 60}s` : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}

export function count(value: number): string {
  // Intl would load language tables only for a comma.
  if (!Number.isInteger(value)) return value.toLocaleString('en-US');
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

export function percent(part: number, whole: number): string {
  return whole > 0 ? `${((100 * part) / whole).toFixed(1)}%` : '0.0%';
}
