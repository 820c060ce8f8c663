/** Formats an undo as text: the list of changes, the preview and the result. */
import { relative, sep } from 'node:path';
import {
  type SnapshotSummary,
  type UndoPreview,
  type UndoResult,
  type UndoStep,
  visibleName,
  visibleText,
} from '@gemini-cli/core';
import { oneLine } from './output.js';

export interface Style {
  /** Paths are shown as seen from here. */
  cwd: string;
  hasColour: boolean;
}

export interface UndoTarget {
  /** An id, the beginning of one, or `last`. */
  id: string;
  scope: 'only' | 'prompt';
}

/** `[id]`, or `turn [id]` for all changes of the same prompt. */
export function undoTarget([first = 'last', second = 'last']: readonly string[]): UndoTarget {
  return first === 'turn' ? { id: second, scope: 'prompt' } : { id: first, scope: 'only' };
}

const RED = 31;
const GREEN = 32;
const YELLOW = 33;
const CYAN = 36;
const MAX_DIFF_LINES = 400;

export function formatList(snapshots: readonly SnapshotSummary[]): string {
  const shown = snapshots.filter(({ changes, uncoveredCount }) => changes.length + uncoveredCount > 0);
  if (shown.length === 0) return 'There is nothing to undo in this folder.\n';
  const rows = [...shown]
    .reverse()
    .map((snapshot) => [
      snapshot.id,
      localTime(snapshot.startedAt),
      String(snapshot.changes.length),
      oneLine(snapshot.toolName),
      cut(visibleName([snapshot.description ?? '', remarks(snapshot)].filter(Boolean).join('  '))),
    ]);
  return table([['ID', 'WHEN', 'FILES', 'BY', 'WHAT'], ...rows]);
}

function remarks({ undoneBy, interrupted, uncoveredCount }: SnapshotSummary): string {
  return [
    undoneBy && `(undone by ${undoneBy})`,
    interrupted && '(interrupted)',
    uncoveredCount > 0 && `(${uncoveredCount} not covered)`,
  ]
    .filter(Boolean)
    .join(' ');
}

export function formatPreview({ snapshots, steps }: UndoPreview, style: Style): string {
  const lines = snapshots.map(
    ({ id, toolName, description, startedAt }) =>
      `${id}  ${localTime(startedAt)}  ${oneLine(toolName)}  ${cut(visibleName(description ?? ''))}`,
  );
  return [...lines, '', formatSteps(steps, style)].join('\n');
}

/** A step of an undo, or of restoring a checkpoint. */
type ShownStep = Pick<UndoStep, 'path' | 'action' | 'from' | 'detail'> & { status: string; diff?: string };

/** Shows what would happen to each file, with the differences. */
export function formatSteps(steps: readonly ShownStep[], style: Style): string {
  const lines = [...listSteps(steps, style), ''];
  let room = MAX_DIFF_LINES;
  for (const { diff, path } of steps) {
    if (diff === undefined || room <= 0) continue;
    const all = diff.split('\n');
    // The header of the diff names the file without its folder.
    const start = all.findIndex((line) => line.startsWith('@@'));
    const body = all.slice(Math.max(start, 0));
    lines.push(paint(`--- ${shownPath(path, style)}`, CYAN, style));
    lines.push(...body.slice(0, room).map((line) => paintDiff(visibleText(line.replace(/\r$/, '')), style)));
    room -= body.length;
  }
  if (room <= 0) lines.push('The rest of the diff is not shown.');
  lines.push(summary(steps));
  return `${lines.join('\n')}\n`;
}

export function formatResult({ undoId, steps }: UndoResult, style: Style): string {
  const left = steps.filter(({ status }) => status !== 'done' && status !== 'already');
  const done = steps.filter(({ status }) => status === 'done').length;
  const lines = [`Restored ${count(done)}.`];
  if (left.length > 0) lines.push(`Skipped ${count(left.length)}:`, ...listSteps(left, style));
  if (undoId !== undefined) lines.push(`To redo the change: gemini undo ${undoId}`);
  return `${lines.join('\n')}\n`;
}

/** Lists every file, since the user must see what to agree to. */
function listSteps(steps: readonly ShownStep[], style: Style): string[] {
  return steps.map((step) => describe(step, style));
}

const ACTIONS: Readonly<Record<UndoStep['action'], string>> = {
  restore: 'restore',
  recreate: 'create',
  delete: 'delete',
  mode: 'mode',
  move: 'move',
};

function describe(step: ShownStep, style: Style): string {
  const path = shownPath(step.path, style);
  const what = step.from === undefined ? path : `${shownPath(step.from, style)} → ${path}`;
  if (step.status === 'ready' || step.status === 'done') {
    const colour = step.action === 'delete' ? RED : step.action === 'recreate' ? GREEN : CYAN;
    return `  ${paint(ACTIONS[step.action].padEnd(8), colour, style)} ${what}`;
  }
  const why = step.status === 'already' ? 'already in this state' : visibleName(step.detail ?? step.status);
  return `  ${paint('skip'.padEnd(8), YELLOW, style)} ${what}: ${why}`;
}

function summary(steps: readonly ShownStep[]): string {
  const number = (wanted: (step: ShownStep) => boolean) => steps.filter(wanted).length;
  const parts = (Object.keys(ACTIONS) as UndoStep['action'][]).map((action) => {
    const ready = number((step) => step.status === 'ready' && step.action === action);
    return ready > 0 ? `${ready} to ${ACTIONS[action]}` : '';
  });
  const left = number(({ status }) => status !== 'ready');
  return `${[...parts, left > 0 ? `${left} to skip` : ''].filter(Boolean).join(', ') || 'Nothing to do'}.`;
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

function paintDiff(line: string, style: Style): string {
  if (line.startsWith('+')) return paint(line, GREEN, style);
  return line.startsWith('-') ? paint(line, RED, style) : line;
}

function paint(text: string, colour: number, { hasColour }: Style): string {
  return hasColour ? `\u001b[${colour}m${text}\u001b[0m` : text;
}

function shownPath(path: string, { cwd }: Style): string {
  const shown = relative(cwd, path);
  // The user must see every character of a name before agreeing.
  return visibleName(shown === '' || shown === '..' || shown.startsWith(`..${sep}`) ? path : shown);
}

function cut(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function count(number: number): string {
  return `${number} ${number === 1 ? 'file' : 'files'}`;
}

function localTime(iso: string): string {
  const date = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
