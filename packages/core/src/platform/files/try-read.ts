/** Looks at the file system without failing: what is missing or cannot be read gives nothing. */
import { type Dirent, lstatSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';

export function tryStat(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Does not follow a link. */
export function tryLstat(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export function isDirectory(path: string): boolean {
  return tryStat(path)?.isDirectory() ?? false;
}

export function tryReadText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

export function namesIn(directory: string): string[] {
  return entriesIn(directory).map(({ name }) => name);
}

export function entriesIn(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}
