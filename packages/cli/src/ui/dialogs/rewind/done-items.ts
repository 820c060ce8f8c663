/** What the history tells of a rewind: what is written above it stays readable, and no longer counts. */
import type { FilesReport, RewindResult, RewindWhat } from '@gemini-cli/core';
import { filesReportItems } from '../../../history/files-report.js';
import type { HistoryItemWithoutId } from '../../../history/item.js';

export function rewoundItems(
  { removedTurns, files }: RewindResult,
  what: RewindWhat,
  cwd: string,
): HistoryItemWithoutId[] {
  const count = removedTurns === 1 ? '1 prompt was' : `${removedTurns} prompts were`;
  const said = `${count} taken back: the model knows nothing of what came after. /rewind goes forward again until something new is said.`;
  return [
    ...(what === 'files' ? [] : [{ type: 'info' as const, text: said }]),
    ...(what === 'conversation' ? [] : filesReportItems(files, cwd)),
  ];
}

export function forwardItems(files: FilesReport, cwd: string): HistoryItemWithoutId[] {
  const hasFiles = files.steps.length > 0 || files.problem !== undefined;
  return [
    { type: 'info', text: 'The rewind is taken back.' },
    ...(hasFiles ? filesReportItems(files, cwd) : []),
  ];
}
