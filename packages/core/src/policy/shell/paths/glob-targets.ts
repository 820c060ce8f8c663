/** Expands globs in the targets of removals on the disk. */
import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { entriesIn } from '../../../platform/files/try-read.js';

/** With more matches than this the targets count as unknown. */
const MAX_MATCHES = 2_000;

/**
 * `.g?t/*` as `.git/*`: the paths with the globs before the last name replaced; none where there are no such globs.
 * Undefined: there are too many, or `..` follows a glob.
 */
export function globsOnTheWay(text: string, base: string): string[] | undefined {
  const parts = text.split('/');
  // With a trailing slash the last name is a folder, too.
  const last = parts.length - 1;
  const isOpen = (part: string, index: number) => index < last && /[*?[]/.test(part);
  const first = parts.findIndex(isOpen);
  if (first < 0) return [];
  if (parts.slice(first).includes('..')) return undefined;
  let found = [parts.slice(0, first).join('/') + (first > 0 ? '/' : '')];
  for (const [index, part] of parts.entries()) {
    if (index < first) continue;
    found = found.flatMap((head) => {
      const names = isOpen(part, index) ? namesIn(resolve(base, head || '.'), part) : [part];
      return names.map((name) => head + name + (index < last ? '/' : ''));
    });
    if (found.length > MAX_MATCHES) return undefined;
  }
  return found.filter((path) => isThere(resolve(base, path)));
}

/** True also when the last name is a glob that matches something. */
function isThere(path: string): boolean {
  return /[*?[]/.test(basename(path)) ? namesIn(dirname(path), basename(path)).length > 0 : existsSync(path);
}

/** Hidden names count as matches, since shell settings decide about them. */
function namesIn(folder: string, glob: string): string[] {
  const pattern = globPattern(glob);
  return entriesIn(folder)
    .map(({ name }) => name)
    .filter((name) => pattern.test(name));
}

/** An invalid glob matches everything. @param isDeep `**` matches any number of folders */
export function globPattern(glob: string, isDeep = false): RegExp {
  const body = glob
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replace(/\*\*\/|\*+|\?/g, (found) => {
      if (isDeep && found === '**/') return '(?:.*/)?';
      return found === '?' ? '[^/]' : found.endsWith('/') ? '[^/]*/' : '[^/]*';
    })
    .replace(/\[!/g, '[^');
  try {
    return new RegExp(`^${body}$`);
  } catch {
    return /^/;
  }
}
