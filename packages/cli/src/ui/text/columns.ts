/** Texts in columns, for what is drawn line by line. */
import { breakSpans, span, wrapSpans } from './spans.js';
import { ansiWidth, takeWidth } from './width.js';

/** Also of text with styles. */
export const widthOf = ansiWidth;

/** Lines of at most `width` columns, broken at spaces. For text without styles. */
export function wrapText(text: string, width: number): string[] {
  return wrapSpans([span(text)], width).map(textOfLine);
}

/** As written, broken only where the room ends: for commands and other text of which nothing may be lost. */
export function breakText(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => breakSpans([span(line)], width).map(textOfLine));
}

/** At most `width` columns; what is cut is replaced by `…`. For text without styles. */
export function cutText(text: string, width: number): string {
  const whole = takeWidth(text, width);
  if (whole.head.length === text.length) return text;
  return width < 1 ? '' : `${takeWidth(text, width - 1).head}…`;
}

function textOfLine(spans: readonly { text: string }[]): string {
  return spans.map(({ text }) => text).join('');
}
