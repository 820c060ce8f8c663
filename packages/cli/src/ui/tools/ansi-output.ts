/** Draws the output of terminal programs in its own colours. */
import type { AnsiOutput } from '@gemini-cli/core';
import type { Look } from '../look.js';
import { cleanText } from '../text/clean.js';
import { breakSpans, paintSpans, type Span, span } from '../text/spans.js';
import type { Style } from '../themes/style.js';
import { stylesOf } from '../themes/styles.js';

type AnsiLine = AnsiOutput[number];
type AnsiToken = AnsiLine[number];

/** The last `limit` lines (default: all) and the number of lines above. Blank lines at the end are omitted. */
export function ansiOutputLines(output: AnsiOutput, look: Look, limit = Number.POSITIVE_INFINITY): Tail {
  let end = output.length;
  while (end > 0 && isBlank(output[end - 1] ?? [])) end--;
  return tailOf(end, limit, (index) =>
    breakSpans((output[index] ?? []).map(tokenSpan), look.width).map((row) => paintSpans(row, look.paint)),
  );
}

/** The same for plain text. */
export function textOutputLines(output: string, look: Look, limit = Number.POSITIVE_INFINITY): Tail {
  const style = stylesOf(look.theme).primary;
  const lines = output.trimEnd().split('\n');
  return tailOf(output.trim() === '' ? 0 : lines.length, limit, (index) =>
    breakSpans([span(cleanText(lines[index] ?? '').replace(/\n/g, ''), style)], look.width).map((row) =>
      paintSpans(row, look.paint),
    ),
  );
}

export interface Tail {
  lines: string[];
  hidden: number;
}

/** Draws from the end: of long output only the visible part costs time. */
function tailOf(count: number, limit: number, draw: (index: number) => string[]): Tail {
  const drawn: string[][] = [];
  let rows = 0;
  let index = count;
  while (index > 0 && rows < limit) {
    index--;
    const part = draw(index);
    drawn.push(part);
    rows += part.length;
  }
  const lines = drawn.reverse().flat();
  const cut = Math.max(0, rows - limit);
  return { lines: cut > 0 ? lines.slice(cut) : lines, hidden: index + cut };
}

function tokenSpan(token: AnsiToken): Span {
  const style: Style = {};
  if (token.fg) style.color = token.fg;
  if (token.bg) style.background = token.bg;
  if (token.bold) style.bold = true;
  if (token.dim) style.dim = true;
  if (token.italic) style.italic = true;
  if (token.underline) style.underline = true;
  if (token.inverse) style.inverse = true;
  return span(cleanText(token.text).replace(/\n/g, ' '), style);
}

function isBlank(line: AnsiLine): boolean {
  return line.every((token) => token.text.trim() === '' && !token.inverse && token.bg === '');
}
