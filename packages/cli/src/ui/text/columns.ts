/** Measures, wraps and cuts text by columns. */
import { breakSpans, span, wrapSpans } from './spans.js';
import { ansiWidth, takeWidth } from './width.js';

/** The text may contain styles. */
export const widthOf = ansiWidth;

/** Wraps at spaces to at most `width` columns. For text without styles. */
export function wrapText(text: string, width: number): string[] {
  return wrapSpans([span(text)], width).map(textOfLine);
}

/** Breaks only at the width and drops nothing: for commands and other text that must be shown whole. */
export function breakText(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => breakSpans([span(line)], width).map(textOfLine));
}

/** At most `width` columns, cut with `…`. For text without styles. */
export function cutText(text: string, width: number): string {
  const whole = takeWidth(text, width);
  if (whole.head.length === text.length) return text;
  return width < 1 ? '' : `${takeWidth(text, width - 1).head}…`;
}

function textOfLine(spans: readonly { text: string }[]): string {
  return spans.map(({ text }) => text).join('');
}
