/** Protected names of a workspace that a contained command may write: those there at any depth, and absent ones at its root. */
import { join } from 'node:path';
import { PROTECTED_NAMES } from '../../files/protected-names.js';
import type { DirectoryEntry, DirectoryReader } from '../paths/hidden-paths.js';
import { closed, type ProtectedPath } from '../paths/protected-paths.js';
import { SandboxError } from '../types.js';

/** To look through more takes longer than most commands, and each mount has its price. */
const MOST_DIRECTORIES = 10_000;
const MOST_PROTECTED = 300;

/** @throws SandboxError when one of them is a link, or there are too many to look through */
export function protectedBelow(workspace: string, read: DirectoryReader): ProtectedPath[] {
  const found = [...atRoot(workspace)];
  const known = new Set(found.map(({ path }) => path));
  const pending = [workspace];
  for (let visited = 0; pending.length > 0; visited++) {
    const directory = pending.pop() ?? workspace;
    const entries = read(directory);
    if (visited > MOST_DIRECTORIES || found.length > MOST_PROTECTED) throw tooMany(workspace);
    if (directory !== workspace && isBareRepository(entries)) {
      found.push(closed(directory, true));
      continue;
    }
    for (const { name, kind } of entries) {
      const path = join(directory, name);
      const isProtected = PROTECTED_NAMES.some(({ pattern }) => pattern.test(name));
      if (isProtected && kind !== 'link' && !known.has(path)) found.push(closed(path, kind === 'directory'));
      if (!isProtected && kind === 'directory') pending.push(path);
    }
  }
  return found;
}

/** A pattern of several names has no place to hold; `.env.local` can be made, but not changed. */
function atRoot(workspace: string): ProtectedPath[] {
  return PROTECTED_NAMES.filter(({ name }) => !name.includes('*')).map(({ name, isDirectory }) =>
    closed(join(workspace, name), isDirectory, isDirectory ? null : ''),
  );
}

/** Git takes a directory with these for a repository, and its `config` and `hooks` for its own. */
function isBareRepository(entries: readonly DirectoryEntry[]): boolean {
  const names = new Set(entries.map(({ name }) => name));
  return names.has('HEAD') && names.has('objects') && names.has('refs');
}

function tooMany(workspace: string): SandboxError {
  return new SandboxError(
    `${workspace} has too many folders to protect each one's settings.`,
    'Allow the command when you are asked.',
  );
}
