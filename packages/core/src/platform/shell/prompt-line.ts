/** Tells whether an unfinished last line is a prompt or just incomplete output. */
import { cleanTerminalText } from '../../base/ansi.js';

const TAIL_BYTES = 512;

export class LastLine {
  private tail = Buffer.alloc(0);

  push(chunk: Buffer): void {
    const joined = chunk.length >= TAIL_BYTES ? chunk : Buffer.concat([this.tail, chunk]);
    this.tail = Buffer.from(joined.subarray(-TAIL_BYTES));
  }

  /** Empty when the last line is complete. */
  get text(): string {
    const text = cleanTerminalText(this.tail.toString('utf8'));
    return text.slice(Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
  }
}

/** Loose test, for a program that is known to read its input. */
export function endsLikePrompt(line: string): boolean {
  return /[:?>$#%)\]»›❯]\s*$/.test(line);
}

const QUESTIONS = [
  /(?:pass(?:word|phrase|code)|\bPIN\b|\bOTP\b|(?:user)?name|login|token|\bcode\b|e-?mail)[^\n]{0,80}:\s*$/i,
  /[([](?:y(?:es)?\s*\/\s*n(?:o)?|n(?:o)?\s*\/\s*y(?:es)?)(?:\s*\/[^)\]]*)?[)\]][\s:?]*$/i,
  /\?\s*(?:[([][^)\]]{1,40}[)\]])?\s*$/,
  /\b(?:press|hit|type|enter)\b[^\n]{0,60}(?:\bkey\b|\benter\b|\breturn\b|continue)[^\n]{0,40}$/i,
  /^(?:>>>|>|\.\.\.|\w{1,20}(?:\([^)]{0,30}\))?>) ?$/,
];

/** Strict test, when only the text can tell: a working program would hardly stop at such a line. */
export function isQuestion(line: string): boolean {
  return QUESTIONS.some((pattern) => pattern.test(line));
}
