/** The input box together with its suggestions, as lines for the screen and for `<Composer>`. */
import { ApprovalMode } from '@gemini-cli/core';
import type { Completer } from '../../completion/completer.js';
import { PLACEHOLDER } from '../../terminal/first-paint.js';
import type { Cursor } from '../../terminal/frame-writer.js';
import type { Look } from '../look.js';
import type { UiState } from '../store/state.js';
import { composerLines } from './composer-lines.js';
import type { ComposerStore } from './composer-store.js';
import { searchView } from './history-search.js';
import { suggestionLines } from './suggestion-lines.js';

const EDGES = 2;
const SUGGESTION_ROWS = 9;
const MAX_ROWS = 15;

export interface InputArea {
  lines: string[];
  cursor: Cursor;
}

export interface InputParts {
  state: UiState;
  composer: ComposerStore;
  completer: Completer;
  isSuggestionExpanded: boolean;
  /** True in the alternate screen. */
  suggestionsAbove: boolean;
}

export function inputArea(parts: InputParts, look: Look, maxRows: number): InputArea {
  const { state, composer, completer } = parts;
  const composed = composer.getState();
  const view = composed.search ? searchView(composed.search) : completer.getState();
  const list = suggestionLines(view, look, {
    isExpanded: parts.isSuggestionExpanded,
    rows: Math.max(1, Math.min(SUGGESTION_ROWS - 1, maxRows - EDGES - 2)),
  });
  const rows = Math.max(1, Math.min(MAX_ROWS, maxRows - EDGES - list.length));
  composer.dispatch({ type: 'resize', width: look.width, maxRows: rows });
  const drawn = composerLines(composer.getState(), {
    width: look.width,
    maxRows: rows,
    look,
    prefix: prefixOf(state),
    // A screen reader would repeat the placeholder with every line.
    placeholder: look.screenReader ? '' : placeholderOf(state),
    ...(state.isShellMode && { color: look.theme.ui.symbol }),
  });
  if (!parts.suggestionsAbove) return { lines: [...drawn.lines, ...list], cursor: drawn.cursor };
  const cursor = { row: drawn.cursor.row + list.length, column: drawn.cursor.column };
  return { lines: [...list, ...drawn.lines], cursor };
}

function prefixOf({ isShellMode, approvalMode }: UiState): string {
  if (isShellMode) return '!';
  return approvalMode === ApprovalMode.YOLO ? '*' : '>';
}

function placeholderOf({ isShellMode, vimMode }: UiState): string {
  if (isShellMode) return 'Type your shell command';
  if (vimMode === 'NORMAL') return "Press 'i' for INSERT mode";
  return PLACEHOLDER;
}
