/** The edited text, an immutable value. All edits go through `replaceRange`, which keeps undo and labels right. */
import {
  type Folded,
  foldImages,
  isLongPaste,
  labelAt,
  NOTHING_FOLDED,
  outOfLabel,
  pasteLabel,
  pruned,
  unfold,
  withHidden,
  withOpened,
} from './folded.js';
import { nextBoundary, previousBoundary, snapToBoundary } from './graphemes.js';
import type { Position } from './layout.js';

export interface Snapshot {
  readonly lines: readonly string[];
  readonly row: number;
  readonly column: number;
  readonly folded: Folded;
}

/** The kind of the last edit: consecutive edits of one kind are undone together. */
export type Run = 'typing' | 'erasing' | 'killing' | 'yanking';

export interface TextBuffer extends Snapshot {
  /** Column on the screen that Up and Down try to keep. */
  readonly goal: number | undefined;
  readonly undo: readonly Snapshot[];
  readonly redo: readonly Snapshot[];
  readonly run: Run | undefined;
  /** What was cut, newest first. */
  readonly kills: readonly string[];
  /** Where the last yank is, and which cut it inserted. */
  readonly yank: { readonly start: Position; readonly index: number } | undefined;
}

const UNDO_STEPS = 200;
const KILLS_KEPT = 30;

export const EMPTY_BUFFER: TextBuffer = {
  lines: [''],
  row: 0,
  column: 0,
  folded: NOTHING_FOLDED,
  goal: undefined,
  undo: [],
  redo: [],
  run: undefined,
  kills: [],
  yank: undefined,
};

export function bufferOf(text: string, cursor: 'start' | 'end' = 'end'): TextBuffer {
  return withText(EMPTY_BUFFER, text, cursor);
}

/** As shown in the input, with labels. */
export function textOf({ lines }: Snapshot): string {
  return lines.join('\n');
}

/** As sent, with labels replaced. */
export function fullTextOf(buffer: Snapshot): string {
  return unfold(textOf(buffer), buffer.folded);
}

export function isEmptyText({ lines }: Snapshot): boolean {
  return lines.length === 1 && lines[0] === '';
}

export function lineAt(buffer: Snapshot, row = buffer.row): string {
  return buffer.lines[row] ?? '';
}

export function cursorOf({ row, column }: Snapshot): Position {
  return { row, column };
}

/** Ends a run of edits: the next edit is undone separately. */
export function moveTo(buffer: TextBuffer, to: Position, towards: 'start' | 'end' = 'end'): TextBuffer {
  const place = validPlace(buffer, to, towards);
  return { ...buffer, ...place, goal: undefined, run: undefined, yank: undefined };
}

export function charLeft(buffer: TextBuffer, from: Position = buffer): Position {
  if (from.column === 0) {
    return from.row === 0
      ? { row: 0, column: 0 }
      : { row: from.row - 1, column: lineAt(buffer, from.row - 1).length };
  }
  const line = lineAt(buffer, from.row);
  const column = previousBoundary(line, from.column);
  return { row: from.row, column: outOfLabel(line, column, buffer.folded, 'start') };
}

export function charRight(buffer: TextBuffer, from: Position = buffer): Position {
  const line = lineAt(buffer, from.row);
  if (from.column >= line.length) {
    return from.row + 1 < buffer.lines.length
      ? { row: from.row + 1, column: 0 }
      : { row: from.row, column: from.column };
  }
  const column = nextBoundary(line, from.column);
  return { row: from.row, column: outOfLabel(line, column, buffer.folded, 'end') };
}

export function insertText(buffer: TextBuffer, text: string): TextBuffer {
  const clean = cleanText(text);
  if (clean === '') return buffer;
  // Each word is one undo step.
  const before = buffer.column > 0 ? lineAt(buffer).charAt(buffer.column - 1) : '';
  const isNewWord = /\s/.test(before) && !/^\s/.test(clean);
  const base = isNewWord || clean.includes('\n') ? { ...buffer, run: undefined } : buffer;
  return replaceRange(base, buffer, buffer, clean, 'typing');
}

