/** One line of text that is being typed: the composer's buffer without line breaks, and how it looks. */
import { EDITS } from '../composer/edit-commands.js';
import { bufferOf, insertText as insertInto, type TextBuffer, textOf } from '../composer/text-buffer.js';
import { commandOf } from '../keys/bindings.js';
import type { Key } from '../keys/key.js';
import type { Look } from '../look.js';
import { graphemes, textWidth } from '../text/width.js';
import { letterOf } from './use-dialog-input.js';

export type FieldState = TextBuffer;
export { textOf };

/** Nobody types more into a line; a pasted file is not meant for it. */
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

export interface FieldLook {
  width: number;
  placeholder?: string | undefined;
  /** For keys: as many `*` as there are characters. */
  isMasked?: boolean;
  isFocused?: boolean;
}

/** The part around the caret, and how many characters of it stand before the caret. */
export function fieldLine(
  look: Look,
  state: FieldState,
  { width, placeholder = '', isMasked = false, isFocused = true }: FieldLook,
): { line: string; caretColumn: number } {
  const { paint, theme } = look;
  const written = [...graphemes(textOf(state))];
  const shown = isMasked ? written.map(() => '*') : written;
  if (shown.length === 0) {
    const rest = paint(placeholder.slice(1, Math.max(1, width)), { color: theme.text.secondary });
    const first = paint(placeholder.slice(0, 1) || ' ', { color: theme.text.secondary, inverse: isFocused });
    return { line: first + rest, caretColumn: 0 };
  }
  const caret = [...graphemes(textOf(state).slice(0, state.column))].length;
  const start = startFor(shown, caret, width);
  let line = '';
  let columns = 0;
  for (let index = start; index < shown.length + 1; index++) {
    const character = shown[index] ?? ' ';
    columns += textWidth(character);
    if (columns > width) break;
    line += paint(character, { color: theme.text.primary, inverse: isFocused && index === caret });
  }
  return { line: line.trimEnd(), caretColumn: caret - start };
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

function oneLine(text: string, most: number): string {
  return text
    .slice(0, most * 2)
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .slice(0, most);
}
