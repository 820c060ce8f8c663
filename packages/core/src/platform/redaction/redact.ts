/** Masks secrets in everything that leaves the program: log, recordings, telemetry, exports. */
import { LiteralSearch } from './literal-search.js';
import { findPatterns } from './redact-patterns.js';
import { inOrder, maskSpans } from './redact-spans.js';
import { RedactingStream } from './redact-stream.js';
import { redactDeep } from './redact-value.js';
import { formsOf, secretsOf } from './secret-forms.js';

export { MASK } from './redact-spans.js';

export class Redactor {
  private readonly literals = new Set<string>();
  private search: LiteralSearch | undefined;

  /** Ignores short and common values: masking "default" everywhere would make texts unreadable. */
  addSecret(value: string): void {
    const before = this.literals.size;
    for (const form of formsOf(value)) this.literals.add(form);
    if (this.literals.size > before) this.search = undefined;
  }

  /** Adds the values of all variables with secret-like names. */
  addEnvironment(environment: Readonly<Record<string, string | undefined>>): void {
    for (const value of secretsOf(environment)) this.addSecret(value);
  }

  redact(text: string): string {
    const spans = inOrder(this.known()?.find(text) ?? [], findPatterns(text, 0, true).spans);
    return spans.length === 0 ? text : maskSpans(text, spans, 0, text.length).text;
  }

  /** Masks every string in the value; returns the same object if there is nothing to mask. */
  redactValue<T>(value: T): T {
    return redactDeep(value, (text) => this.redact(text));
  }

  /** For text in pieces: finds secrets wherever they are split, as in the whole text. */
  stream(): RedactingStream {
    return new RedactingStream(() => this.known());
  }

  private known(): LiteralSearch | undefined {
    if (!this.search && this.literals.size > 0) this.search = new LiteralSearch([...this.literals]);
    return this.search;
  }
}
