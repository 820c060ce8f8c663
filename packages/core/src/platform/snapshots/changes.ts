/** Lists what a call changed, from the file states before and after it, and recognises moves. */
import { isInside } from '../files/real-path.js';
import { type Change, type FileState, sameContent, sameState, type Uncovered } from './types.js';

/** Drops paths in folders that could not be listed completely: a file that seems new or gone there may not be. */
export function withoutBlind(paths: Iterable<string>, blind: Iterable<string>): string[] {
  const folders = [...blind];
  return [...paths].filter((path) => !folders.some((folder) => path !== folder && isInside(path, folder)));
}

export function changesBetween(
  paths: Iterable<string>,
  before: (path: string) => FileState | null,
  after: (path: string) => FileState | null,
): Change[] {
  const changes: Change[] = [];
  for (const path of paths) {
    const change = { path, before: before(path), after: after(path) };
    if (!sameState(change.before, change.after)) changes.push(change);
  }
  changes.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  linkMoves(changes);
  return changes;
}

/** A removed file and a new one are a move if they have the same inode or else the same content. */
function linkMoves(changes: readonly Change[]): void {
  const gone = changes.filter(({ before, after }) => before?.kind === 'file' && after === null);
  if (gone.length === 0) return;
  const byInode = new Map<string, Change>();
  const byHash = new Map<string, Change>();
  for (const change of gone) {
    if (change.before?.kind !== 'file') continue;
    byInode.set(`${change.before.ino} ${change.before.size}`, change);
    if (change.before.hash && change.before.size > 0) byHash.set(change.before.hash, change);
  }
  for (const change of changes) {
    const { before, after } = change;
    if (before !== null || after?.kind !== 'file') continue;
    const sameInode = byInode.get(`${after.ino} ${after.size}`);
    const origin = sameInode && !isDifferentFile(sameInode, after) ? sameInode : byHash.get(after.hash ?? '');
    if (!origin || origin.movedTo !== undefined) continue;
    origin.movedTo = change.path;
    change.movedFrom = origin.path;
  }
}

/** Inodes are reused: different contents are not a move. */
function isDifferentFile({ before }: Change, after: FileState): boolean {
  if (before?.kind !== 'file' || after.kind !== 'file') return true;
  return before.hash !== null && after.hash !== null
    ? before.hash !== after.hash
    : before.mtimeMs !== after.mtimeMs;
}

/** Files that were changed or removed although their content was never copied. A moved file is not lost. */
export function lostIn(changes: readonly Change[], reasons: ReadonlyMap<string, string>): Uncovered[] {
  return changes
    .filter(({ before, after, movedTo }) => isUncopied(before) && !hasSameContent(before, after) && !movedTo)
    .map(({ path, before }) => ({
      path,
      reason:
        reasons.get(path) ??
        (before?.kind === 'other' ? 'it is not a regular file' : 'its content was not copied in time'),
    }));
}

function isUncopied(state: FileState | null): boolean {
  return state?.kind === 'other' || (state?.kind === 'file' && state.hash === null);
}

function hasSameContent(before: FileState | null, after: FileState | null): boolean {
  return before?.kind === 'file' && after?.kind === 'file' && sameContent(before, after);
}
