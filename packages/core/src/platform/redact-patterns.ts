/** Finds what looks like a secret, by the shapes of secret-patterns.ts. */
import type { Span } from './redact-spans.js';
import { headShape, LONGEST_HEAD, SECRET_HEADS, secretShape } from './secret-patterns.js';

export interface PatternMatches {
  /** In order, none overlapping another. */
  spans: Span[];
  /** Where a match begins of which more text would decide; the length of the text if there is none. */
  open: number;
}

const PEM_HEAD = /-----BEGIN (?:[A-Z0-9]+ ){0,3}(?:PRIVATE KEY|CERTIFICATE)/i;
const ADDRESS_MARK = '://';

/** Compiling them takes 14 ms, so that is done when the first head of a secret is seen, which in most runs is never. */
let patterns: ReturnType<typeof compile> | undefined;
let openHeads: RegExp | undefined;

function compile() {
  const { full, part } = secretShape();
  return { whole: new RegExp(full, 'y'), beginning: new RegExp(`${part}$`, 'y') };
}

/**
 * @param from matches begin here or later; the text before it only serves the conditions before a match
 * @param isComplete no more text follows: nothing is open
 */
export function findPatterns(text: string, from: number, isComplete: boolean): PatternMatches {
  const heads = SECRET_HEADS;
  const spans: Span[] = [];
  let next = from;
  heads.lastIndex = headBefore(next);
  for (let head = heads.exec(text); head; head = heads.exec(text)) {
    patterns ??= compile();
    const { whole, beginning } = patterns;
    const start = head[0] === ADDRESS_MARK ? head.index + ADDRESS_MARK.length : head.index;
    heads.lastIndex = head.index + 1;
    if (start < next) continue;
    if (!isComplete && matchesAt(beginning, text, start)) return { spans, open: start };
    if (!matchesAt(whole, text, start)) continue;
    next = whole.lastIndex;
    spans.push({ start, end: next });
    heads.lastIndex = Math.max(heads.lastIndex, headBefore(next));
  }
  return { spans, open: isComplete ? text.length : openHead(text, next) };
}

/** True for a value that is a secret, or holds one. The first line of a key is enough. */
export function looksSecret(value: string): boolean {
  return PEM_HEAD.test(value) || findPatterns(value, 0, true).spans.length > 0;
}

/** The name and password of an address may begin right at `start`, behind the mark. */
function headBefore(start: number): number {
  return Math.max(0, start - ADDRESS_MARK.length);
}

function matchesAt(pattern: RegExp, text: string, start: number): boolean {
  pattern.lastIndex = start;
  return pattern.test(text);
}

/** A head that has not arrived whole stands among the last characters. */
function openHead(text: string, from: number): number {
  openHeads ??= new RegExp(`(?:${headShape().part})$`, 'g');
  openHeads.lastIndex = Math.max(from, text.length - LONGEST_HEAD);
  return openHeads.exec(text)?.index ?? text.length;
}
