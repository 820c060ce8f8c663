/** What an undo or rewind does to files, below its problems. Used inside a `Question` or `Pager`. */
import { relative } from 'node:path';
import { ErrorText } from '../../components/ErrorText.js';
import { paragraphRows } from '../../components/Paragraph.js';
import { ScrollableDiffViewport } from '../../components/ScrollableDiffViewport.js';
import type { Look } from '../../look.js';
import { cleanLine } from '../../text/clean.js';
import { wrapText } from '../../text/columns.js';
import { diffLines } from '../../tools/diff.js';
import { useLook } from '../../use-look.js';

interface FileChange {
  path: string;
  action: string;
  status: string;
  from?: string | undefined;
  detail?: string | undefined;
  diff?: string | undefined;
  isBinary?: boolean | undefined;
}

export interface FileChangesProps {
  changes: readonly FileChange[];
  cwd: string;
  problem?: string | undefined;
}

export function FileChanges({ changes, cwd, problem = '' }: FileChangesProps) {
  const look = useLook();
  return (
    <>
      <ErrorText text={problem} />
      <ScrollableDiffViewport
        lines={changes.flatMap((change) => changeLines(look, change, cwd))}
        above={paragraphRows(cleanLine(problem), look.width)}
      />
    </>
  );
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

function changeLines(look: Look, change: FileChange, cwd: string): string[] {
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
