/** Redacts a stream of text. Passes on at once what cannot be part of a secret, and holds back the rest. */
import type { LiteralSearch } from './literal-search.js';
import { findPatterns } from './redact-patterns.js';
import { inOrder, maskSpans } from './redact-spans.js';
import { LOOK_BEHIND } from './secret-patterns.js';

/** Longer held text is searched again only after it has grown by a quarter, so that tiny pieces take linear time. */
const LAZY_SEARCH_LENGTH = 512;

export class RedactingStream {
  /** Text that was not passed on, because a secret may start at its first character. */
  private held = '';
  /** Text after `held`, not searched yet. */
  private fresh = '';
  /** The last characters before `held`. */
  private before = '';
  /** Number of characters of `held` that belong to a mask already passed on. */
  private masked = 0;
  /** Index in `held` from which patterns must be searched. */
  private searched = 0;

  /** @param known returns the search for known secrets, which may change while the stream runs */
  constructor(private readonly known: () => LiteralSearch | undefined) {}

  /** Returns the text that is safe to pass on; may be empty. */
  push(chunk: string): string {
    this.fresh += chunk;
    if (this.held.length > LAZY_SEARCH_LENGTH && this.fresh.length * 4 < this.held.length) return '';
    return this.advance(false);
  }

  /** Returns the rest. The stream can be reused afterwards. */
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
      : withoutHalfPair(text, Math.min(patterns.open, known?.findOpen(text, start) ?? Infinity));
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

/** Holds back the first half of a surrogate pair at the end. */
function withoutHalfPair(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return end === text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
