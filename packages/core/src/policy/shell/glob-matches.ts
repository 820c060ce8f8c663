/** What a glob may become: the folder it starts from, and every link on its way, which may lead anywhere. */
import { type Dirent, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { globPattern } from './glob-targets.js';

/** More entries than this are not looked at: then the matches are unknown. */
const MOST_ENTRIES = 5_000;

/**
 * Undefined: there is too much of it, or it cannot be read.
 * @param comparesNames false: every entry counts as a match
 */
export function matchesOf(path: string, comparesNames: boolean): string[] | undefined {
  const parts = path.split(sep);
  const first = parts.findIndex((part) => /[*?[]/.test(part));
  if (first < 0) return [path];
  const start = parts.slice(0, first).join(sep) || sep;
  const found = [start];
  let folders = [start];
  let seen = 0;
  for (const [index, part] of parts.entries()) {
    if (index < first) continue;
    const isLast = index === parts.length - 1;
    const isGlob = /[*?[]/.test(part);
    const isMatch = isGlob && comparesNames ? nameTest(part) : () => true;
    const next: string[] = [];
    for (const folder of folders) {
      const entries: (Dirent | { name: string })[] = isGlob ? entriesOf(folder) : [{ name: part }];
      seen += entries.length;
      if (seen > MOST_ENTRIES) return undefined;
      for (const entry of entries) {
        if (!isMatch(entry.name)) continue;
        const isFound = !('isFile' in entry) || entry.isSymbolicLink();
        // Nothing lies below a file, and what is no link lies where its folder does.
        if (!isFound && (isLast || entry.isFile())) continue;
        const child = join(folder, entry.name);
        if (isFound) found.push(child);
        next.push(child);
      }
    }
    folders = next;
  }
  return found;
}

/** A match too many only asks, so names that settings or the locale may match count as matches. */
function nameTest(glob: string): (name: string) => boolean {
  // Classes, escapes and extended patterns are read differently from shell to shell.
  if (!/^[\w.*?-]+$/.test(glob)) return () => true;
  const pattern = new RegExp(globPattern(glob), 'i');
  // In some locales a letter such as `ü` counts as several characters.
  return (name) => (glob.includes('?') && /[^ -~]/.test(name)) || pattern.test(name);
}

/** `ls *` takes the name of such a file for an option. */
export function hasEntryLikeOption(folder: string): boolean {
  return entriesOf(folder).some(({ name }) => name.startsWith('-'));
}

/** A file has none. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
