/** Vim mode as a pure function: state and key in, state out. */
import { nextBoundary } from './graphemes.js';
import { cursorOf, lineAt, moveTo, replaceRange, type TextBuffer, undo } from './text-buffer.js';
import { firstNonBlank, lastColumn, motionTarget } from './vim-motions.js';
import { caseTurned, inNormal, mapped, put, replacedCharacters, stretchTo } from './vim-operators.js';
import { parseVim, type VimCommand } from './vim-parse.js';
import { runMotion, runOperator } from './vim-run.js';
import { asOneStep, type InsertStep, type VimResult, type VimState } from './vim-state.js';
import { runVisual } from './vim-visual.js';

/** Esc. In NORMAL with no command pending it is not for vim: undefined. */
export function vimEscape(vim: VimState, buffer: TextBuffer): VimResult | undefined {
  if (vim.mode === 'INSERT') return leaveInsert(vim, buffer);
  if (vim.mode !== 'NORMAL') {
    return { vim: { ...vim, mode: 'NORMAL', anchor: undefined, pending: [] }, buffer: inNormal(buffer) };
  }
  return vim.pending.length > 0 ? { vim: { ...vim, pending: [] }, buffer } : undefined;
}

/** In INSERT: records an edit for `.`. */
export function vimInserted(vim: VimState, step: InsertStep): VimState {
  if (!vim.inserting) return vim;
  const { change, before } = vim.inserting;
  return { ...vim, inserting: { before, change: { ...change, steps: [...change.steps, step] } } };
}

/** A text key in NORMAL or VISUAL. Unknown keys do nothing. */
export function vimKey(vim: VimState, buffer: TextBuffer, key: string): VimResult {
  const keys = [...vim.pending, key];
  const isVisual = vim.mode === 'VISUAL' || vim.mode === 'VISUAL LINE';
  const parsed = parseVim(keys, isVisual);
  if (parsed === 'incomplete') return { vim: { ...vim, pending: keys }, buffer };
  const idle = { ...vim, pending: [] };
  if (parsed === 'unknown') return { vim: idle, buffer };
  return isVisual ? runVisual(idle, buffer, parsed) : run(idle, buffer, parsed);
}

function run(vim: VimState, buffer: TextBuffer, command: VimCommand): VimResult {
  if (command.action === '.') return repeatLast(vim, buffer, command.count);
  if (command.action === 'u') {
    let undone = buffer;
    for (let times = command.count ?? 1; times > 0 && undone.undo.length > 0; times--) undone = undo(undone);
    return { vim, buffer: inNormal(undone) };
  }
  const result = execute(vim, buffer, command);
  if (result.vim.mode === 'INSERT') {
    const inserting = { change: { command, steps: [] }, before: buffer };
    return { ...result, vim: { ...result.vim, inserting } };
  }
  if (result.buffer.lines === buffer.lines) return result;
  return {
    vim: { ...result.vim, last: { command, steps: [] } },
    buffer: asOneStep(buffer, result.buffer),
  };
}

function execute(vim: VimState, buffer: TextBuffer, command: VimCommand): VimResult {
  if (command.operator) return runOperator(vim, buffer, command);
  if (command.motion) return runMotion(vim, buffer, command);
  const times = command.count ?? 1;
  const { row, column } = buffer;
  const line = lineAt(buffer);
  const insert = (changed: TextBuffer): VimResult => ({ vim: { ...vim, mode: 'INSERT' }, buffer: changed });
  switch (command.action) {
    case 'i':
      return insert(buffer);
    case 'a':
      return insert(moveTo(buffer, { row, column: nextBoundary(line, column) }));
    case 'I':
      return insert(moveTo(buffer, { row, column: line.trim() === '' ? line.length : firstNonBlank(line) }));
    case 'A':
      return insert(moveTo(buffer, { row, column: line.length }));
    case 'o': {
      const end = { row, column: line.length };
      return insert(replaceRange(buffer, end, end, '\n'));
    }
    case 'O': {
      const start = { row, column: 0 };
      return insert(moveTo(replaceRange(buffer, start, start, '\n'), start));
    }
    case 'D':
      return runOperator(vim, buffer, { count: command.count, operator: 'd', motion: '$' });
    case 'C':
      return runOperator(vim, buffer, { count: command.count, operator: 'c', motion: '$' });
    case 'Y':
      return runOperator(vim, buffer, { count: command.count, operator: 'y', motion: 'y' });
    case 'x':
      return runOperator(vim, buffer, { count: command.count, operator: 'd', motion: 'l' });
    case 'X':
      return runOperator(vim, buffer, { count: command.count, operator: 'd', motion: 'h' });
    case 'p':
    case 'P':
      return { vim, buffer: put(buffer, vim.register, times, command.action === 'p' ? 'after' : 'before') };
    case 'r':
      return { vim, buffer: replacedCharacters(buffer, times, command.character ?? '') };
    case '~': {
      const target = motionTarget(buffer, 'l', times, undefined);
      if (!target) return { vim, buffer };
      return { vim, buffer: inNormal(mapped(buffer, stretchTo(buffer, target, 'l'), caseTurned)) };
    }
    case 'v':
    case 'V':
      return {
        vim: { ...vim, mode: command.action === 'v' ? 'VISUAL' : 'VISUAL LINE', anchor: cursorOf(buffer) },
        buffer,
      };
    default:
      return { vim, buffer };
  }
}

function leaveInsert(vim: VimState, buffer: TextBuffer): VimResult {
  const { inserting } = vim;
  let written = buffer;
  // `3i` repeats the inserted text three times.
  const again = /^[iaIA]$/.test(inserting?.change.command.action ?? '')
    ? (inserting?.change.command.count ?? 1) - 1
    : 0;
  for (let time = 0; time < again; time++) {
    for (const step of inserting?.change.steps ?? []) written = step(written);
  }
  const isChanged = inserting !== undefined && written.lines !== inserting.before.lines;
  const { row, column } = written;
  const left =
    column > 0
      ? { row, column: Math.min(lastColumn(lineAt(written).slice(0, column)), column) }
      : { row, column };
  return {
    vim: {
      ...vim,
      mode: 'NORMAL',
      pending: [],
      inserting: undefined,
      last: isChanged ? inserting.change : vim.last,
    },
    buffer: moveTo(isChanged ? asOneStep(inserting.before, written) : written, left, 'start'),
  };
}

function repeatLast(vim: VimState, buffer: TextBuffer, count: number | undefined): VimResult {
  if (!vim.last) return { vim, buffer };
  const { command, steps } = vim.last;
  const again = count === undefined ? command : { ...command, count };
  const result = execute(vim, buffer, again);
  if (result.vim.mode !== 'INSERT') {
    const isChanged = result.buffer.lines !== buffer.lines;
    return { vim: result.vim, buffer: isChanged ? asOneStep(buffer, result.buffer) : result.buffer };
  }
  let written = result.buffer;
  for (const step of steps) written = step(written);
  const inserting = { change: { command: again, steps }, before: buffer };
  return leaveInsert({ ...result.vim, inserting }, written);
}
