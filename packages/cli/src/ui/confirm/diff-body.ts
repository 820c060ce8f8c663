/** The change of a file, as the history draws it too. */
import { type ToolEditConfirmationDetails, visibleText } from '@gemini-cli/core';
import type { Look } from '../look.js';
import { breakText } from '../text/columns.js';
import { narrower } from '../text/narrow.js';
import { diffLines } from '../tools/diff.js';

type Change = Pick<ToolEditConfirmationDetails, 'fileDiff' | 'fileName' | 'originalContent' | 'newContent'>;

export function diffBody(
  look: Look,
  { fileDiff, fileName, originalContent, newContent }: Change,
  width: number,
): string[] {
  const lines = diffLines({ fileDiff: visibleText(fileDiff), fileName }, narrower(look, look.width - width));
  if (lines.length > 0) return look.screenReader ? lines.flatMap((line) => breakText(line, width)) : lines;
  if (originalContent === null) return [newContent === '' ? 'A new, empty file.' : 'A new file.'];
  return [newContent === '' ? 'All of its content is removed.' : 'No line would change.'];
}
