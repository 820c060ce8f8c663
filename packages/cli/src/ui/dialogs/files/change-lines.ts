/** What happens to files when something is taken back, as lines with diffs. */
import { relative } from 'node:path';
import type { Look } from '../../look.js';
import { cleanLine } from '../../text/clean.js';
import { wrapText } from '../../text/columns.js';
import { narrower } from '../../text/narrow.js';
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
  restore: 'comes back as it was',
  recreate: 'comes back',
  delete: 'is deleted',
  mode: 'gets its permissions back',
  move: 'is moved back',
};
const STATUS: Readonly<Record<string, string>> = {
  already: 'is as it was already',
  'changed-since': 'was changed since by someone else and is left',
  'not-covered': 'cannot come back: there is no copy',
  damaged: 'cannot come back: its copy is damaged',
  unsafe: 'is left: the path leads elsewhere now',
  ignored: 'is left: it is ignored',
  failed: 'could not be brought back',
  done: 'is back',
};

export function changeLines(look: Look, change: FileChange, cwd: string, width: number): string[] {
  const { paint, theme } = look;
  const { path, action, status, from, detail, diff, isBinary } = change;
  const isReady = status === 'ready';
  const inside = relative(cwd, path);
  const name = inside && !inside.startsWith('..') ? inside : path;
  const what = isReady ? ACTIONS[action] : STATUS[status];
  const text = `${name} ${what ?? status}${from ? ` (from ${from})` : ''}${detail ? `: ${detail}` : ''}${isBinary ? ' (binary)' : ''}`;
  const head = wrapText(cleanLine(text), width).map((row) =>
    paint(row, {
      color: isReady || status === 'done' ? theme.text.accent : theme.status.warning,
      bold: true,
    }),
  );
  return [
    ...head,
    ...(diff ? diffLines({ fileDiff: diff, fileName: path }, narrower(look, look.width - width)) : []),
  ];
}
