/** What the history shows after a rewind. */
import type { FilesReport, RewindResult, RewindWhat } from '@gemini-cli/core';
import { filesReportItems } from '../../../history/files-report.js';
import type { HistoryItemWithoutId } from '../../../history/item.js';

export function rewoundItems(
  { removedTurns, files }: RewindResult,
  what: RewindWhat,
  cwd: string,
): HistoryItemWithoutId[] {
  const count =
    removedTurns === 1
      ? '1 prompt; the model has forgotten it'
      : `${removedTurns} prompts; the model has forgotten them`;
  const text = `Rewound ${count}. /rewind can undo this until you send something.`;
  return [
    ...(what === 'files' ? [] : [{ type: 'info' as const, text }]),
    ...(what === 'conversation' ? [] : filesReportItems(files, cwd)),
  ];
}

export function forwardItems(files: FilesReport, cwd: string): HistoryItemWithoutId[] {
  const hasFiles = files.steps.length > 0 || files.problem !== undefined;
  return [
    { type: 'info', text: 'Undid the last rewind.' },
    ...(hasFiles ? filesReportItems(files, cwd) : []),
  ];
}
