/** Cuts text to a range of lines and a length per line. */
import { shortenLine } from '../long-lines.js';

const MAX_LINES = 2000;

export interface LineRange {
  /** 1-based; the first line when absent. */
  start?: number;
  /** Inclusive; `MAX_LINES` from the start when absent. */
  end?: number;
}

export interface SelectedLines {
  text: string;
  /** 1-based, inclusive; `end` < `start` when the range is beyond the text. */
  start: number;
  end: number;
  total: number;
  /** Some lines were too long. */
  shortened: boolean;
}

export function selectLines(
  text: string,
  { start = 1, end = start + MAX_LINES - 1 }: LineRange,
): SelectedLines {
  const lines: string[] = [];
  let total = 0;
  let shortened = false;
  for (let offset = 0; offset < text.length; ) {
    const next = text.indexOf('\n', offset);
    const stop = next === -1 ? text.length : next;
    total++;
    if (total >= start && total <= end) {
      const line = text.slice(offset, stop);
      const shown = shortenLine(line);
      if (shown !== line) shortened = true;
      lines.push(shown);
    }
    offset = stop + 1;
  }
  const last = Math.min(end, total);
  const isWhole = start === 1 && last === total;
  if (isWhole && !shortened) return { text, start, end: last, total, shortened };
  const endsWithLine = isWhole && text.endsWith('\n');
  return { text: lines.join('\n') + (endsWithLine ? '\n' : ''), start, end: last, total, shortened };
}
