/** The input of every discovery function. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FolderReader } from './folder-reader.js';
import type { Table } from './values.js';

export interface DiscoveryContext {
  folder: FolderReader;
  /** The parent folders up to the repository's root; only context files and `.env` are read there. */
  above: readonly FolderReader[];
  /** The folder's settings as written, `{}` when there are none. */
  settings: Table;
}

const MAX_PARENTS = 40;

/** @param home the search upwards never goes beyond it */
export function readersAbove(folder: string, home: string): FolderReader[] {
  const readers: FolderReader[] = [];
  let directory = folder;
  while (!existsSync(join(directory, '.git'))) {
    const parent = dirname(directory);
    // Without a repository no parent folder belongs to the project.
    if (parent === directory || parent === home || readers.length === MAX_PARENTS) return [];
    directory = parent;
    readers.push(
      new FolderReader(
        directory,
        Array(readers.length + 1)
          .fill('..')
          .join('/'),
      ),
    );
  }
  return readers;
}
