/** Reads one folder: entries sorted and filtered. Opens nothing but the folder itself. */
import { lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, ModelError } from '../../base/errors.js';
import { inOpenFolder } from '../../platform/files/opened-path.js';
import type { FileDiscoveryService } from '../../workspace/file-discovery.js';
import type { FileFilteringOptions } from '../../workspace/host.js';

export interface DirectoryEntry {
  name: string;
  isDirectory: boolean;
  size: number;
}

export interface Listing {
  /** Directories first, each group in the order of the user's language. */
  entries: DirectoryEntry[];
  /** How many entries the ignore files left out. */
  ignored: number;
}

export interface ListOptions {
  files: Pick<FileDiscoveryService, 'shouldIgnoreFile' | 'shouldIgnoreDirectory'>;
  filtering: FileFilteringOptions;
  /** Globs (`*`, `?`) on the base name. */
  ignore: string[];
}

export class NotADirectoryError extends ModelError {}

/** @param path a real path; it is listed only if it is still the same folder when it is opened */
export function listDirectory(path: string, options: ListOptions): Listing {
  const onMoved = () => new Error('it led elsewhere while it was opened. Try again.');
  try {
    return inOpenFolder(path, onMoved, (folder) => listOpen(folder, path, options));
  } catch (error) {
    if (codeOf(error) !== 'ENOTDIR') throw error;
    throw new NotADirectoryError(`Path is not a directory: ${path}. Use read_file for files.`);
  }
}

function listOpen(folder: string, path: string, { files, filtering, ignore }: ListOptions): Listing {
  const entries: DirectoryEntry[] = [];
  let ignored = 0;
  for (const name of readdirSync(folder)) {
    if (ignore.some((glob) => matchesGlob(glob, name))) continue;
    const full = join(path, name);
    const stats = statsOf(join(folder, name));
    if (!stats) continue;
    const isDirectory = stats.isDirectory();
    const hidden = isDirectory
      ? files.shouldIgnoreDirectory(full, filtering)
      : files.shouldIgnoreFile(full, filtering);
    if (hidden) ignored++;
    else entries.push({ name, isDirectory, size: isDirectory ? 0 : stats.size });
  }
  entries.sort(byKindAndName);
  return { entries, ignored };
}

/** Stats of a link's target, or of the link itself when it dangles; undefined when the entry is gone. */
function statsOf(path: string): Stats | undefined {
  for (const stat of [statSync, lstatSync]) {
    try {
      return stat(path);
    } catch {
      // Dangling link, or removed since the folder was read.
    }
  }
  return undefined;
}

function byKindAndName(a: DirectoryEntry, b: DirectoryEntry): number {
  if (a.isDirectory !== b.isDirectory) return a.isDirectory ? -1 : 1;
  return a.name.localeCompare(b.name);
}

/** Knows `*` and `?` only. Backtracks to the last star alone, so no pattern takes more than quadratic time. */
export function matchesGlob(glob: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  let index = 0;
  while (index < name.length) {
    if (glob[at] === '*') {
      star = at++;
      resume = index;
    } else if (at < glob.length && (glob[at] === '?' || glob[at] === name[index])) {
      at++;
      index++;
    } else if (star !== -1) {
      at = star + 1;
      index = ++resume;
    } else {
      return false;
    }
  }
  while (glob[at] === '*') at++;
  return at === glob.length;
}
