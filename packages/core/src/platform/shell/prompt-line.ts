/** What a line that ends without a line feed looks like: a question, or just unfinished. */
import { cleanTerminalText } from '../../base/ansi.js';

const TAIL_BYTES = 512;

/** Keeps the end of a stream of bytes, to look at its last line. */
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

/** Enough when the program is known to listen. */
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

/** Enough where nothing but the text tells: what a program at work would hardly leave standing. */
export function isQuestion(line: string): boolean {
  return QUESTIONS.some((pattern) => pattern.test(line));
}
