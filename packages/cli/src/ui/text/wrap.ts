/** Wraps and cuts painted lines and keeps their styles. */
import { breakSpans, PLAIN_STYLE, wrapSpans } from './spans.js';
import { ansiWidth, takeWidth } from './width.js';

const STYLE = /\x1b\[[0-9;:]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)/g;

/** Keeps words whole where they fit. Every line closes its own styles. */
export function wrapAnsi(text: string, width: number, mode: 'words' | 'characters' = 'words'): string[] {
  return text.split('\n').flatMap((line) => {
    if (ansiWidth(line) <= width) return [line];
    if (!line.includes('\x1b')) {
      const spans = [{ text: line, style: PLAIN_STYLE }];
      const rows = mode === 'words' ? wrapSpans(spans, width) : breakSpans(spans, width);
      return rows.map((row) => row.map((part) => part.text).join(''));
    }
    return breakStyled(line, Math.max(1, width));
  });
}

/** At most `width` columns, cut with `…`. */
export function truncateAnsi(line: string, width: number): string {
  if (ansiWidth(line) <= width) return line;
  if (width <= 0) return '';
  const [first = ''] = breakStyled(line, Math.max(1, width - 1));
  return `${first}…`;
}

function breakStyled(line: string, width: number): string[] {
  const rows: string[] = [];
  let row = '';
  let used = 0;
  let open: string[] = [];
  const addText = (text: string) => {
    let rest = text;
    while (rest !== '') {
      const { head, width: taken } = takeWidth(rest, width - used);
      if (head === '') {
        if (used === 0) {
          const [forced = rest] = rest;
          row += forced;
          rest = rest.slice(forced.length);
        }
        rows.push(open.length > 0 ? `${row}\x1b[0m` : row);
        [row, used] = [open.join(''), 0];
        continue;
      }
      row += head;
      used += taken;
      rest = rest.slice(head.length);
    }
  };
  let end = 0;
  for (const match of line.matchAll(STYLE)) {
    addText(line.slice(end, match.index));
    end = match.index + match[0].length;
    row += match[0];
    open = afterStyle(open, match[0]);
  }
  addText(line.slice(end));
  if (row !== '' || rows.length === 0) rows.push(open.length > 0 ? `${row}\x1b[0m` : row);
  return rows;
}

/** Styles in force. A closing code drops all of them, although it names only some: that keeps it simple. */
function afterStyle(open: string[], sequence: string): string[] {
  if (!sequence.startsWith('\x1b[')) return open;
  const codes = sequence.slice(2, -1).split(';');
  const isClosing = codes.every((code) => code === '' || code === '0' || /^(?:2[2-9]|39|49)$/.test(code));
  return isClosing ? [] : [...open, sequence];
}
