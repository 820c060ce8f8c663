/** Lines too long to be shown to a model in full. */
import { headOf } from '../base/cut-text.js';

export const MAX_LINE_LENGTH = 2000;
const CUT_MARK = '... [truncated]';

/** The line itself when it is short enough; a carriage return at its end does not count. Idempotent. */
export function shortenLine(line: string): string {
  const carriageReturn = line.endsWith('\r') ? 1 : 0;
  if (line.length - carriageReturn <= MAX_LINE_LENGTH) return line;
  return headOf(line, MAX_LINE_LENGTH) + CUT_MARK;
}
