/** The parts of the main screen that change with every key: input box, suggestions, shortcuts. */
import { ApprovalMode } from '@gemini-cli/core';
import type { Completer } from '../../completion/completer.js';
import { PLACEHOLDER } from '../../terminal/first-paint.js';
import type { InputArea } from '../app/screen/screen.js';
import { keysOf } from '../keys/bindings.js';
import { COMMANDS, type CommandId } from '../keys/commands.js';
import type { Look } from '../look.js';
import type { UiState } from '../store/state.js';
import { fitSpans, paintSpans, span } from '../text/spans.js';
import { textWidth } from '../text/width.js';
import { composerLines } from './composer-lines.js';
import type { ComposerStore } from './composer-store.js';
import { searchView } from './history-search.js';
import { suggestionLines } from './suggestion-lines.js';

const EDGES = 2;
const SUGGESTION_ROWS = 9;
const MOST_ROWS = 15;

export interface InputParts {
  state: UiState;
  composer: ComposerStore;
  completer: Completer;
  isSuggestionExpanded: boolean;
  /** In a screen of our own the list stands above the input. */
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
  const rows = Math.max(1, Math.min(MOST_ROWS, maxRows - EDGES - list.length));
  composer.dispatch({ type: 'resize', width: look.width, maxRows: rows });
  const drawn = composerLines(composer.getState(), {
    width: look.width,
    maxRows: rows,
    look,
    prefix: prefixOf(state),
    // Read aloud again with every line, it would be in the way.
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

const SHORTCUTS: readonly CommandId[] = [
  'input.newline',
  'history.search.start',
  'app.cycleApprovalMode',
  'app.toggleYolo',
  'input.openExternalEditor',
  'input.paste',
  'app.showMoreLines',
  'app.showFullTodos',
  'app.toggleMarkdown',
  'background.toggle',
  'edit.undo',
  'basic.quit',
];

/** After `?`: keys and what they do, in as many columns as fit. */
export function shortcutLines(look: Look): string[] {
  const { theme, paint, width } = look;
  const fixed = [
    ['!', 'shell mode'],
    ['@', 'attach a file'],
    ['/', 'commands'],
    ['Esc Esc', 'clear, or rewind'],
  ] as const;
  const rows = [
    ...fixed,
    ...SHORTCUTS.flatMap((id) => {
      const [first] = keysOf(id);
      return first ? [[first, COMMANDS[id].description] as const] : [];
    }),
  ];
  const keyWidth = Math.max(...rows.map(([keys]) => textWidth(keys)));
  const columns = width >= 72 ? 2 : 1;
  const columnWidth = Math.floor(width / columns);
  const cells = rows.map(([keys, action]) => [
    span(` ${keys.padEnd(keyWidth)}  `, { color: theme.text.accent }),
    span(action, { color: theme.text.secondary }),
  ]);
  const lines: string[] = [];
  for (let index = 0; index < cells.length; index += columns) {
    const row = cells
      .slice(index, index + columns)
      .flatMap((cell, at) =>
        at < columns - 1 ? fitSpans(cell, columnWidth, {}) : fitSpans(cell, columnWidth),
      );
    lines.push(paintSpans(row, paint));
  }
  return lines;
}
