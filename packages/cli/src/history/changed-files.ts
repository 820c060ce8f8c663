/** What a session changed, as text: one heading per file, and totals. */
import { relative, sep } from 'node:path';
import { type NetDiff, visibleName } from '@gemini-cli/core';

const KINDS: Readonly<Record<NetDiff['kind'], string>> = {
  created: 'new file',
  changed: '',
  deleted: 'deleted',
  moved: 'moved',
  mode: 'permissions changed',
};

/** `src/a.ts +3 -1`, `b.png (new file, binary or large)`. */
export function fileHeading(file: NetDiff, cwd: string): string {
  const { path, from, kind, added, removed, diff, isBinary, isForeign } = file;
  const remarks = [
    from === undefined ? KINDS[kind] : `moved from ${shownPath(from, cwd)}`,
    isBinary ? 'binary or large' : '',
    isForeign ? 'also changed outside this session' : '',
  ].filter(Boolean);
  const counts = diff === undefined ? '' : ` +${added} -${removed}`;
  return `${shownPath(path, cwd)}${counts}${remarks.length > 0 ? ` (${remarks.join(', ')})` : ''}`;
}

/** `2 files changed, +4 -1`. */
export function totalsOf(files: readonly NetDiff[]): string {
  const sum = (key: 'added' | 'removed') => files.reduce((total, file) => total + file[key], 0);
  const count = `${files.length} ${files.length === 1 ? 'file' : 'files'}`;
  return `${count} changed, +${sum('added')} -${sum('removed')}`;
}

/** Can be applied as a patch: other programs skip the lines between the diffs. */
export function diffText(files: readonly NetDiff[], cwd: string): string {
  const parts = files.flatMap((file) => [
    fileHeading(file, cwd),
    ...(file.diff ? [file.diff.trimEnd()] : []),
  ]);
  return [...parts, totalsOf(files)].join('\n');
}

function shownPath(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  return visibleName(inside === '..' || inside.startsWith(`..${sep}`) ? path : inside);
}
