/** What vim mode remembers. */
import type { Position } from './layout.js';
import type { TextBuffer } from './text-buffer.js';
import type { Find } from './vim-motions.js';
import type { Register } from './vim-operators.js';
import type { VimCommand } from './vim-parse.js';

export type VimMode = 'INSERT' | 'NORMAL' | 'VISUAL' | 'VISUAL LINE';

/** An edit made in INSERT, repeated by `.`. */
export type InsertStep = (buffer: TextBuffer) => TextBuffer;

export interface VimState {
  mode: VimMode;
  /** Keys of an incomplete command. */
  pending: readonly string[];
  register: Register;
  find: Find | undefined;
  /** Where the selection began. */
  anchor: Position | undefined;
  /** The last change, for `.`. */
  last: Change | undefined;
  /** The change that started INSERT, and the text before it. */
  inserting: { change: Change; before: TextBuffer } | undefined;
}

export interface Change {
  command: VimCommand;
  steps: readonly InsertStep[];
}

export interface VimResult {
  vim: VimState;
  buffer: TextBuffer;
}

export const VIM_START: VimState = {
  mode: 'INSERT',
  pending: [],
  register: { text: '', isLines: false },
  find: undefined,
  anchor: undefined,
  last: undefined,
  inserting: undefined,
};

/** One undo reverts the whole command. */
export function asOneStep(before: TextBuffer, after: TextBuffer): TextBuffer {
  const { lines, row, column, folded } = before;
  return { ...after, undo: [...before.undo, { lines, row, column, folded }], redo: [], run: undefined };
}
