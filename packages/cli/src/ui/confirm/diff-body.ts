/** A file change, drawn as in the history. */
import { visibleText } from '@gemini-cli/core';
import type { Look } from '../look.js';
import { breakText } from '../text/columns.js';
import { diffLines } from '../tools/diff.js';
import type { DetailsOf } from './props.js';

type Change = Pick<DetailsOf<'edit'>, 'fileDiff' | 'fileName' | 'originalContent' | 'newContent'>;

export function diffBody(look: Look, { fileDiff, fileName, originalContent, newContent }: Change): string[] {
  const lines = diffLines({ fileDiff: visibleText(fileDiff), fileName }, look);
  if (lines.length > 0)
    return look.screenReader ? lines.flatMap((line) => breakText(line, look.width)) : lines;
  if (originalContent === null) return [newContent === '' ? 'A new, empty file.' : 'A new file.'];
  return [newContent === '' ? 'All of its content is removed.' : 'No line would change.'];
}
