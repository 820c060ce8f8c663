/** One line of text that is being typed: the composer's buffer without line breaks, and the part of it that is in sight. */
import { EDITS } from '../composer/edit-commands.js';
import { bufferOf, insertText as insertInto, type TextBuffer, textOf } from '../composer/text-buffer.js';
import { commandOf } from '../keys/bindings.js';
import type { Key } from '../keys/key.js';
import { letterOf } from '../keys/key-scope.js';
import { graphemes, textWidth } from '../text/width.js';

export type FieldState = TextBuffer;
export { textOf };

/** More than a user types into one line; a pasted file is not meant for it. */
const MAX_LENGTH = 10_000;
const COMMANDS = [
  ...([
    'cursor.home',
    'cursor.end',
    'cursor.wordLeft',
    'cursor.wordRight',
    'cursor.left',
    'cursor.right',
  ] as const),
  ...(['edit.deleteWordLeft', 'edit.deleteWordRight', 'edit.deleteLeftAll', 'edit.deleteRightAll'] as const),
  ...(['edit.deleteLeft', 'edit.deleteRight', 'edit.yank', 'edit.undo', 'edit.redo'] as const),
];

export function fieldOf(text: string): FieldState {
  return bufferOf(oneLine(text, MAX_LENGTH));
}

export function insertText(state: FieldState, text: string): FieldState {
  return insertInto(state, oneLine(text, Math.max(0, MAX_LENGTH - textOf(state).length)));
}

/** Undefined: the key means nothing to a line of text. */
export function fieldKey(state: FieldState, key: Key): FieldState | undefined {
  const command = commandOf(key, COMMANDS);
  // Ctrl+D on an empty line is for the app.
  const isForApp = command === 'edit.deleteRight' && textOf(state) === '';
  const edit = COMMANDS.find((known) => known === command);
  if (edit) return isForApp ? undefined : EDITS[edit](state, Number.POSITIVE_INFINITY);
  const typed = letterOf(key);
  return typed ? insertText(state, typed) : undefined;
}

function oneLine(text: string, most: number): string {
  return text
    .slice(0, most * 2)
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .slice(0, most);
}

export interface FieldView {
  before: string;
  /** The character under the caret; a blank at the end. */
  caret: string;
  after: string;
}

/** The part around the caret that fits into `width` columns. @param isMasked shows a `*` for each character */
export function fieldView(state: FieldState, width: number, isMasked = false): FieldView {
  const written = [...graphemes(textOf(state))];
  const shown = isMasked ? written.map(() => '*') : written;
  const caret = [...graphemes(textOf(state).slice(0, state.column))].length;
  const start = startFor(shown, caret, width);
  let end = start;
  for (let columns = 0; end < shown.length; end++) {
    columns += textWidth(shown[end] ?? '');
    if (columns > width) break;
  }
  return {
    before: shown.slice(start, caret).join(''),
    caret: shown[caret] ?? ' ',
    after: shown.slice(caret + 1, end).join(''),
  };
}

/** The first character shown, so that the caret is in sight. */
function startFor(characters: readonly string[], caret: number, width: number): number {
  let start = caret;
  for (let columns = textWidth(characters[caret] ?? ' '); start > 0; start--) {
    columns += textWidth(characters[start - 1] ?? '');
    if (columns > width) break;
  }
  return start;
}
