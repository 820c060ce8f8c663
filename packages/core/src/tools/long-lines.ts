/** Lines too long to be shown to a model in full. */

export const MAX_LINE_LENGTH = 2000;
const CUT_MARK = '... [truncated]';

/** The line itself when it is short enough; a carriage return at its end does not count. */
export function shortenLine(line: string): string {
  const carriageReturn = line.endsWith('\r') ? 1 : 0;
  if (line.length - carriageReturn <= MAX_LINE_LENGTH) return line;
  // Not between the two halves of a character.
  const code = line.charCodeAt(MAX_LINE_LENGTH - 1);
  const length = code >= 0xd800 && code <= 0xdbff ? MAX_LINE_LENGTH - 1 : MAX_LINE_LENGTH;
  return line.slice(0, length) + CUT_MARK;
}
