/** The input box's state and its reducer. Pure: keys and callbacks are in composer-keys.ts and composer-store.ts. */
import { EDITS, type EditCommand } from './edit-commands.js';
import { imageLabel } from './folded.js';
import { type Browsing, browse } from './history-browsing.js';
import { foundText, type HistorySearch, moveInSearch, searchFor, startSearch } from './history-search.js';
import { type Cell, cellOf, layoutOf, positionAt } from './layout.js';
import {
  bufferOf,
  EMPTY_BUFFER,
  insertFolded,
  insertText,
  moveTo,
  pasteText,
  positionOfOffset,
  replaceRange,
  type TextBuffer,
  textOf,
  toggleFold,
  withText,
} from './text-buffer.js';
import { vimInserted } from './vim.js';
import { inNormal } from './vim-operators.js';
import { VIM_START, type VimState } from './vim-state.js';

/** Half blocks on a tint, a round border, or neither (screen reader). */
export type ComposerBox = 'tint' | 'border' | 'none';

export interface ComposerState {
  readonly buffer: TextBuffer;
  /** Undefined: vim mode is off. */
  readonly vim: VimState | undefined;
  readonly isShellMode: boolean;
  readonly search: HistorySearch | undefined;
  readonly browsing: Browsing | undefined;
  /** Of the whole box. */
  readonly width: number;
  /** Most rows of text shown at once. */
  readonly maxRows: number;
  readonly box: ComposerBox;
  /** First row shown. */
  readonly top: number;
}

export type ComposerAction =
  | { type: 'edit'; command: EditCommand }
  | { type: 'insert'; text: string }
  /** Must be clean (`cleanText`); long text becomes a label. */
  | { type: 'paste'; text: string }
  /** `reference` is what is sent; the label shows the name. */
  | { type: 'image'; reference: string; fileName: string }
  | { type: 'setText'; text: string; cursor?: 'start' | 'end' }
  /** Applies a completion; labels elsewhere in the text are kept. */
  | { type: 'complete'; text: string; cursor: number }
  /** `keepsMode`: vim stays in NORMAL. */
  | { type: 'clear'; keepsMode?: boolean }
  | { type: 'toggleFold' }
  | { type: 'put'; buffer: TextBuffer; vim?: VimState }
  | { type: 'history'; step: -1 | 1; entries: readonly string[] }
  | { type: 'searchStart'; entries: readonly string[] }
  | { type: 'searchMove'; step: number }
  | { type: 'searchAccept' }
  | { type: 'searchCancel' }
  | { type: 'shellMode'; on: boolean }
  | { type: 'vimMode'; on: boolean }
  /** Row and column of the text, as returned by `cellAt`; a double click opens or closes a label. */
  | { type: 'click'; cell: Cell; isDouble: boolean }
  | { type: 'resize'; width?: number; maxRows?: number; box?: ComposerBox };

export function initialComposer(
  size: { width?: number; maxRows?: number; box?: ComposerBox; vim?: boolean } = {},
): ComposerState {
  return {
    buffer: EMPTY_BUFFER,
    vim: size.vim ? VIM_START : undefined,
    isShellMode: false,
    search: undefined,
    browsing: undefined,
    width: size.width ?? 80,
    maxRows: size.maxRows ?? 10,
    box: size.box ?? 'border',
    top: 0,
  };
}

/** Returns the same object when nothing changes. */
export function reduceComposer(state: ComposerState, action: ComposerAction): ComposerState {
  const next = change(state, action);
  if (next === state) return state;
  const search =
    next.search && next.buffer !== state.buffer ? searchFor(next.search, textOf(next.buffer)) : next.search;
  const settled = search === next.search ? next : { ...next, search };
  const top = topRow(settled, settled.maxRows, columnsOf(settled));
  return top === settled.top ? settled : { ...settled, top };
}

/** Columns for the text: the box without border, prefix and the cursor's place after a full row. */
export function textColumns(width: number, box: ComposerBox, prefixWidth: number): number {
  return Math.max(1, width - leftColumns(box, prefixWidth) - (box === 'border' ? 2 : 1));
}

export function leftColumns(box: ComposerBox, prefixWidth: number): number {
  const edge = box === 'border' ? 2 : box === 'tint' ? 1 : 0;
  return edge + prefixWidth + 1;
}

export const SEARCH_PREFIX = '(r:)';

export function columnsOf(state: ComposerState): number {
  return textColumns(state.width, state.box, state.search ? SEARCH_PREFIX.length : 1);
}

/** Maps a position in the drawn box (`composerLines`) to a cell of the text; undefined: on the border. */
export function cellAt(state: ComposerState, place: { row: number; column: number }): Cell | undefined {
  const row = place.row - (state.box === 'none' ? 0 : 1);
  const shown = Math.min(state.maxRows, layoutOf(state.buffer.lines, columnsOf(state)).rowCount);
  if (row < 0 || row >= shown) return undefined;
  const left = leftColumns(state.box, state.search ? SEARCH_PREFIX.length : 1);
  return { row: state.top + row, column: Math.max(0, place.column - left) };
}

