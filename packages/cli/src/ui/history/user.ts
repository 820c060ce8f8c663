/** Draws the user's messages in the style of the input box. */
import type { Look } from '../look.js';
import { cleanText } from '../text/clean.js';
import { paintSpans, span, wrapSpans } from '../text/spans.js';
import { textWidth } from '../text/width.js';
import { truncateAnsi } from '../text/wrap.js';
import { stylesOf } from '../themes/styles.js';
import { hiddenText } from './cut.js';

/** Long messages are cut: of a resumed session only the whole text of a paste is known. */
const LONG_MESSAGE = 30;
const KEPT_ROWS = 10;

export function userLines({ text, shown = text }: { text: string; shown?: string }, look: Look): string[] {
  if (look.expanded) return promptLines(cleanText(text), '> ', look, 'User: ');
  return promptLines(cleanText(shown), '> ', look, 'User: ', LONG_MESSAGE);
}

export function userShellLines(text: string, look: Look): string[] {
  return promptLines(cleanText(text), '$ ', look, 'Shell command: ');
}

function promptLines(
  text: string,
  mark: string,
  look: Look,
  role: string,
  limit = Number.POSITIVE_INFINITY,
): string[] {
  if (look.screenReader)
    return wrapSpans([span(role + text)], look.width).map((line) => paintSpans(line, look.paint));
  const styles = stylesOf(look.theme);
  const { background } = look.theme;
  const isTinted = background.input !== '' && look.paint(' ', { background: background.input }) !== ' ';
  const side = isTinted ? 1 : 0;
  const inner = Math.max(1, look.width - mark.length - 2 * side);
  const all = wrapSpans([span(text)], inner).map((row) => row.map((part) => part.text).join(''));
  const rows =
    all.length > limit
      ? [...all.slice(0, KEPT_ROWS), truncateAnsi(hiddenText(all.length - KEPT_ROWS, 'more'), inner)]
      : all;
  if (!isTinted) {
    return rows.map((row, index) =>
      index === 0
        ? look.paint(mark, styles.accentBold) + look.paint(row, styles.primary)
        : `  ${look.paint(row, styles.primary)}`,
    );
  }
  const edge = { color: background.input };
  const body = rows.map((row, index) => {
    const rest = ' '.repeat(Math.max(0, look.width - 1 - mark.length - textWidth(row)));
    return (
      look.paint(` ${index === 0 ? mark : '  '}`, styles.inputMark) + look.paint(row + rest, styles.input)
    );
  });
  return [look.paint('▄'.repeat(look.width), edge), ...body, look.paint('▀'.repeat(look.width), edge)];
}
