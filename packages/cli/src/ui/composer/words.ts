/** Word boundaries in a line; Chinese, Japanese and Thai text has words without blanks. */

export interface Span {
  start: number;
  end: number;
  kind: 'word' | 'sign' | 'blank';
}

const RUN = /([\p{L}\p{N}\p{M}_]+)|(\s+)|([^\p{L}\p{N}\p{M}_\s]+)/gu;
const NO_BLANKS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** In longer lines only the part around the cursor is segmented. */
const NEAR = 2_000;

let segmenter: Intl.Segmenter | undefined;

/** All spans of a line, in order, without gaps. */
export function spansOf(line: string): Span[] {
  const spans: Span[] = [];
  for (const match of line.matchAll(RUN)) {
    const start = match.index;
    const end = start + match[0].length;
    if (match[1] !== undefined && NO_BLANKS.test(match[1])) spans.push(...innerWords(match[1], start));
    else
      spans.push({
        start,
        end,
        kind: match[1] !== undefined ? 'word' : match[2] !== undefined ? 'blank' : 'sign',
      });
  }
  return spans;
}

/** Blank-delimited: `W B E` of vim. */
export function bigSpansOf(line: string): Span[] {
  return Array.from(line.matchAll(/(\s+)|(\S+)/gu), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    kind: match[1] !== undefined ? 'blank' : 'word',
  }));
}

/** The start of the word before. */
export function wordStartBefore(line: string, at: number): number {
  const from = Math.max(0, at - NEAR);
  const spans = spansOf(line.slice(from, at)).filter(({ kind }) => kind === 'word');
  return from + (spans.at(-1)?.start ?? 0);
}

/** The end of the word after. */
export function wordEndAfter(line: string, at: number): number {
  const near = line.slice(at, at + NEAR);
  return at + (spansOf(near).find(({ kind }) => kind === 'word')?.end ?? near.length);
}

function innerWords(run: string, offset: number): Span[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return Array.from(segmenter.segment(run), ({ segment, index }) => ({
    start: offset + index,
    end: offset + index + segment.length,
    kind: 'word',
  }));
}
