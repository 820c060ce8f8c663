/** Redaction of text that comes in pieces. Passes on at once what can be no part of a secret, and holds back the rest. */
import type { LiteralSearch } from './literal-search.js';
import { findPatterns } from './redact-patterns.js';
import { inOrder, maskSpans } from './redact-spans.js';
import { LOOK_BEHIND } from './secret-patterns.js';

/** From here on, held text is only searched again when it has grown by a quarter: many tiny pieces stay linear. */
const PATIENCE = 512;

export class RedactingStream {
  /** Arrived, but not passed on: a secret may begin at its first character. */
  private held = '';
  /** Arrived after `held`, not searched yet. */
  private fresh = '';
  /** The last characters before `held`. */
  private before = '';
  /** So many characters of `held` belong to a mask that is out already. */
  private masked = 0;
  /** Patterns are searched from this character of `held` on; before it they have been found. */
  private searched = 0;

  /** @param known gives the search for known secrets, which may change while the stream runs */
  constructor(private readonly known: () => LiteralSearch | undefined) {}

  /** The text that is safe to pass on, perhaps empty. */
  push(chunk: string): string {
    this.fresh += chunk;
    if (this.held.length > PATIENCE && this.fresh.length * 4 < this.held.length) return '';
    return this.advance(false);
  }

  /** The rest. The stream can be used anew afterwards. */
  end(): string {
    const rest = this.advance(true);
    this.before = '';
    this.masked = 0;
    this.searched = 0;
    return rest;
  }

  private advance(isEnd: boolean): string {
    const start = this.before.length;
    const text = this.before + this.held + this.fresh;
    const known = this.known();
    const patterns = findPatterns(text, start + this.searched, isEnd);
    const end = isEnd
      ? text.length
      : wholePairs(text, Math.min(patterns.open, known?.findOpen(text, start) ?? Infinity));
    const spans = inOrder(known?.find(text, start) ?? [], patterns.spans);
    const masked = maskSpans(text, spans, start + this.masked, end);
    const lastPattern = patterns.spans.findLast((span) => span.start < end);
    this.searched = Math.max(0, start + this.searched - end, (lastPattern?.end ?? 0) - end);
    this.masked = masked.done - end;
    this.before = text.slice(Math.max(0, end - LOOK_BEHIND), end);
    this.held = text.slice(end);
    this.fresh = '';
    return masked.text;
  }
}

/** `end`, or one less: the first half of a surrogate pair waits for the second. */
function wholePairs(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return end === text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
