/** Completes a typed path from the entries of one folder. */
import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

export interface ListedPath {
  /** Starts with what was typed; folders end with `/`. */
  path: string;
  isFolder: boolean;
}

const CONTROLS = /\p{C}/u;

/** Sorted by name, folders first. */
export async function listPaths(
  typed: string,
  { cwd, limit, foldersOnly = false }: { cwd: string; limit: number; foldersOnly?: boolean },
): Promise<ListedPath[]> {
  const end = typed.lastIndexOf('/') + 1;
  const [before, start] = typed === '~' ? ['~/', ''] : [typed.slice(0, end), typed.slice(end)];
  const folder = resolve(cwd, before.startsWith('~/') ? join(homedir(), before.slice(2)) : before || '.');
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const wanted = entries
    .filter(({ name }) => name.toLowerCase().startsWith(start.toLowerCase()) && !CONTROLS.test(name))
    .filter(({ name }) => start.startsWith('.') || !name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, limit * 4);
  const listed = await Promise.all(
    wanted.map(async (entry): Promise<ListedPath> => {
      const isFolder =
        entry.isDirectory() || (entry.isSymbolicLink() && (await leadsToFolder(join(folder, entry.name))));
      return { path: `${before}${entry.name}${isFolder ? '/' : ''}`, isFolder };
    }),
  );
  const folders = listed.filter(({ isFolder }) => isFolder);
  const files = foldersOnly ? [] : listed.filter(({ isFolder }) => !isFolder);
  return [...folders, ...files].slice(0, limit);
}

async function leadsToFolder(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.isDirectory() ?? false;
}
