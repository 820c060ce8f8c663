/** Splits text into graphemes (characters as users see them), measures their columns, and draws them safely. */
import stringWidth from 'string-width';
import { graphemeSegmenter } from '../text/segmenter.js';

const PLAIN = /^[\x20-\x7e]*$/;
/** Fixed width, so that wrapping does not change how a line looks. */
const TAB = '    ';
/** Characters that would reorder or hide their neighbours on the terminal. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;
const UNSEEN_SIGN = '·';
const widths = new Map<string, number>();
const WIDTHS_KEPT = 5_000;

export interface Grapheme {
  text: string;
  start: number;
  width: number;
}

export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** @param from the start of a grapheme */
export function* graphemesOf(text: string, from = 0): Generator<Grapheme> {
  let at = from;
  while (at < text.length) {
    const simple = simpleWidth(text.charCodeAt(at));
    const isAlone = simple > 0 && (at + 1 >= text.length || simpleWidth(text.charCodeAt(at + 1)) > 0);
    if (isAlone) {
      yield { text: text.charAt(at), start: at, width: simple };
      at++;
      continue;
    }
    // Only text that may be joined goes to the segmenter, which takes microseconds per character.
    const end = endOfJoined(text, at);
    for (const { segment, index } of graphemeSegmenter().segment(text.slice(at, end))) {
      yield { text: segment, start: at + index, width: graphemeWidth(segment) };
    }
    at = end;
  }
}

/** The end of the run that may be joined. */
function endOfJoined(text: string, from: number): number {
  let end = from + 1;
  while (end < text.length && simpleWidth(text.charCodeAt(end)) === 0) end++;
  return end;
}

/** Columns of a letter that only a following mark or joiner could extend; 0: ask the segmenter. */
function simpleWidth(code: number): number {
  if (code < 0x300) return (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code !== 0xad) ? 1 : 0;
  if (code < 0x530) return code >= 0x370 && !(code >= 0x483 && code <= 0x489) ? 1 : 0;
  if (code >= 0x3041 && code <= 0x3096) return 2;
  if (code >= 0x30a1 && code <= 0x30fa) return 2;
  if (code >= 0x4e00 && code <= 0x9fff) return 2;
  return code >= 0x3001 && code <= 0x3029 ? 2 : 0;
}

export function splitGraphemes(text: string): string[] {
  return isPlain(text) ? [...text] : Array.from(graphemeSegmenter().segment(text), ({ segment }) => segment);
}

/** The end of the grapheme that starts at or contains `at`. */
export function nextBoundary(line: string, at: number): number {
  if (at >= line.length) return line.length;
  if (isAscii(line, at) && (at + 1 >= line.length || isAscii(line, at + 1))) return at + 1;
  const found = graphemeSegmenter().segment(line).containing(at);
  return found ? found.index + found.segment.length : line.length;
}

/** The start of the grapheme that ends at or contains `at`. */
export function previousBoundary(line: string, at: number): number {
  if (at <= 0) return 0;
  if (isAscii(line, at - 1) && (at === 1 || isAscii(line, at - 2))) return at - 1;
  return (
    graphemeSegmenter()
      .segment(line)
      .containing(at - 1)?.index ?? 0
  );
}

/** `at` itself, or the end of the grapheme that contains it. */
export function snapToBoundary(line: string, at: number): number {
  if (at <= 0) return 0;
  if (at >= line.length) return line.length;
  if (isAscii(line, at) && isAscii(line, at - 1)) return at;
  const found = graphemeSegmenter().segment(line).containing(at);
  return !found || found.index === at ? at : found.index + found.segment.length;
}

export function graphemeWidth(grapheme: string): number {
  if (grapheme.length === 1 && isPlain(grapheme)) return 1;
  const known = widths.get(grapheme);
  if (known !== undefined) return known;
  const width = stringWidth(shownGrapheme(grapheme));
  if (widths.size > WIDTHS_KEPT) widths.clear();
  widths.set(grapheme, width);
  return width;
}

export function widthOf(text: string): number {
  if (isPlain(text)) return text.length;
  let width = 0;
  for (const grapheme of graphemesOf(text)) width += grapheme.width;
  return width;
}

function shownGrapheme(grapheme: string): string {
  if (grapheme === '\t') return TAB;
  return UNSEEN.test(grapheme) ? UNSEEN_SIGN : grapheme;
}

/** Part of a line, safe to write to the terminal. */
export function shownText(text: string): string {
  if (isPlain(text)) return text;
  return splitGraphemes(text).map(shownGrapheme).join('');
}

function isAscii(line: string, at: number): boolean {
  return line.charCodeAt(at) < 0x80;
}
