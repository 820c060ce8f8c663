/** What happened to files when something was taken back, as items of the screen. */
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
    `${done} ${done === 1 ? 'file' : 'files'} brought back.`,
    ...left.map(({ path, status, detail }) => `Left as it is: ${shown(path)} (${detail ?? status})`),
    ...(undoIds.length > 0
      ? [`To take this back: ${undoIds.map((id) => `/undo ${id}`).join(', then ')}`]
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
