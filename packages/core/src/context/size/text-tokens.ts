/**
 * Estimates the tokens of a text without a tokenizer: one pass over its characters, a price per kind of run. The prices
 * were fitted to the counts of Google's public vocabulary on prose in fourteen languages and code in ten.
 */
import { COMMON_HANZI } from './common-hanzi.js';

/** Longer texts are estimated from samples, so that a log of many megabytes costs no more time. */
const SAMPLED_ABOVE = 100_000;
const SAMPLE_COUNT = 16;
const SAMPLE_LENGTH = 4_000;

enum Kind {
  Lower,
  Upper,
  Accented,
  Digit,
  Space,
  LineEnd,
  Tab,
  Punctuation,
  Cyrillic,
  Arabic,
  Hiragana,
  Katakana,
  Hanzi,
  Hangul,
  EastPunctuation,
  Surrogate,
  Other,
}

/** Prices in tokens: of a run as a whole, and of each character in it. */
const RUN: Readonly<Record<Kind, readonly [run: number, character: number]>> = {
  [Kind.Lower]: [0, 0],
  [Kind.Upper]: [0, 0],
  [Kind.Accented]: [0, 0],
  [Kind.Digit]: [0, 1],
  [Kind.Space]: [1.03, 0],
  [Kind.LineEnd]: [1.04, 0],
  [Kind.Tab]: [1, 0],
  [Kind.Punctuation]: [0.9, 0.1],
  [Kind.Cyrillic]: [1.2, 0.075],
  [Kind.Arabic]: [0.95, 0.19],
  [Kind.Hiragana]: [0.52, 0.14],
  [Kind.Katakana]: [0.52, 0.3],
  [Kind.Hanzi]: [0, 0],
  [Kind.Hangul]: [0.35, 0.68],
  [Kind.EastPunctuation]: [0, 1],
  [Kind.Surrogate]: [0, 0.75],
  [Kind.Other]: [0, 0.6],
};

const COMMON_HANZI_PRICE = 0.51;
const RARE_HANZI_PRICE = 1.4;

const FIRST_HANZI = 0x3400;
const LAST_HANZI = 0x9fff;

const ASCII_KINDS = Uint8Array.from({ length: 128 }, (_, code) => asciiKind(code));
let commonHanzi: Uint8Array | undefined;

export function estimateTextTokens(text: string): number {
  if (text.length <= SAMPLED_ABOVE) return priceOf(text, 0, text.length);
  const step = Math.floor((text.length - SAMPLE_LENGTH) / (SAMPLE_COUNT - 1));
  let price = 0;
  for (let sample = 0; sample < SAMPLE_COUNT; sample++) {
    price += priceOf(text, sample * step, sample * step + SAMPLE_LENGTH);
  }
  return (price * text.length) / (SAMPLE_COUNT * SAMPLE_LENGTH);
}

function priceOf(text: string, start: number, end: number): number {
  let price = 0;
  let afterSpace = true;
  for (let index = start; index < end; ) {
    const kind = kindOf(text.charCodeAt(index));
    if (kind <= Kind.Accented) {
      const wordEnd = endOfWord(text, index, end);
      price += wordPrice(text, index, wordEnd, afterSpace);
      index = wordEnd;
      afterSpace = false;
      continue;
    }
    let runEnd = index + 1;
    while (runEnd < end && kindOf(text.charCodeAt(runEnd)) === kind) runEnd++;
    if (kind === Kind.Hanzi) price += hanziPrice(text, index, runEnd);
    else if (kind !== Kind.Space || runEnd - index > 1) {
      price += RUN[kind][0] + RUN[kind][1] * (runEnd - index);
    }
    // A single space is part of the word after it, but never of a number.
    if (kind === Kind.Digit && afterSpace) price += 1;
    afterSpace = kind === Kind.Space && runEnd - index === 1;
    index = runEnd;
  }
  return price;
}

/** A word ends before a capital after a small letter: `camelCase` is two words. */
function endOfWord(text: string, start: number, end: number): number {
  let previous = kindOf(text.charCodeAt(start));
  let index = start + 1;
  for (; index < end; index++) {
    const kind = kindOf(text.charCodeAt(index));
    if (kind > Kind.Accented || (kind === Kind.Upper && previous !== Kind.Upper)) break;
    previous = kind;
  }
  return index;
}

/** Words up to eight letters are mostly one token. */
function wordPrice(text: string, start: number, end: number, afterSpace: boolean): number {
  const length = end - start;
  let price = afterSpace ? 0.96 : 1.02;
  if (length === 1) price += 0.3;
  if (length > 8) price += 0.2 * Math.min(4, length - 8);
  if (length > 12) price += 0.6 * (length - 12);
  for (let index = start; index < end; index++) {
    if (text.charCodeAt(index) > 127) price += 0.95;
  }
  return price;
}

function hanziPrice(text: string, start: number, end: number): number {
  commonHanzi ??= markCommonHanzi();
  let price = 0;
  for (let index = start; index < end; index++) {
    price += commonHanzi[text.charCodeAt(index) - FIRST_HANZI] ? COMMON_HANZI_PRICE : RARE_HANZI_PRICE;
  }
  return price;
}

function markCommonHanzi(): Uint8Array {
  const marks = new Uint8Array(LAST_HANZI - FIRST_HANZI + 1);
  for (let index = 0; index < COMMON_HANZI.length; index++) {
    marks[COMMON_HANZI.charCodeAt(index) - FIRST_HANZI] = 1;
  }
  return marks;
}

function kindOf(code: number): Kind {
  return code < 128 ? (ASCII_KINDS[code] as Kind) : wideKind(code);
}

function wideKind(code: number): Kind {
  if (code < 0xc0) return Kind.Other;
  if (code < 0x250) return Kind.Accented;
  if (code >= FIRST_HANZI && code <= LAST_HANZI) return Kind.Hanzi;
  if (code >= 0x400 && code < 0x530) return Kind.Cyrillic;
  if (code >= 0x590 && code < 0x780) return Kind.Arabic;
  if (code >= 0x3040 && code < 0x30a0) return Kind.Hiragana;
  if (code >= 0x30a0 && code < 0x3100) return Kind.Katakana;
  if (code >= 0xac00 && code < 0xd7b0) return Kind.Hangul;
  if ((code >= 0x3000 && code < 0x3040) || (code >= 0xff00 && code < 0xfff0)) return Kind.EastPunctuation;
  if (code >= 0x2010 && code < 0x2027) return Kind.EastPunctuation;
  if (code >= 0xd800 && code < 0xe000) return Kind.Surrogate;
  return Kind.Other;
}

function asciiKind(code: number): Kind {
  if (code >= 97 && code <= 122) return Kind.Lower;
  if (code >= 65 && code <= 90) return Kind.Upper;
  if (code >= 48 && code <= 57) return Kind.Digit;
  if (code === 32) return Kind.Space;
  if (code === 10 || code === 13) return Kind.LineEnd;
  return code === 9 ? Kind.Tab : Kind.Punctuation;
}
