/** Draws frames around lines. */
import type { Look } from '../look.js';
import { ansiWidth } from '../text/width.js';
import { truncateAnsi } from '../text/wrap.js';
import type { Style } from '../themes/style.js';
import { stylesOf } from '../themes/styles.js';

/** Columns that a frame takes. */
export const BOX_COLUMNS = 4;

/** A round frame of the look's width; lines must already fit `width - BOX_COLUMNS`. In narrow windows: no frame. */
export function boxed(lines: readonly string[], look: Look, style?: Style): string[] {
  if (look.screenReader || look.width < MIN_WIDTH) return [...lines];
  const border = style ?? stylesOf(look.theme).border;
  const inner = look.width - BOX_COLUMNS;
  const bar = look.paint('│', border);
  const rule = '─'.repeat(look.width - 2);
  return [
    look.paint(`╭${rule}╮`, border),
    ...lines.map((line) => {
      const width = ansiWidth(line);
      const fitted = width > inner ? truncateAnsi(line, inner) : line;
      return `${bar} ${fitted}${' '.repeat(Math.max(0, inner - width))} ${bar}`;
    }),
    look.paint(`╰${rule}╯`, border),
  ];
}

const MIN_WIDTH = 12;
