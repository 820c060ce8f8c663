/** Repositories are not copied. One that a command removes or replaces is named, so that the user does not count on the undo. */
import { readState, statIfThere } from './file-state.js';
import type { Change } from './types.js';

export const REPOSITORY_REASON = 'repositories (.git) are not copied';

/** Paths of `.git`, a folder or a file, with their inodes. */
export type Repositories = ReadonlyMap<string, number>;

/** Those that are still what they were seen to be. */
export function presentRepositories(seen: Repositories): Repositories {
  return new Map([...seen].filter(isThere));
}

export function lostRepositories(before: Repositories): Change[] {
  return [...before]
    .filter((repository) => !isThere(repository))
    .map(([path, ino]) => ({ path, before: { kind: 'other', ino }, after: readState(path) }));
}

function isThere([path, ino]: readonly [string, number]): boolean {
  return statIfThere(path)?.ino === ino;
}
