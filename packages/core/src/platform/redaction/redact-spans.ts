/** Ranges of a text to be masked, and the text with the masks. */

export const MASK = '[redacted]';

/** Half-open range of characters. */
export interface Span {
  start: number;
  end: number;
}

/** Both in order of their beginnings; so is the result. */
export function inOrder(a: readonly Span[], b: readonly Span[]): readonly Span[] {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  return [...a, ...b].sort((left, right) => left.start - right.start);
}

export interface MaskedText {
  text: string;
  /** Everything before this is in `text`, masked or not; at least `end`. */
  done: number;
}

/**
 * The part of the text from `done` to `end`, with one mask for each group of overlapping spans. Spans from `end`
 * on are left out; one that reaches beyond it is masked and moves `done`.
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
