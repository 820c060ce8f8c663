/** Replaces ranges of a text by a mask. */

export const MASK = '[redacted]';

/** Half-open range of characters. */
export interface Span {
  start: number;
  end: number;
}

/** Merges two lists that are sorted by start. */
export function inOrder(a: readonly Span[], b: readonly Span[]): readonly Span[] {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  return [...a, ...b].sort((left, right) => left.start - right.start);
}

export interface MaskedText {
  text: string;
  /** End of the part that `text` covers; at least `end`. */
  done: number;
}

/**
 * The text from `done` to `end`, with one mask for each group of overlapping spans. Ignores spans that start at `end`
 * or later; one that reaches beyond `end` is masked and moves `done`.
 */
export function maskSpans(text: string, spans: readonly Span[], done: number, end: number): MaskedText {
  let result = '';
  for (const span of spans) {
    if (span.start >= end) break;
    if (span.start >= done) {
      result += text.slice(done, span.start) + MASK;
      done = span.end;
    } else {
      done = Math.max(done, span.end);
    }
  }
  if (done >= end) return { text: result, done };
  return { text: result + text.slice(done, end), done: end };
}
