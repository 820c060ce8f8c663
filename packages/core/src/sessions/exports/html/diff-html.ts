/** A unified diff as a table with line numbers. */
import { escapeHtml } from './escape-html.js';

/** Further rows are only counted: a browser is slow with large tables. */
const MAX_ROWS = 5_000;
const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/;

export function diffHtml(diff: string): string {
  const rows = [...rowsOf(diff)];
  const shown = rows.slice(0, MAX_ROWS).map(rowHtml);
  const more = rows.length - shown.length;
  const rest = more > 0 ? `<p class="more">… ${more} more lines</p>\n` : '';
  return `<table class="diff"><colgroup><col><col><col></colgroup><tbody>\n${shown.join('')}</tbody></table>\n${rest}`;
}

export function countDiff(diff: string): { added: number; removed: number } {
  const counts = { added: 0, removed: 0 };
  for (const { kind } of rowsOf(diff)) {
    if (kind === 'add') counts.added++;
    if (kind === 'del') counts.removed++;
  }
  return counts;
}

interface Row {
  kind: 'add' | 'del' | 'same' | 'hunk' | 'note';
  text: string;
  before?: number;
  after?: number;
}

function* rowsOf(diff: string): Generator<Row> {
  let before = 0;
  let after = 0;
  let isInside = false;
  for (const line of diff.replace(/\r?\n$/, '').split(/\r?\n/)) {
    const hunk = HUNK.exec(line);
    if (hunk) {
      [before, after] = [Number(hunk[1]), Number(hunk[2])];
      isInside = true;
      yield { kind: 'hunk', text: hunk[3]?.trim() ?? '' };
    } else if (!isInside) {
      // File names are in the call's summary already.
    } else if (line.startsWith('+')) {
      yield { kind: 'add', text: line.slice(1), after: after++ };
    } else if (line.startsWith('-')) {
      yield { kind: 'del', text: line.slice(1), before: before++ };
    } else if (line.startsWith('\\')) {
      yield { kind: 'note', text: line.slice(1).trim() };
    } else {
      yield { kind: 'same', text: line.slice(1), before: before++, after: after++ };
    }
  }
}

const SIGNS = { add: '+', del: '−', same: '', hunk: '', note: '' } as const;

/** Numbers and signs are in attributes, so that copying a selection copies only code. */
function rowHtml({ kind, text, before, after }: Row): string {
  if (kind === 'hunk')
    return `<tr class="hunk"><td colspan="2"></td><td>${escapeHtml(text) || '⋯'}</td></tr>\n`;
  const code = `<td data-sign="${SIGNS[kind]}">${escapeHtml(text)}</td>`;
  return `<tr class="${kind}">${number(before)}${number(after)}${code}</tr>\n`;
}

function number(value: number | undefined): string {
  return value === undefined ? '<td class="n"></td>' : `<td class="n" data-n="${value}"></td>`;
}
