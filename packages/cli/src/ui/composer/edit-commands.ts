/** What each editing key does to the text: one pure function per command. */
import { outOfLabel } from './folded.js';
import { cellOf, layoutOf, type Position, positionAt } from './layout.js';
import {
  charLeft,
  charRight,
  cursorOf,
  erase,
  insertText,
  kill,
  lineAt,
  moveTo,
  redo,
  type TextBuffer,
  undo,
  yankText,
} from './text-buffer.js';
import { wordEndAfter, wordStartBefore } from './words.js';

/** @param columns width of the text on the screen: Up and Down move by rows */
type Edit = (buffer: TextBuffer, columns: number) => TextBuffer;

export const EDIT_COMMANDS = [
  ...(['cursor.home', 'cursor.end', 'cursor.left', 'cursor.right', 'cursor.up', 'cursor.down'] as const),
  ...(['cursor.wordLeft', 'cursor.wordRight', 'edit.deleteLeft', 'edit.deleteRight'] as const),
  ...(['edit.deleteWordLeft', 'edit.deleteWordRight', 'edit.deleteLeftAll', 'edit.deleteRightAll'] as const),
  ...(['edit.yank', 'edit.undo', 'edit.redo', 'input.newline'] as const),
];

export type EditCommand = (typeof EDIT_COMMANDS)[number];

export const EDITS: Readonly<Record<EditCommand, Edit>> = {
  'cursor.home': (buffer) => moveTo(buffer, { row: buffer.row, column: 0 }),
  'cursor.end': (buffer) => moveTo(buffer, { row: buffer.row, column: lineAt(buffer).length }),
  'cursor.left': (buffer) => moveTo(buffer, charLeft(buffer)),
  'cursor.right': (buffer) => moveTo(buffer, charRight(buffer)),
  'cursor.up': (buffer, columns) => moveRows(buffer, -1, columns),
  'cursor.down': (buffer, columns) => moveRows(buffer, 1, columns),
  'cursor.wordLeft': (buffer) => moveTo(buffer, wordLeft(buffer)),
  'cursor.wordRight': (buffer) => moveTo(buffer, wordRight(buffer)),
  'edit.deleteLeft': (buffer) => erase(buffer, charLeft(buffer), buffer),
  'edit.deleteRight': (buffer) => erase(buffer, buffer, charRight(buffer)),
  'edit.deleteWordLeft': (buffer) => kill(buffer, wordLeft(buffer), buffer, 'before'),
  'edit.deleteWordRight': (buffer) => kill(buffer, buffer, wordRight(buffer), 'after'),
  'edit.deleteLeftAll': (buffer) => kill(buffer, lineStart(buffer), buffer, 'before'),
  'edit.deleteRightAll': (buffer) => kill(buffer, buffer, lineEnd(buffer), 'after'),
  'edit.yank': yankText,
  'edit.undo': undo,
  'edit.redo': redo,
  'input.newline': (buffer) => insertText(buffer, '\n'),
};

export function isFirstRow(buffer: TextBuffer, columns: number): boolean {
  return cellOf(layoutOf(buffer.lines, columns), buffer).row === 0;
}

export function isLastRow(buffer: TextBuffer, columns: number): boolean {
  const layout = layoutOf(buffer.lines, columns);
  return cellOf(layout, buffer).row === layout.rowCount - 1;
}

/** At the edge of the text the cursor does not move. */
function moveRows(buffer: TextBuffer, rows: number, columns: number): TextBuffer {
  const layout = layoutOf(buffer.lines, columns);
  const from = cellOf(layout, buffer);
  const goal = buffer.goal ?? from.column;
  const row = from.row + rows;
  if (row < 0 || row >= layout.rowCount) return buffer;
  return { ...moveTo(buffer, positionAt(layout, { row, column: goal })), goal };
}

/** At the start of a line it moves to the end of the line before, like a single character. */
function wordLeft(buffer: TextBuffer): Position {
  if (buffer.column === 0) return charLeft(buffer);
  const line = lineAt(buffer);
  const column = wordStartBefore(line, buffer.column);
  return { row: buffer.row, column: outOfLabel(line, column, buffer.folded, 'start') };
}

function wordRight(buffer: TextBuffer): Position {
  const line = lineAt(buffer);
  if (buffer.column >= line.length) return charRight(buffer);
  const column = wordEndAfter(line, buffer.column);
  return { row: buffer.row, column: outOfLabel(line, column, buffer.folded, 'end') };
}

/** At the start of a line it moves to the line before, so that pressing the key again has an effect. */
function lineStart(buffer: TextBuffer): Position {
  return buffer.column === 0 ? charLeft(buffer) : { row: buffer.row, column: 0 };
}

function lineEnd(buffer: TextBuffer): Position {
  const end = { row: buffer.row, column: lineAt(buffer).length };
  return buffer.column === end.column ? charRight(buffer, cursorOf(buffer)) : end;
}
