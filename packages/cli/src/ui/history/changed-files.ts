/** Draws what a session changed: per file a heading and its diff, then the totals. */
import { fileHeading, totalsOf } from '../../history/changed-files.js';
import type { HistoryItemWithoutId } from '../../history/item.js';
import type { Look } from '../look.js';
import { cleanLine } from '../text/clean.js';
import { span } from '../text/spans.js';
import { stylesOf } from '../themes/styles.js';
import { diffHead } from '../tools/diff.js';
import { wrapLine } from './fields.js';

/** Lines of one file; all of them with `/diff <path>`. */
const MAX_FILE_LINES = 60;

export function changedFilesLines(
  { files, cwd, isWhole }: Extract<HistoryItemWithoutId, { type: 'diff' }>,
  look: Look,
): string[] {
  const styles = stylesOf(look.theme);
  const limit = isWhole ? Number.MAX_SAFE_INTEGER : MAX_FILE_LINES;
  const lines = files.flatMap((file) => {
    const heading = wrapLine([span(cleanLine(fileHeading(file, cwd)), styles.bold)], look);
    if (file.diff === undefined) return heading;
    const { lines: drawn, hidden } = diffHead({ fileDiff: file.diff, fileName: file.path }, look, limit);
    const more =
      hidden > 0 ? wrapLine([span(`… ${hidden} more lines: /diff <path>`, styles.secondary)], look) : [];
    return [...heading, ...drawn, ...more, ''];
  });
  return [...lines, ...wrapLine([span(totalsOf(files), styles.bold)], look)];
}
