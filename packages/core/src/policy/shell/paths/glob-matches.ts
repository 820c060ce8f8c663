/** Finds what a glob may match: the folder it starts from, and every link on its way, which may lead anywhere. */
import type { Dirent } from 'node:fs';
import { join, sep } from 'node:path';
import { entriesIn } from '../../../platform/files/try-read.js';
import { globPattern } from './glob-targets.js';

/** With more entries than this the matches count as unknown. */
const MAX_ENTRIES = 5_000;

/**
 * Undefined: there are too many entries.
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
      const entries: (Dirent | { name: string })[] = isGlob ? entriesIn(folder) : [{ name: part }];
      seen += entries.length;
      if (seen > MAX_ENTRIES) return undefined;
      for (const entry of entries) {
        if (!isMatch(entry.name)) continue;
        const isFound = !('isFile' in entry) || entry.isSymbolicLink();
        // A file has nothing below it, and an entry that is not a link lies where its folder does.
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

/** A false match only makes the line ask, so names that match in some settings or locales count as matches. */
function nameTest(glob: string): (name: string) => boolean {
  // Shells differ in character classes, escapes and extended patterns.
  if (!/^[\w.*?-]+$/.test(glob)) return () => true;
  const pattern = new RegExp(globPattern(glob), 'i');
  // In some locales a letter such as `ü` counts as several characters.
  return (name) => (glob.includes('?') && /[^ -~]/.test(name)) || pattern.test(name);
}

/** `ls *` reads a file name such as `-R` as an option. */
export function hasEntryLikeOption(folder: string): boolean {
  return entriesIn(folder).some(({ name }) => name.startsWith('-'));
}
