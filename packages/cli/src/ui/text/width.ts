/** Columns that text takes on a terminal. Most text is simple and needs no segmentation. */
import stringWidth from 'string-width';
import { graphemeSegmenter } from './segmenter.js';

/** For text without escape sequences and line breaks. */
export function textWidth(text: string): number {
  let width = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x20 && unit < 0x7f) width++;
    else {
      const known = simpleWidth(unit);
      // A character that may join its neighbours: the whole must be segmented.
      if (known === undefined) return joinedWidth(text);
      width += known;
    }
  }
  return width;
}

/** For text with styles. */
export function ansiWidth(line: string): number {
  return line.includes('\x1b') ? textWidth(stripStyles(line)) : textWidth(line);
}

/** Removes the sequences that `Paint` writes, and hyperlinks. */
export function stripStyles(text: string): string {
  return text.includes('\x1b')
    ? text.replace(/\x1b\[[0-9;:]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)/g, '')
    : text;
}

/** The graphemes of a text. */
export function* graphemes(text: string): Generator<string> {
  const segmenter = graphemeSegmenter();
  for (let start = 0; start < text.length; ) {
    // The segmenter copies its text, so a long one is read in windows.
    const part = text.slice(start, start + WINDOW);
    const isEnd = start + WINDOW >= text.length;
    let held = '';
    let taken = 0;
    for (const { segment } of segmenter.segment(part)) {
      if (held !== '') {
        yield held;
        taken += held.length;
      }
      held = segment;
    }
    // The last grapheme may continue in the next window, unless it is the only one here.
    if (isEnd || taken === 0) {
      yield held;
      taken += held.length;
    }
    start += taken;
  }
}

/** The first graphemes that fit into `columns`. */
export function takeWidth(text: string, columns: number): { head: string; width: number } {
  let width = 0;
  let index = 0;
  for (; index < text.length; index++) {
    const next = simpleWidth(text.charCodeAt(index));
    if (next === undefined) break;
    if (width + next > columns) return { head: text.slice(0, index), width };
    width += next;
  }
  if (index === text.length) return { head: text, width };
  if (index > 0) {
    // The next character may join the one before it.
    index--;
    width -= simpleWidth(text.charCodeAt(index)) ?? 0;
  }
  let end = index;
  for (const character of graphemes(text.slice(index))) {
    const next = characterWidth(character);
    if (width + next > columns) break;
    width += next;
    end += character.length;
  }
  return { head: text.slice(0, end), width };
}

export function isWide(unit: number): boolean {
  return unit >= 0x3000 && simpleWidth(unit) === 2;
}

const WINDOW = 512;
const CACHED = 4_096;
const widths = new Map<string, number>();

function joinedWidth(text: string): number {
  if (text.length <= 8) return characterWidth(text);
  let width = 0;
  for (const character of graphemes(text)) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): number {
  if (character.length === 1) {
    const simple = simpleWidth(character.charCodeAt(0));
    if (simple !== undefined) return simple;
  }
  let width = widths.get(character);
  if (width === undefined) {
    width = stringWidth(character);
    if (widths.size >= CACHED) widths.clear();
    if (character.length <= 32) widths.set(character, width);
  }
  return width;
}

/** For characters that never join with others; else undefined. */
function simpleWidth(unit: number): 1 | 2 | undefined {
  if (unit >= 0x20 && unit < 0x7f) return 1;
  if (unit < 0xa0) return undefined;
  if (unit < 0x300) return unit === 0xad ? undefined : 1;
  if (unit < 0x2500) {
    if ((unit >= 0x370 && unit < 0x483) || (unit >= 0x48a && unit < 0x530)) return 1;
    if (
      (unit >= 0x2010 && unit < 0x2028) ||
      (unit >= 0x2030 && unit < 0x203c) ||
      (unit >= 0x2190 && unit < 0x2194)
    )
      return 1;
    if (unit >= 0x21ab && unit < 0x2200) return 1;
    return undefined;
  }
  if (unit < 0x25a0 || (unit > 0x25c0 && unit < 0x25fb) || isMark(unit)) return 1;
  // Spinners.
  if (unit >= 0x2800 && unit < 0x2900) return 1;
  if (unit < 0x3000) return undefined;
  if (unit < 0x302a) return 2;
  if ((unit >= 0x3041 && unit < 0x3097) || (unit >= 0x30a1 && unit < 0x3100)) return 2;
  if ((unit >= 0x3400 && unit < 0x4dc0) || (unit >= 0x4e00 && unit < 0xa000)) return 2;
  if (unit >= 0xac00 && unit < 0xd7a4) return 2;
  return unit >= 0xff01 && unit < 0xff61 ? 2 : undefined;
}

/** ▲ ▼ ✓ ✕ ✗ ✦ */
const MARKS: ReadonlySet<number> = new Set([0x25b2, 0x25bc, 0x2713, 0x2715, 0x2717, 0x2726]);

/** Signs that no terminal shows as an emoji. */
function isMark(unit: number): boolean {
  return MARKS.has(unit);
}
