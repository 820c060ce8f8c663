/** Draws a unified diff: line numbers, signs, tinted rows, highlighted code, marks on the words that differ. */
import type { Look } from '../look.js';
import { digitsFor, runSpans } from '../markdown/code.js';
import { type CodeRun, highlightLines } from '../markdown/highlight.js';
import { breakAtWords } from '../text/break-at-words.js';
import { cleanText } from '../text/clean.js';
import { fitSpans, paintSpans, type Span, span } from '../text/spans.js';
import type { Style } from '../themes/style.js';
import { mergeStyles, stylesOf } from '../themes/styles.js';
import { changedTint } from './changed-tint.js';
import { type Part, pairedLines } from './word-diff.js';

export interface DiffRow {
  kind: 'added' | 'removed' | 'context' | 'gap';
  /** In the new file; of removed lines in the old one. */
  number: number;
  text: string;
}

export interface DiffSource {
  fileDiff: string;
  fileName: string;
}

export function diffLines(diff: DiffSource, look: Look): string[] {
  return drawRows(parseDiff(diff.fileDiff), diff.fileName, look);
}

/** At most `limit` lines, and the number of hidden ones. */
export function diffHead(diff: DiffSource, look: Look, limit: number): { lines: string[]; hidden: number } {
  const rows = parseDiff(diff.fileDiff);
  // Each row takes at least one line, so more rows than that are never highlighted.
  const lines = drawRows(rows.slice(0, limit), diff.fileName, look, lastNumber(rows));
  return { lines: lines.slice(0, limit), hidden: Math.max(0, rows.length - limit, lines.length - limit) };
}

export function diffCounts(fileDiff: string): { added: number; removed: number } {
  const counts = { added: 0, removed: 0 };
  for (const { kind } of parseDiff(fileDiff)) {
    if (kind === 'added') counts.added++;
    else if (kind === 'removed') counts.removed++;
  }
  return counts;
}

/** Reads only the hunks; file headers and other text are skipped. */
export function parseDiff(diff: string): DiffRow[] {
  const rows: DiffRow[] = [];
  let [oldNumber, newNumber, oldLeft, newLeft] = [0, 0, 0, 0];
  for (const line of diff.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    // Lines of a file start with a sign, so this can only be a new hunk.
    if (hunk) {
      if (rows.length > 0) rows.push({ kind: 'gap', number: 0, text: '' });
      [oldNumber, newNumber] = [Number(hunk[1]), Number(hunk[3])];
      [oldLeft, newLeft] = [Number(hunk[2] ?? 1), Number(hunk[4] ?? 1)];
      continue;
    }
    if (oldLeft <= 0 && newLeft <= 0) continue;
    const text = line.slice(1);
    if (line.startsWith('+')) {
      rows.push({ kind: 'added', number: newNumber++, text });
      newLeft--;
    } else if (line.startsWith('-')) {
      rows.push({ kind: 'removed', number: oldNumber++, text });
      oldLeft--;
    } else if (line.startsWith(' ') || line === '') {
      rows.push({ kind: 'context', number: newNumber++, text });
      oldNumber++;
      oldLeft--;
      newLeft--;
    }
  }
  return rows;
}

function drawRows(rows: readonly DiffRow[], fileName: string, look: Look, last = lastNumber(rows)): string[] {
  const styles = stylesOf(look.theme);
  const digits = digitsFor(last);
  const coloured = colourRows(rows, languageOfFile(fileName));
  const changed = look.screenReader ? new Map() : changedWords(rows, coloured);
  return rows.flatMap((row, index) => {
    if (row.kind === 'gap')
      return [
        look.paint(look.screenReader ? '…' : '═'.repeat(Math.min(look.width, GAP_WIDTH)), styles.border),
      ];
    return look.screenReader
      ? screenReaderRow(row)
      : drawRow(row, coloured[index] ?? [], changed.get(index) ?? [], digits, look);
  });
}

const GAP_WIDTH = 4;

