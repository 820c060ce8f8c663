/** What an undo or a rewind does to one file, as lines: a sentence and the diff. */
import { relative } from 'node:path';
import type { Look } from '../../look.js';
import { cleanLine } from '../../text/clean.js';
import { wrapText } from '../../text/columns.js';
import { diffLines } from '../../tools/diff.js';

export interface FileChange {
  path: string;
  action: string;
  status: string;
  from?: string | undefined;
  detail?: string | undefined;
  diff?: string | undefined;
  isBinary?: boolean | undefined;
}

const ACTIONS: Readonly<Record<string, string>> = {
  restore: 'will be restored',
  recreate: 'will be restored',
  delete: 'will be deleted',
  mode: 'will get its permissions back',
  move: 'will be moved back',
};
const STATUS: Readonly<Record<string, string>> = {
  already: 'is already as it was',
  'changed-since': 'was changed since then and is not touched',
  'not-covered': 'cannot be restored: there is no copy',
  damaged: 'cannot be restored: its copy is damaged',
  unsafe: 'is not touched: the path leads elsewhere now',
  ignored: 'is not touched: it is ignored',
  failed: 'could not be restored',
  done: 'was restored',
};

export function changeLines(look: Look, change: FileChange, cwd: string): string[] {
  const { paint, theme, width } = look;
  const { path, action, status, from, detail, diff, isBinary } = change;
  const isReady = status === 'ready';
  const inside = relative(cwd, path);
  const name = inside && !inside.startsWith('..') ? inside : path;
  const what = isReady ? ACTIONS[action] : STATUS[status];
  const text = `${name} ${what ?? status}${from ? ` (from ${from})` : ''}${detail ? `: ${detail}` : ''}${isBinary ? ' (binary)' : ''}`;
  const color = isReady || status === 'done' ? theme.text.accent : theme.status.warning;
  return [
    ...wrapText(cleanLine(text), width).map((row) => paint(row, { color, bold: true })),
    ...(diff ? diffLines({ fileDiff: diff, fileName: path }, look) : []),
  ];
}
