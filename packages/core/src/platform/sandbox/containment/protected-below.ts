/** Finds the protected paths of a writable workspace: existing ones at any depth, and missing ones at its root. */
import { join } from 'node:path';
import { PROTECTED_NAMES } from '../../files/protected-names.js';
import type { DirectoryEntry, DirectoryReader } from '../paths/hidden-paths.js';
import { type ProtectedPath, readOnly } from '../paths/protected-paths.js';
import { SandboxError } from '../types.js';

/** Searching more would take longer than most commands, and each mount takes time. */
const MAX_DIRECTORIES = 10_000;
const MAX_PROTECTED = 300;

/** @throws SandboxError when one of them is a link, or there are too many folders */
export function protectedBelow(workspace: string, read: DirectoryReader): ProtectedPath[] {
  const found = [...atRoot(workspace)];
  const known = new Set(found.map(({ path }) => path));
  const pending = [workspace];
  for (let visited = 0; pending.length > 0; visited++) {
    const directory = pending.pop() ?? workspace;
    const entries = read(directory);
    if (visited > MAX_DIRECTORIES || found.length > MAX_PROTECTED) throw tooMany(workspace);
    if (directory !== workspace && isBareRepository(entries)) {
      found.push(readOnly(directory, true));
      continue;
    }
    for (const { name, kind } of entries) {
      const path = join(directory, name);
      const isProtected = PROTECTED_NAMES.some(({ pattern }) => pattern.test(name));
      if (isProtected && kind !== 'link' && !known.has(path))
        found.push(readOnly(path, kind === 'directory'));
      if (!isProtected && kind === 'directory') pending.push(path);
    }
  }
  return found;
}

/** A name pattern cannot be mounted: a missing `.env.local` can be created, an existing one not changed. */
function atRoot(workspace: string): ProtectedPath[] {
  return PROTECTED_NAMES.filter(({ name }) => !name.includes('*')).map(({ name, isDirectory }) =>
    readOnly(join(workspace, name), isDirectory, isDirectory ? null : ''),
  );
}

/** Git treats a directory with these entries as a repository and obeys its `config` and `hooks`. */
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
