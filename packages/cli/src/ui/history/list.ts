/** Draws lists of tools, servers, skills, chats and the like. */
import type { HistoryItemWithoutId, ListRow } from '../../history/item.js';
import type { Look } from '../look.js';
import { cleanLine, cleanText } from '../text/clean.js';
import { paintSpans, span, wrapSpans } from '../text/spans.js';
import type { Style } from '../themes/style.js';
import { type Styles, stylesOf } from '../themes/styles.js';
import { title, wrapLine } from './fields.js';

export function listLines(item: Extract<HistoryItemWithoutId, { type: 'list' }>, look: Look): string[] {
  const styles = stylesOf(look.theme);
  const head = title(cleanLine(item.title), look);
  if (item.rows.length === 0) return [head, ...wrapLine([span(`  ${item.empty}`, styles.secondary)], look)];
  return [head, ...item.rows.flatMap((row) => rowLines(row, look, styles))];
}

function rowLines(row: ListRow, look: Look, styles: Styles): string[] {
  const mark = look.screenReader ? '- ' : '  • ';
  const spans = [
    span(cleanLine(row.name), styles.bold),
    ...(row.note ? [span(`  ${cleanLine(row.note)}`, styles.secondary)] : []),
  ];
  const word = look.screenReader && row.status ? [span(` (${row.status})`)] : [];
  const lines = wrapSpans([...spans, ...word], Math.max(1, look.width - mark.length)).map((line, index) => {
    const lead = index === 0 ? look.paint(mark, statusStyle(row.status, styles)) : ' '.repeat(mark.length);
    return lead + paintSpans(line, look.paint);
  });
  if (!row.detail) return lines;
  const indent = ' '.repeat(mark.length + (look.screenReader ? 0 : 2));
  const detail = cleanText(row.detail).replace(/\n+$/, '');
  const rows = wrapSpans([span(detail, styles.secondary)], Math.max(1, look.width - indent.length));
  return [...lines, ...rows.map((line) => indent + paintSpans(line, look.paint))];
}

function statusStyle(status: ListRow['status'], styles: Styles): Style {
  return status ? styles[status] : styles.accent;
}
