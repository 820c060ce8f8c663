/** Detects repositories that a command removes or replaces: they are not copied, so the user must be told. */
import { readState, statIfThere } from './file-state.js';
import type { Change } from './types.js';

export const REPOSITORY_REASON = 'repositories (.git) are not copied';

/** Inodes by path of `.git`, a folder or a file. */
export type Repositories = ReadonlyMap<string, number>;

/** The repositories that still exist unchanged. */
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
