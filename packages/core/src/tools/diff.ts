/** Differences between two texts: for the user as a unified diff, for the model as a snippet, as numbers. */
import type { StructuredPatch } from 'diff';
import type { DiffStat } from '../protocol/tool-display.js';
import { shortenLine } from './long-lines.js';

export interface DiffLabels {
  before: string;
  after: string;
}

/** Unified, three lines of context. */
export async function unifiedDiff(
  fileName: string,
  before: string,
  after: string,
  labels: DiffLabels,
): Promise<string> {
  const { formatPatch } = await import('diff');
  const patch = await patchOf(fileName, before, after, 3);
  return formatPatch({ ...patch, oldHeader: labels.before, newHeader: labels.after });
}

/** The changed places of `after` with five lines around each; `...` stands for what is left out. */
export async function changeSnippet(before: string, after: string): Promise<string> {
  const { hunks } = await patchOf('', before, after, 5);
  const total = lineCount(after);
  const pieces: string[] = [];
  let next = 1;
  for (const hunk of hunks) {
    if (hunk.newStart > next) pieces.push('...');
    for (const line of hunk.lines) {
      if (line.startsWith(' ') || line.startsWith('+')) pieces.push(shortenLine(line.slice(1)));
    }
    next = hunk.newStart + hunk.newLines;
  }
  if (hunks.length > 0 && next <= total) pieces.push('...');
  return pieces.join('\n');
}

/** @param proposed what the model wanted; `final` differs from it when the user changed the proposal. */
export async function diffStat(original: string, proposed: string, final: string): Promise<DiffStat> {
  const model = await countChanges(original, proposed);
  const user = await countChanges(proposed, final);
  return {
    model_added_lines: model.addedLines,
    model_removed_lines: model.removedLines,
    model_added_chars: model.addedChars,
    model_removed_chars: model.removedChars,
    user_added_lines: user.addedLines,
    user_removed_lines: user.removedLines,
    user_added_chars: user.addedChars,
    user_removed_chars: user.removedChars,
  };
}

interface Changes {
  addedLines: number;
  removedLines: number;
  addedChars: number;
  removedChars: number;
}

async function countChanges(before: string, after: string): Promise<Changes> {
  const changes = { addedLines: 0, removedLines: 0, addedChars: 0, removedChars: 0 };
  if (before === after) return changes;
  const { hunks } = await patchOf('', before, after, 0);
  for (const line of hunks.flatMap((hunk) => hunk.lines)) {
    if (line.startsWith('+')) {
      changes.addedLines++;
      changes.addedChars += line.length - 1;
    } else if (line.startsWith('-')) {
      changes.removedLines++;
      changes.removedChars += line.length - 1;
    }
  }
  return changes;
}

/** The exact diff of large texts with little in common would take minutes. */
const DIFF_TIME_MS = 500;

async function patchOf(
  fileName: string,
  before: string,
  after: string,
  context: number,
): Promise<StructuredPatch> {
  const { structuredPatch } = await import('diff');
  const options = { context, timeout: DIFF_TIME_MS };
  return (
    structuredPatch(fileName, fileName, before, after, undefined, undefined, options) ??
    coarsePatch(fileName, before, after, context)
  );
}

const NO_LINE_END = '\\ No newline at end of file';

/** One hunk: everything between the equal lines at the start and those at the end. */
function coarsePatch(fileName: string, before: string, after: string, context: number): StructuredPatch {
  const oldLines = linesOf(before);
  const newLines = linesOf(after);
  let head = 0;
  while (head < Math.min(oldLines.length, newLines.length) && oldLines[head] === newLines[head]) head++;
  const shorter = Math.min(oldLines.length, newLines.length) - head;
  let tail = 0;
  while (tail < shorter && oldLines.at(-1 - tail) === newLines.at(-1 - tail)) tail++;

  const start = Math.max(0, head - context);
  const kept = Math.min(tail, context);
  const oldEnd = oldLines.length - tail;
  const lines = [
    ...oldLines.slice(start, head).map((line) => ` ${line}`),
    ...oldLines.slice(head, oldEnd).map((line) => `-${line}`),
    ...newLines.slice(head, newLines.length - tail).map((line) => `+${line}`),
    ...oldLines.slice(oldEnd, oldEnd + kept).map((line) => ` ${line}`),
  ].flatMap((line) => (line.endsWith('\n') ? line.slice(0, -1) : [line, NO_LINE_END]));
  const hunk = {
    oldStart: start + 1,
    oldLines: oldEnd + kept - start,
    newStart: start + 1,
    newLines: newLines.length - tail + kept - start,
    lines,
  };
  return {
    oldFileName: fileName,
    newFileName: fileName,
    oldHeader: undefined,
    newHeader: undefined,
    hunks: [hunk],
  };
}

/** With their line ends, so that a missing one at the end of the file is a difference. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function lineCount(text: string): number {
  return linesOf(text).length;
}
