/** Runs vim motions and operators on the text, from NORMAL and VISUAL. */
import { lineAt, moveTo, type TextBuffer } from './text-buffer.js';
import { changeWordEnd, type Find, motionTarget } from './vim-motions.js';
import { copied, emptied, erased, inNormal, isBefore, type Stretch, stretchTo } from './vim-operators.js';
import type { VimCommand } from './vim-parse.js';
import type { VimResult, VimState } from './vim-state.js';

export function runMotion(vim: VimState, buffer: TextBuffer, command: VimCommand): VimResult {
  const { motion = '' } = command;
  const find = findOf(vim, command);
  const target = motionTarget(buffer, motion, command.count, find);
  const next = { ...vim, find };
  if (!target) return { vim: next, buffer };
  const goal = motion === 'j' || motion === 'k' ? (buffer.goal ?? buffer.column) : undefined;
  return { vim: next, buffer: inNormal({ ...moveTo(buffer, target.to, 'start'), goal }) };
}

export function runOperator(vim: VimState, buffer: TextBuffer, command: VimCommand): VimResult {
  const find = findOf(vim, command);
  const next = { ...vim, find };
  const stretch = operatorStretch(buffer, command, find);
  if (!stretch) return { vim: next, buffer };
  const { operator = 'd' } = command;
  const isNothing = !stretch.isLines && !isBefore(stretch.start, stretch.end);
  if (isNothing && operator !== 'c') return { vim: next, buffer };
  return operate(next, buffer, operator, stretch);
}

export function operate(vim: VimState, buffer: TextBuffer, operator: string, stretch: Stretch): VimResult {
  const register = copied(buffer, stretch);
  const known = { ...vim, register: register.text === '' && !register.isLines ? vim.register : register };
  if (operator === 'y') {
    const { start, isLines } = stretch;
    const column = isLines ? Math.min(buffer.column, lineAt(buffer, start.row).length) : start.column;
    return { vim: known, buffer: inNormal(moveTo(buffer, { row: start.row, column }, 'start')) };
  }
  if (operator === 'c') return { vim: { ...known, mode: 'INSERT' }, buffer: emptied(buffer, stretch) };
  return { vim: known, buffer: erased(buffer, stretch) };
}

function operatorStretch(
  buffer: TextBuffer,
  command: VimCommand,
  find: Find | undefined,
): Stretch | undefined {
  const { operator, motion = '', count } = command;
  const { row, column } = buffer;
  if (motion === operator) {
    const last = Math.min(row + (count ?? 1) - 1, buffer.lines.length - 1);
    return { start: { row, column: 0 }, end: { row: last, column: 0 }, isLines: true };
  }
  // `cw` keeps the blank after the word.
  if (operator === 'c' && (motion === 'w' || motion === 'W') && /\S/.test(lineAt(buffer).charAt(column))) {
    const to = changeWordEnd(buffer, count ?? 1, motion === 'W');
    return stretchTo(buffer, { to, kind: 'inclusive' }, 'e');
  }
  const target = motionTarget(buffer, motion, count, find);
  return target && stretchTo(buffer, target, motion);
}

/** `;` and `,` repeat the last `f F t T`. */
function findOf(vim: VimState, { motion, character }: VimCommand): Find | undefined {
  return motion !== undefined && character !== undefined ? { kind: motion, character } : vim.find;
}
