/** History items that report which files an undo, a restore or a rewind restored. */
import { relative } from 'node:path';
import { type FilesReport, type UndoResult, visibleName } from '@gemini-cli/core';
import { formatResult } from '../output/undo-text.js';
import type { HistoryItemWithoutId } from './item.js';

export function filesReportItems(
  { steps, undoIds, problem }: FilesReport,
  cwd: string,
): HistoryItemWithoutId[] {
  const shown = (path: string) => visibleName(relative(cwd, path) || path);
  const done = steps.filter(({ status }) => status === 'done').length;
  const left = steps.filter(({ status }) => status !== 'done' && status !== 'already');
  const lines = [
    `Restored ${done} ${done === 1 ? 'file' : 'files'}.`,
    ...left.map(({ path, status, detail }) => `Skipped: ${shown(path)} (${detail ?? status})`),
    ...(undoIds.length > 0
      ? [`To redo the change: ${undoIds.map((id) => `/undo ${id}`).join(', then ')}`]
      : []),
  ];
  return [
    { type: 'info', text: lines.join('\n') },
    ...(problem ? [{ type: 'warning' as const, text: problem }] : []),
  ];
}

export function undoneText(result: UndoResult, cwd: string): string {
  return formatResult(result, { cwd, hasColour: false }).trimEnd().replace('gemini undo ', '/undo ');
}