/** Scrolls as little as needed to show the cursor. */
export function topRow(state: ComposerState, maxRows: number, columns: number): number {
  const layout = layoutOf(state.buffer.lines, columns);
  const rows = Math.max(1, maxRows);
  const cursor = cellOf(layout, state.buffer).row;
  const lowest = Math.max(0, layout.rowCount - rows);
  return Math.min(Math.max(state.top, cursor - rows + 1), cursor, lowest);
}

function change(state: ComposerState, action: ComposerAction): ComposerState {
  const { buffer } = state;
  switch (action.type) {
    case 'edit': {
      const columns = columnsOf(state);
      return edited(state, (before) => EDITS[action.command](before, columns));
    }
    case 'insert':
      return edited(state, (before) => insertText(before, action.text));
    case 'paste':
      return edited(state, (before) => pasteText(before, action.text));
    case 'image':
      return edited(state, (before) =>
        insertText(
          insertFolded(before, action.reference, (taken) => imageLabel(action.fileName, taken)),
          ' ',
        ),
      );
    case 'setText':
      return {
        ...state,
        buffer: withText(buffer, action.text, action.cursor),
        browsing: undefined,
        search: undefined,
      };
    case 'complete':
      return edited(state, (before) => completed(before, action.text, action.cursor));
    case 'clear':
      return {
        ...state,
        buffer: { ...EMPTY_BUFFER, kills: buffer.kills, undo: withText(buffer, '').undo },
        vim: state.vim && clearedVim(state.vim, action.keepsMode ?? false),
        browsing: undefined,
        search: undefined,
      };
    case 'toggleFold': {
      const folded = toggleFold(buffer);
      return folded ? { ...state, buffer: folded } : state;
    }
    case 'put':
      if (action.buffer === buffer && action.vim === state.vim) return state;
      return { ...state, buffer: action.buffer, vim: action.vim ?? state.vim };
    case 'history': {
      const found = browse(state.browsing, buffer, action.step, action.entries);
      if (!found) return state;
      return { ...state, browsing: found.browsing, buffer: { ...found.buffer, kills: buffer.kills } };
    }
    case 'searchStart':
      return { ...state, buffer: EMPTY_BUFFER, search: startSearch(action.entries, buffer) };
    case 'searchMove':
      return state.search ? { ...state, search: moveInSearch(state.search, action.step) } : state;
    case 'searchAccept': {
      if (!state.search) return state;
      const text = foundText(state.search);
      const taken = text === undefined ? state.search.original : { ...bufferOf(text), kills: buffer.kills };
      return { ...state, buffer: taken, search: undefined, browsing: undefined };
    }
    case 'searchCancel':
      return state.search ? { ...state, buffer: state.search.original, search: undefined } : state;
    case 'shellMode':
      return state.isShellMode === action.on ? state : { ...state, isShellMode: action.on };
    case 'vimMode':
      return { ...state, vim: action.on ? (state.vim ?? VIM_START) : undefined };
    case 'click': {
      const place = positionAt(layoutOf(buffer.lines, columnsOf(state)), action.cell);
      const moved = moveTo(buffer, place);
      return { ...state, buffer: (action.isDouble ? toggleFold(moved) : undefined) ?? moved };
    }
    case 'resize': {
      const { width = state.width, maxRows = state.maxRows, box = state.box } = action;
      const isSame = width === state.width && maxRows === state.maxRows && box === state.box;
      return isSame ? state : { ...state, width, maxRows, box };
    }
  }
}

/** In INSERT vim records the edit for `.`; in NORMAL the cursor stays on a character. */
function edited(state: ComposerState, step: (buffer: TextBuffer) => TextBuffer): ComposerState {
  const after = step(state.buffer);
  if (isSameOnScreen(after, state.buffer)) return state;
  const isInsert = state.vim?.mode === 'INSERT';
  return {
    ...state,
    buffer: state.vim && !isInsert ? inNormal(after) : after,
    vim: state.vim && isInsert ? vimInserted(state.vim, step) : state.vim,
    // A recalled prompt becomes a draft when it is edited, not when the cursor moves in it.
    browsing: after.lines === state.buffer.lines ? state.browsing : undefined,
  };
}

/** A new prompt starts in INSERT; the register is kept. */
function clearedVim(vim: VimState, keepsMode: boolean): VimState {
  const { register, find, last } = vim;
  return { ...VIM_START, mode: keepsMode ? 'NORMAL' : 'INSERT', register, find, last };
}

/** A cursor move without effect is not a change. */
function isSameOnScreen(one: TextBuffer, other: TextBuffer): boolean {
  return (
    one.lines === other.lines &&
    one.row === other.row &&
    one.column === other.column &&
    one.folded === other.folded
  );
}

/** Replaces only the part that differs, so labels around it are kept. */
function completed(buffer: TextBuffer, text: string, cursor: number): TextBuffer {
  const before = textOf(buffer);
  let head = 0;
  while (head < before.length && head < text.length && before[head] === text[head]) head++;
  let tail = 0;
  const room = Math.min(before.length, text.length) - head;
  while (tail < room && before.at(-1 - tail) === text.at(-1 - tail)) tail++;
  const start = positionOfOffset(buffer, head);
  const end = positionOfOffset(buffer, before.length - tail);
  const changed =
    before === text ? buffer : replaceRange(buffer, start, end, text.slice(head, text.length - tail));
  return moveTo(changed, positionOfOffset(changed, cursor));
}
