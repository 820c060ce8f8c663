/** The frame for screen readers, and for a terminal that can only print: the input line, or an open question. */
import type { Cursor } from '../../../terminal/frame-writer.js';
import { openFileLines } from '../../layout/open-files.js';
import { shortcutLines } from '../../layout/shortcuts.js';
import type { Look } from '../../look.js';
import type { UiState } from '../../store/state.js';
import type { ScreenOptions } from './screen.js';

export type LinearParts = Pick<ScreenOptions, 'surface' | 'input' | 'tasks' | 'isPlain'>;

export function linearFrame(
  state: UiState,
  look: Look,
  { surface, input, tasks, isPlain }: LinearParts,
): { lines: readonly string[]; cursor?: Cursor } {
  const question = surface();
  if (question) return { lines: question.lines().slice(0, state.rows) };
  // What is printed cannot be erased: the input is printed only when the user can type.
  if (isPlain && (state.streaming !== 'idle' || !state.isReady)) return { lines: [] };
  const pane = state.showTasks ? tasks(look, Math.floor(state.rows / 2)) : [];
  const files = state.showOpenFiles ? openFileLines(state, look) : pane;
  const panel = state.showShortcuts ? shortcutLines(look) : files;
  const { lines, cursor } = input(look, Math.max(1, state.rows - panel.length - 1));
  return { lines: [...panel, ...lines], cursor: { row: cursor.row + panel.length, column: cursor.column } };
}