/** Long text becomes a label. It must be clean (`cleanText`). */
export function pasteText(buffer: TextBuffer, text: string): TextBuffer {
  if (!isLongPaste(text)) return { ...replaceRange(buffer, buffer, buffer, text), run: undefined };
  return insertFolded(buffer, text, (taken) => pasteLabel(text, taken));
}

/** @param label returns a label that is not in use */
export function insertFolded(
  buffer: TextBuffer,
  text: string,
  label: (taken: (label: string) => boolean) => string,
): TextBuffer {
  const name = label((one) => isTaken(buffer, one));
  const folded = withHidden(buffer.folded, name, text);
  return { ...replaceRange(buffer, buffer, buffer, name, undefined, folded), run: undefined };
}

/** Opens the label at the cursor, or closes the opened one there. @returns undefined: neither is there */
export function toggleFold(buffer: TextBuffer): TextBuffer | undefined {
  const line = lineAt(buffer);
  const found = labelAt(line, buffer.column, buffer.folded);
  if (found) {
    const { row } = buffer;
    const text = buffer.folded.hidden.get(found.label) ?? '';
    const end = { row, column: found.start + found.label.length };
    const folded = withOpened(buffer.folded, found.label);
    return replaceRange(buffer, { row, column: found.start }, end, text, undefined, folded);
  }
  return closeOpened(buffer);
}

/** The only way to change the text. @param run edits with the same run are undone together */
export function replaceRange(
  buffer: TextBuffer,
  start: Position,
  end: Position,
  text: string,
  run?: Run,
  folded: Folded = buffer.folded,
): TextBuffer {
  const head = lineAt(buffer, start.row).slice(0, start.column);
  const tail = lineAt(buffer, end.row).slice(end.column);
  const inserted = text.split('\n');
  const last = inserted.length - 1;
  const column = (last === 0 ? head.length : 0) + (inserted[last]?.length ?? 0);
  inserted[0] = head + (inserted[0] ?? '');
  inserted[last] = (inserted[last] ?? '') + tail;
  const lines = [...buffer.lines.slice(0, start.row), ...inserted, ...buffer.lines.slice(end.row + 1)];
  const isErased = start.row !== end.row || start.column !== end.column;
  const row = start.row + last;
  const changed = {
    ...buffer,
    lines,
    row,
    column: snapToBoundary(lines[row] ?? '', column),
    folded: isErased ? pruned(folded, lines) : folded,
    goal: undefined,
    redo: [],
    run,
    yank: undefined,
  };
  const isSameRun = run !== undefined && run === buffer.run;
  return isSameRun ? changed : { ...changed, undo: withStep(buffer) };
}

/** @returns the same buffer when nothing is erased */
export function erase(buffer: TextBuffer, start: Position, end: Position, run: Run = 'erasing'): TextBuffer {
  if (start.row === end.row && start.column === end.column) return buffer;
  return replaceRange(buffer, start, end, '', run);
}

/** Erases and keeps the text for `yank`. Consecutive cuts are joined. */
export function kill(
  buffer: TextBuffer,
  start: Position,
  end: Position,
  side: 'before' | 'after',
): TextBuffer {
  const text = unfold(textBetween(buffer, start, end), buffer.folded);
  if (text === '') return buffer;
  const [newest = '', ...older] = buffer.kills;
  const joined = side === 'before' ? text + newest : newest + text;
  const kills = buffer.run === 'killing' ? [joined, ...older] : [text, ...buffer.kills].slice(0, KILLS_KEPT);
  return { ...erase(buffer, start, end, 'killing'), kills };
}

/** Inserts the last cut; when repeated at once, replaces it with the cut before. */
export function yankText(buffer: TextBuffer): TextBuffer {
  if (buffer.kills.length === 0) return buffer;
  const { yank } = buffer;
  const index = yank ? (yank.index + 1) % buffer.kills.length : 0;
  const start = yank?.start ?? cursorOf(buffer);
  const changed = replaceRange(buffer, start, buffer, buffer.kills[index] ?? '', 'yanking');
  return { ...changed, yank: { start, index } };
}

export function undo(buffer: TextBuffer): TextBuffer {
  const step = buffer.undo.at(-1);
  if (!step) return buffer;
  return restored(buffer, step, buffer.undo.slice(0, -1), [...buffer.redo, snapshotOf(buffer)]);
}

