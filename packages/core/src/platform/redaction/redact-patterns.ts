/** Finds secrets by their shapes (`secret-patterns.ts`). */
import { MARKS, readableLength } from './named-secrets.js';
import type { Span } from './redact-spans.js';
import { ADDRESS_MARK, LETTER_HEADS, SIGNED_HEADS } from './secret-heads.js';
import { headShape, LONGEST_HEAD, secretShape } from './secret-patterns.js';

export interface PatternMatches {
  /** In order, not overlapping. */
  spans: Span[];
  /** Start of a match that may be incomplete; the text's length if there is none. */
  open: number;
}

const PEM_HEAD = /-----BEGIN (?:[A-Z0-9]+ ){0,3}(?:PRIVATE KEY|CERTIFICATE)/i;
const LONGEST_MARK = 'AccountKey='.length;

/** Compiling takes 14 ms, so it waits for the first possible secret, which most runs never see. */
let patterns: ReturnType<typeof compile> | undefined;
let openHeads: RegExp | undefined;

function compile() {
  const { full, part } = secretShape();
  return { whole: new RegExp(full, 'y'), beginning: new RegExp(`${part}$`, 'y') };
}

/**
 * @param from matches start here or later; the text before it is only for look-behind conditions
 * @param isComplete no more text follows, so no match is incomplete
 */
export function findPatterns(text: string, from: number, isComplete: boolean): PatternMatches {
  const heads = new HeadSearch(text, headBefore(from));
  const spans: Span[] = [];
  let next = from;
  for (let start = heads.next(); start !== undefined; start = heads.next()) {
    patterns ??= compile();
    const { whole, beginning } = patterns;
    if (start < next) continue;
    if (!isComplete && matchesAt(beginning, text, start)) return { spans, open: start };
    if (!matchesAt(whole, text, start)) continue;
    next = whole.lastIndex;
    spans.push({ start: start + readableLength(text, start), end: next });
    heads.skipTo(headBefore(next));
  }
  return { spans, open: isComplete ? text.length : openHead(text, next) };
}

/** Finds where secrets may start, in order. Merges the two head searches, each of which reads no further than needed. */
class HeadSearch {
  private plain: number | undefined;
  private signed: number | undefined;
  private plainFrom: number;
  private signedFrom: number;

  constructor(
    private readonly text: string,
    from: number,
  ) {
    this.plainFrom = from;
    this.signedFrom = from;
    this.plain = this.nextPlain();
    this.signed = this.nextSigned();
  }

  next(): number | undefined {
    const { plain, signed } = this;
    if (plain !== undefined && (signed === undefined || plain <= signed)) {
      this.plain = this.nextPlain();
      return plain;
    }
    if (signed !== undefined) this.signed = this.nextSigned();
    return signed;
  }

  /** Ignores heads before this position. */
  skipTo(place: number): void {
    this.plainFrom = Math.max(this.plainFrom, place);
    this.signedFrom = Math.max(this.signedFrom, place);
  }

  private nextPlain(): number | undefined {
    LETTER_HEADS.lastIndex = this.plainFrom;
    const head = LETTER_HEADS.exec(this.text);
    if (!head) return undefined;
    this.plainFrom = head.index + 1;
    return head.index;
  }

  private nextSigned(): number | undefined {
    SIGNED_HEADS.lastIndex = this.signedFrom;
    const head = SIGNED_HEADS.exec(this.text);
    if (!head) return undefined;
    this.signedFrom = head.index + 1;
    if (head[0] === ADDRESS_MARK) return head.index + ADDRESS_MARK.length;
    const before = head.slice(1).find((group) => group !== undefined) ?? '';
    return MARKS.has(before) ? head.index + 1 : head.index - before.length;
  }
}

/** Whether a value is or contains a secret. The first line of a key is enough. */
export function looksSecret(value: string): boolean {
  return PEM_HEAD.test(value) || findPatterns(value, 0, true).spans.length > 0;
}

/** A secret may start at `start`, after its mark. */
function headBefore(start: number): number {
  return Math.max(0, start - LONGEST_MARK);
}

function matchesAt(pattern: RegExp, text: string, start: number): boolean {
  pattern.lastIndex = start;
  return pattern.test(text);
}

/** Start of an incomplete head at the end of the text. */
function openHead(text: string, from: number): number {
  openHeads ??= new RegExp(`(?:${headShape().part})$`, 'g');
  openHeads.lastIndex = Math.max(from, text.length - LONGEST_HEAD);
  return openHeads.exec(text)?.index ?? text.length;
}
