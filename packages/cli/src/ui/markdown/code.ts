/** Draws fenced code: line numbers, colours by scope, long lines wrapped under their code. */
import type { Look } from '../look.js';
import { breakAtWords } from '../text/break-at-words.js';
import { paintSpans, type Span, span } from '../text/spans.js';
import { stylesOf } from '../themes/styles.js';
import { type CodeRun, highlightLines } from './highlight.js';

export interface CodeOptions {
  language: string;
  /** The first line's number. */
  firstLine?: number;
  /** Digits to reserve; default: as many as the last line needs. */
  digits?: number;
}

export function codeLines(code: string, look: Look, options: CodeOptions): string[] {
  const runs = highlightLines(code, options.language);
  const first = options.firstLine ?? 1;
  const digits = options.digits ?? digitsFor(first + runs.length - 1);
  return runs.flatMap((line, index) => codeLine(line, look, first + index, digits));
}

/** One line of code, on as many rows as it needs. */
export function codeLine(runs: readonly CodeRun[], look: Look, number: number, digits: number): string[] {
  const styles = stylesOf(look.theme);
  const isNumbered = look.showLineNumbers && !look.screenReader && look.width >= MIN_NUMBERED + digits;
  const gutter = isNumbered ? digits + 1 : look.screenReader ? 0 : 1;
  const spans = runSpans(runs, look);
  return breakAtWords(spans, look.width - gutter).map((row, index) => {
    const mark = index === 0 ? String(number).padStart(digits) : ' '.repeat(digits);
    const lead = isNumbered ? look.paint(`${mark} `, styles.comment) : ' '.repeat(gutter);
    return lead + paintSpans(row, look.paint);
  });
}

/** At least two, so that short code does not move while it grows. */
export function digitsFor(lastLine: number): number {
  return Math.max(2, String(lastLine).length);
}

/** Line numbers are omitted where they would take the code's room. */
const MIN_NUMBERED = 16;

export function runSpans(runs: readonly CodeRun[], look: Look): Span[] {
  const { syntax, response } = stylesOf(look.theme);
  return runs.map(({ text, scope }) =>
    span(text, (Object.hasOwn(syntax, scope) ? syntax[scope] : undefined) ?? response),
  );
}