export function redo(buffer: TextBuffer): TextBuffer {
  const step = buffer.redo.at(-1);
  if (!step) return buffer;
  return restored(buffer, step, [...buffer.undo, snapshotOf(buffer)], buffer.redo.slice(0, -1));
}

/** Replaces everything; can be undone. */
export function withText(buffer: TextBuffer, text: string, cursor: 'start' | 'end' = 'end'): TextBuffer {
  const end = { row: buffer.lines.length - 1, column: lineAt(buffer, buffer.lines.length - 1).length };
  const given = foldImages(cleanText(text));
  const changed = replaceRange(buffer, { row: 0, column: 0 }, end, given.text, undefined, given.folded);
  const filled = buffer === EMPTY_BUFFER ? { ...changed, undo: [] } : changed;
  return cursor === 'end' ? filled : { ...filled, row: 0, column: 0 };
}

export function textBetween(buffer: Snapshot, start: Position, end: Position): string {
  if (start.row === end.row) return lineAt(buffer, start.row).slice(start.column, end.column);
  return [
    lineAt(buffer, start.row).slice(start.column),
    ...buffer.lines.slice(start.row + 1, end.row),
    lineAt(buffer, end.row).slice(0, end.column),
  ].join('\n');
}

/** Normalizes line ends and removes control characters but tabs, and lone surrogates. */
export function cleanText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]|\p{Surrogate}/gu, '');
}

function validPlace(buffer: TextBuffer, { row, column }: Position, towards: 'start' | 'end'): Position {
  const inside = Math.max(0, Math.min(row, buffer.lines.length - 1));
  const line = lineAt(buffer, inside);
  return { row: inside, column: outOfLabel(line, snapToBoundary(line, column), buffer.folded, towards) };
}

function closeOpened(buffer: TextBuffer): TextBuffer | undefined {
  for (const { label, text } of [...buffer.folded.opened].reverse()) {
    const span = spanAround(buffer, text);
    if (span && text !== '') {
      const name = isTaken(buffer, label) ? pasteLabel(text, (one) => isTaken(buffer, one)) : label;
      const folded = withHidden(buffer.folded, name, text);
      const opened = folded.opened.filter((one) => one.label !== label);
      return replaceRange(buffer, span.start, span.end, name, undefined, { ...folded, opened });
    }
  }
  return undefined;
}

/** Whether the cursor is inside or at the edge of this text. */
function spanAround(buffer: TextBuffer, text: string): { start: Position; end: Position } | undefined {
  const whole = textOf(buffer);
  const cursor = offsetOf(buffer, buffer);
  const first = whole.indexOf(text, Math.max(0, cursor - text.length));
  if (first < 0 || first > cursor) return undefined;
  return { start: positionOfOffset(buffer, first), end: positionOfOffset(buffer, first + text.length) };
}

export function offsetOf(buffer: Snapshot, { row, column }: Position): number {
  let offset = column;
  for (let index = 0; index < row; index++) offset += lineAt(buffer, index).length + 1;
  return offset;
}

export function positionOfOffset(buffer: Snapshot, offset: number): Position {
  let rest = Math.max(0, offset);
  for (const [row, line] of buffer.lines.entries()) {
    if (rest <= line.length) return { row, column: rest };
    rest -= line.length + 1;
  }
  const row = buffer.lines.length - 1;
  return { row, column: lineAt(buffer, row).length };
}

function isTaken(buffer: TextBuffer, label: string): boolean {
  return buffer.folded.hidden.has(label) || buffer.lines.some((line) => line.includes(label));
}

function snapshotOf({ lines, row, column, folded }: Snapshot): Snapshot {
  return { lines, row, column, folded };
}

function withStep(buffer: TextBuffer): readonly Snapshot[] {
  return [...buffer.undo.slice(-(UNDO_STEPS - 1)), snapshotOf(buffer)];
}

function restored(
  buffer: TextBuffer,
  step: Snapshot,
  undoSteps: readonly Snapshot[],
  redoSteps: readonly Snapshot[],
): TextBuffer {
  return {
    ...buffer,
    ...step,
    goal: undefined,
    run: undefined,
    yank: undefined,
    undo: undoSteps,
    redo: redoSteps,
  };
}
