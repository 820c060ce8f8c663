/** VISUAL and VISUAL LINE: what is selected and what its commands do. */
import { nextBoundary } from './graphemes.js';
import { cursorOf, lineAt, moveTo, type TextBuffer } from './text-buffer.js';
import { caseTurned, emptied, inNormal, isBefore, mapped, put, type Stretch } from './vim-operators.js';
import type { VimCommand } from './vim-parse.js';
import { operate, runMotion } from './vim-run.js';
import { asOneStep, type VimResult, type VimState } from './vim-state.js';

export function runVisual(vim: VimState, buffer: TextBuffer, command: VimCommand): VimResult {
  if (command.motion) return runMotion(vim, buffer, command);
  const stretch = selectionOf(vim, buffer);
  const normal: VimState = { ...vim, mode: 'NORMAL', anchor: undefined };
  if (!stretch) return { vim: normal, buffer };
  const { action = '' } = command;
  const atStart = moveTo(buffer, stretch.start, 'start');
  const change = (changed: TextBuffer): VimResult => ({
    vim: normal,
    buffer: asOneStep(atStart, inNormal(moveTo(changed, stretch.start, 'start'))),
  });
  switch (action) {
    case 'v':
    case 'V': {
      const mode = action === 'v' ? 'VISUAL' : 'VISUAL LINE';
      return mode === vim.mode ? { vim: normal, buffer } : { vim: { ...vim, mode }, buffer };
    }
    case 'o':
      return {
        vim: { ...vim, anchor: cursorOf(buffer) },
        buffer: moveTo(buffer, vim.anchor ?? buffer, 'start'),
      };
    case 'c':
    case 'C': {
      const result = operate(normal, buffer, 'c', action === 'C' ? wholeLines(stretch) : stretch);
      const inserting = {
        change: { command: { count: undefined, action: 'i' }, steps: [] },
        before: atStart,
      };
      return { ...result, vim: { ...result.vim, inserting } };
    }
    case 'y':
    case 'Y':
      return operate(
        normal,
        moveTo(buffer, stretch.start),
        'y',
        action === 'Y' ? wholeLines(stretch) : stretch,
      );
    case 'p': {
      const result = operate(normal, buffer, 'd', stretch);
      const at =
        stretch.isLines || vim.register.isLines
          ? result.buffer
          : moveTo(emptied(buffer, stretch), stretch.start);
      const side =
        stretch.isLines && stretch.end.row >= buffer.lines.length - 1 && stretch.start.row > 0
          ? 'after'
          : 'before';
      return { vim: result.vim, buffer: asOneStep(atStart, put(at, vim.register, 1, side)) };
    }
    case '~':
      return change(mapped(buffer, fullColumns(buffer, stretch), caseTurned));
    case 'u':
      return change(mapped(buffer, fullColumns(buffer, stretch), (text) => text.toLowerCase()));
    case 'U':
      return change(mapped(buffer, fullColumns(buffer, stretch), (text) => text.toUpperCase()));
    case 'r':
      return change(
        mapped(buffer, fullColumns(buffer, stretch), (text) =>
          text.replace(/[^\n]/gu, command.character ?? ''),
        ),
      );
    default: {
      const result = operate(
        normal,
        buffer,
        'd',
        action === 'D' || action === 'X' ? wholeLines(stretch) : stretch,
      );
      return { ...result, buffer: asOneStep(atStart, result.buffer) };
    }
  }
}

/** The selected range, including the character under the cursor. */
export function selectionOf(vim: VimState, buffer: TextBuffer): Stretch | undefined {
  if (!vim.anchor) return undefined;
  const [start, last] = isBefore(vim.anchor, buffer)
    ? [vim.anchor, cursorOf(buffer)]
    : [cursorOf(buffer), vim.anchor];
  const end = { row: last.row, column: nextBoundary(lineAt(buffer, last.row), last.column) };
  return { start, end, isLines: vim.mode === 'VISUAL LINE' };
}

function wholeLines({ start, end }: Stretch): Stretch {
  return { start, end, isLines: true };
}

function fullColumns(buffer: TextBuffer, stretch: Stretch): Stretch {
  if (!stretch.isLines) return stretch;
  const { start, end } = stretch;
  return {
    start: { row: start.row, column: 0 },
    end: { row: end.row, column: lineAt(buffer, end.row).length },
    isLines: false,
  };
}
