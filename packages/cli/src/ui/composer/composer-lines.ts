/** Draws the input box as styled lines; the first paint, Ink and the tests share them. */
import type { Look } from '../look.js';
import type { Style } from '../themes/style.js';
import {
  type ComposerBox,
  type ComposerState,
  leftColumns,
  SEARCH_PREFIX,
  textColumns,
  topRow,
} from './composer-state.js';
import { graphemeWidth, nextBoundary, shownText, widthOf } from './graphemes.js';
import { cellOf, type Layout, layoutOf, rowAt } from './layout.js';
import { isEmptyText } from './text-buffer.js';
import { isBefore, type Stretch } from './vim-operators.js';
import { selectionOf } from './vim-visual.js';

export interface ComposerLook {
  width: number;
  maxRows: number;
  look: Look;
  prefix: string;
  placeholder: string;
  /** Default: the box in the state. */
  box?: ComposerBox;
  /** False: the cursor is not drawn, only its position is returned. */
  isFocused?: boolean;
  /** The completion that Tab would insert, drawn after the cursor. */
  ghost?: string;
  /** Colour of the prefix and the border; default: the theme's accent. */
  color?: string;
}

export interface DrawnComposer {
  lines: string[];
  cursor: { row: number; column: number };
}

export function composerLines(state: ComposerState, options: ComposerLook): DrawnComposer {
  const { look, maxRows } = options;
  const width = Math.max(1, Math.floor(options.width));
  const box = boxFor(options.box ?? state.box, look);
  const prefix = state.search ? SEARCH_PREFIX : options.prefix;
  const prefixWidth = widthOf(prefix);
  const columns = textColumns(width, box, prefixWidth);
  const left = leftColumns(box, prefixWidth);
  const layout = layoutOf(state.buffer.lines, columns);
  const rows = Math.max(1, Math.min(maxRows, layout.rowCount));
  const top = topRow(state, rows, columns);
  const cursor = cellOf(layout, state.buffer);
  const frame = framed(box, width, look, options.color);

  const content = Array.from({ length: rows }, (_, index) => {
    const row = top + index;
    const own =
      row === 0 ? look.paint(prefix, { ...frame.style, color: options.color ?? look.theme.text.accent }) : '';
    const gap = look.paint(' '.repeat(row === 0 ? 1 : prefixWidth + 1), frame.style);
    const text = isEmptyText(state.buffer)
      ? placeholderRow(options, columns, frame.style)
      : textRow(state, options, layout, row, columns, frame.style);
    return frame.row(own + gap + text.drawn, left + text.width);
  });
  return {
    lines: [...frame.top, ...content, ...frame.bottom],
    cursor: {
      row: frame.top.length + cursor.row - top,
      column: Math.min(left + cursor.column, Math.max(0, width - 1)),
    },
  };
}

/** A theme without an input background gets a border instead of a tint. */
function boxFor(box: ComposerBox, look: Look): ComposerBox {
  if (look.screenReader) return 'none';
  return box === 'tint' && look.theme.background.input === '' ? 'border' : box;
}

interface Drawn {
  drawn: string;
  width: number;
}

/** The cursor is drawn on a blank before the placeholder. */
function placeholderRow(options: ComposerLook, columns: number, style: Style): Drawn {
  const { look, placeholder, isFocused = true } = options;
  const words = cut(placeholder, Math.max(0, columns - 1));
  const color = look.theme.text.secondary;
  return {
    drawn:
      look.paint(' ', isFocused ? { ...style, inverse: true } : style) +
      look.paint(words, { ...style, color }),
    width: 1 + widthOf(words),
  };
}

