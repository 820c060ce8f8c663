/** Diffs of net changes. */
import { isAbsolute, relative, sep } from 'node:path';
import { visibleName } from '../../base/visible-text.js';
import type { NetChange } from './net-changes.js';
import { sameContent } from './types.js';

export interface NetDiff {
  path: string;
  kind: 'created' | 'changed' | 'deleted' | 'moved' | 'mode';
  /** Of a moved file: its earlier path. */
  from?: string;
  added: number;
  removed: number;
  /** A unified diff with paths relative to the folder; absent for binary and large files. */
  diff?: string;
  isBinary?: boolean;
  /** It was also changed outside the session. */
  isForeign: boolean;
}

/** A diff of large texts with little in common would take minutes. */
const DIFF_TIME_MS = 200;

/** @param folder paths in the diffs are relative to it */
export async function diffsOf(changes: readonly NetChange[], folder: string): Promise<NetDiff[]> {
  const diffs: NetDiff[] = [];
  for (const change of changes) {
    // Named with its new path.
    if (change.movedTo === undefined) diffs.push(await diffOf(change, folder));
  }
  return diffs;
}

async function diffOf(change: NetChange, folder: string): Promise<NetDiff> {
  const { path, isForeign, movedFrom, texts } = change;
  const kind = kindOf(change);
  const file: NetDiff = { path, kind, added: 0, removed: 0, isForeign };
  if (movedFrom !== undefined) return { ...file, from: movedFrom };
  if (kind === 'mode') return file;
  if (texts === null) return { ...file, isBinary: true };
  const { structuredPatch, formatPatch } = await import('diff');
  const name = nameIn(folder, path);
  const patch = structuredPatch(
    kind === 'created' ? '/dev/null' : `a/${name}`,
    kind === 'deleted' ? '/dev/null' : `b/${name}`,
    texts.target,
    texts.now,
    undefined,
    undefined,
    { context: 3, timeout: DIFF_TIME_MS },
  );
  if (!patch) return { ...file, isBinary: true };
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return { ...file, added: count('+'), removed: count('-'), diff: withoutRule(formatPatch(patch)) };
}

/** Removes the line of `=` above the file names. */
function withoutRule(patch: string): string {
  return patch.replace(/^=+\n/, '');
}

function kindOf({ before, after, movedFrom }: NetChange): NetDiff['kind'] {
  if (movedFrom !== undefined) return 'moved';
  if (before === null || before.kind === 'dir') return 'created';
  if (after === null || after.kind === 'dir') return 'deleted';
  return before.kind === 'file' && after.kind === 'file' && sameContent(before, after) ? 'mode' : 'changed';
}

/** A line break in the name would break the patch format. */
function nameIn(folder: string, path: string): string {
  const inside = relative(folder, path);
  const isOutside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return visibleName(isOutside ? path.replace(/^[/\\]+/, '') : inside);
}