function drawRow(
  row: DiffRow,
  runs: readonly CodeRun[],
  changed: readonly Part[],
  digits: number,
  look: Look,
): string[] {
  const styles = stylesOf(look.theme);
  const { sign, tint, signStyle } = marks(row.kind, look);
  const fill: Style | undefined = tint ? { background: tint } : undefined;
  const over = (style: Style) => (fill ? mergeStyles(style, fill) : style);
  const isNumbered = look.width >= digits + 16;
  const gutter = (isNumbered ? digits + 1 : 0) + 2;
  const spans: Span[] = runSpans(runs, look).map(({ text, style }) => span(text, over(style)));
  const marked = changed.length > 0 ? withMarks(spans, changed, changedTint(row.kind, look)) : spans;
  return breakAtWords(marked, Math.max(1, look.width - gutter)).map((part, index) => {
    const number = index === 0 ? String(row.number).padStart(digits) : ' '.repeat(digits);
    const lead = [
      ...(isNumbered ? [span(`${number} `, over(styles.comment))] : []),
      span(`${index === 0 ? sign : ' '} `, over(signStyle)),
    ];
    return paintSpans(fitSpans([...lead, ...part], look.width, fill), look.paint);
  });
}

function marks(kind: DiffRow['kind'], look: Look): { sign: string; tint: string; signStyle: Style } {
  const styles = stylesOf(look.theme);
  const { diff } = look.theme.background;
  if (kind === 'added') return { sign: '+', tint: diff.added, signStyle: styles.success };
  if (kind === 'removed') return { sign: '-', tint: diff.removed, signStyle: styles.error };
  return { sign: ' ', tint: '', signStyle: styles.secondary };
}

/** The words that differ, by row: each run of removed lines is compared with the added lines below it. */
function changedWords(rows: readonly DiffRow[], coloured: readonly CodeRun[][]): Map<number, Part[]> {
  const changed = new Map<number, Part[]>();
  const textAt = (index: number) => (coloured[index] ?? []).map(({ text }) => text).join('');
  const endOf = (kind: DiffRow['kind'], start: number) => {
    let end = start;
    while (rows[end]?.kind === kind) end++;
    return end;
  };
  for (let start = 0; start < rows.length; ) {
    const middle = endOf('removed', start);
    const end = endOf('added', middle);
    const texts = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => textAt(from + index));
    for (const { from, to, removed, added } of pairedLines(texts(start, middle), texts(middle, end))) {
      changed.set(start + from, removed);
      changed.set(middle + to, added);
    }
    start = Math.max(end, start + 1);
  }
  return changed;
}

/** Splits the spans at the borders of the parts, and marks what is inside. */
function withMarks(spans: readonly Span[], parts: readonly Part[], mark: Style): Span[] {
  const marked: Span[] = [];
  let [at, next] = [0, 0];
  for (const { text, style } of spans) {
    const over = mergeStyles(style, mark);
    for (let taken = 0; taken < text.length; ) {
      const part = parts[next];
      const isInside = part !== undefined && part.start <= at;
      const border = (isInside ? part.end : part?.start) ?? Number.POSITIVE_INFINITY;
      const piece = text.slice(taken, taken + border - at);
      marked.push(span(piece, isInside ? over : style));
      taken += piece.length;
      at += piece.length;
      if (isInside && at >= border) next++;
    }
  }
  return marked;
}

const SPOKEN: Record<DiffRow['kind'], string> = {
  added: 'added',
  removed: 'removed',
  context: 'line',
  gap: '',
};

function screenReaderRow(row: DiffRow): string[] {
  return [`${SPOKEN[row.kind]} ${row.number}: ${cleanText(row.text)}`];
}

/** Both sides are highlighted as a whole, because comments and strings may span lines. */
function colourRows(rows: readonly DiffRow[], language: string): CodeRun[][] {
  const colours: CodeRun[][] = rows.map(() => []);
  const side = (kind: 'added' | 'removed') => {
    const indexes = rows.flatMap((row, index) =>
      row.kind === kind || row.kind === 'context' ? [index] : [],
    );
    const code = indexes.map((index) => cleanText(rows[index]?.text ?? '')).join('\n');
    for (const [position, runs] of highlightLines(code, language).entries()) {
      const index = indexes[position];
      if (index !== undefined) colours[index] = runs;
    }
  };
  if (rows.some((row) => row.kind === 'removed')) side('removed');
  side('added');
  return colours;
}

function lastNumber(rows: readonly DiffRow[]): number {
  return rows.reduce((most, row) => Math.max(most, row.number), 0);
}

/** Grammars are found by file extension, and by name for files like `Makefile`. */
export function languageOfFile(fileName: string): string {
  const base = fileName.split(/[/\\]/).at(-1) ?? '';
  const ending = base.includes('.') ? base.split('.').at(-1) : base;
  return (ending ?? '').toLowerCase();
}