function textRow(
  state: ComposerState,
  options: ComposerLook,
  layout: Layout,
  screenRow: number,
  columns: number,
  style: Style,
): Drawn {
  const { look, isFocused = true, ghost = '' } = options;
  const { buffer } = state;
  const { row, start, end } = rowAt(layout, screenRow);
  const line = layout.lines[row] ?? '';
  const cell = cellOf(layout, buffer);
  const hasCursor = isFocused && cell.row === screenRow;
  const base = { ...style, color: look.theme.text.primary };
  const selection = state.vim && selectionOf(state.vim, buffer);
  const marks = marksOf(line, row, start, end, state, selection);
  if (hasCursor)
    marks.push({
      start: buffer.column,
      end: Math.max(buffer.column + 1, nextBoundary(line, buffer.column)),
      style: { inverse: true },
    });
  let drawn = '';
  for (const [from, to] of pieces(start, end, marks)) {
    const styles = marks.filter((mark) => mark.start <= from && to <= mark.end).map((mark) => mark.style);
    drawn += look.paint(shownText(line.slice(from, to)), Object.assign({}, base, ...styles));
  }
  let width = widthOf(line.slice(start, end));
  if (hasCursor && buffer.column >= end) {
    const hint =
      buffer.row === buffer.lines.length - 1 ? cut(ghost.split('\n')[0] ?? '', columns - width) : '';
    const first = hint.slice(0, nextBoundary(hint, 0));
    drawn += look.paint(first || ' ', { ...style, color: look.theme.text.secondary, inverse: true });
    drawn += look.paint(hint.slice(first.length), { ...style, color: look.theme.text.secondary });
    width += Math.max(1, widthOf(hint));
  }
  return { drawn, width };
}

interface Mark {
  start: number;
  end: number;
  style: Style;
}

/** Labels and the vim selection are highlighted. */
function marksOf(
  line: string,
  row: number,
  start: number,
  end: number,
  state: ComposerState,
  selection: Stretch | undefined,
): Mark[] {
  const marks: Mark[] = [];
  for (const label of state.buffer.folded.hidden.keys()) {
    for (let at = line.indexOf(label); at >= 0; at = line.indexOf(label, at + label.length)) {
      if (at < end && at + label.length > start)
        marks.push({ start: at, end: at + label.length, style: { bold: true } });
    }
  }
  if (selection && selection.start.row <= row && row <= selection.end.row) {
    const from = selection.isLines || selection.start.row < row ? 0 : selection.start.column;
    const to = selection.isLines || selection.end.row > row ? line.length : selection.end.column;
    if (isBefore({ row, column: from }, { row, column: to }))
      marks.push({ start: from, end: to, style: { inverse: true } });
  }
  return marks;
}

/** Splits a row at every start and end of a highlight. */
function pieces(start: number, end: number, marks: readonly Mark[]): [number, number][] {
  const edges = [start, end, ...marks.flatMap((mark) => [mark.start, mark.end])]
    .filter((edge) => edge >= start && edge <= end)
    .sort((one, other) => one - other);
  const found: [number, number][] = [];
  for (let index = 1; index < edges.length; index++) {
    const [from = 0, to = 0] = [edges[index - 1], edges[index]];
    if (from < to) found.push([from, to]);
  }
  return found;
}

interface Framed {
  top: string[];
  bottom: string[];
  style: Style;
  /** @param used columns that the content takes */
  row(content: string, used: number): string;
}

function framed(box: ComposerBox, width: number, look: Look, color: string | undefined): Framed {
  const { theme, paint } = look;
  if (box === 'none') return { top: [], bottom: [], style: {}, row: (content) => content };
  if (box === 'tint') {
    const background = theme.background.input;
    const style = { background };
    const edge = (sign: string) => [paint(sign.repeat(width), { color: background })];
    return {
      top: edge('▄'),
      bottom: edge('▀'),
      style,
      row: (content, used) =>
        paint(' ', style) + content + paint(' '.repeat(Math.max(0, width - used)), style),
    };
  }
  const style = { color: color ?? theme.border.focused };
  const line = '─'.repeat(Math.max(0, width - 2));
  const bar = paint('│', style);
  return {
    top: [paint(`╭${line}╮`, style)],
    bottom: [paint(`╰${line}╯`, style)],
    style: {},
    row: (content, used) => `${bar} ${content}${' '.repeat(Math.max(0, width - used - 1))}${bar}`,
  };
}

function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let width = 0;
  let end = 0;
  while (end < text.length) {
    const next = nextBoundary(text, end);
    width += graphemeWidth(text.slice(end, next));
    if (width > columns) break;
    end = next;
  }
  return text.slice(0, end);
}
