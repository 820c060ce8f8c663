/** Paths by where they really lead. */
import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';

const MOST_LINKS = 40;

export function isInside(path: string, directory: string): boolean {
  if (path === directory) return true;
  return path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

/**
 * The real path. What does not exist is appended to the real path of its deepest existing parent; a link
 * that leads to nothing counts as the place where writing through it would create a file.
 */
export function realPathOf(path: string): string {
  const missing: string[] = [];
  let current = path;
  for (let links = 0; links < MOST_LINKS; ) {
    const real = existingPath(current);
    if (real !== undefined) {
      const whole = join(real, ...missing);
      // Going back up from what does not exist may lead to a link again.
      return missing.includes('..') ? realPathOf(whole) : whole;
    }
    const target = linkTarget(current);
    if (target !== undefined) {
      current = target;
      links++;
      continue;
    }
    const parent = dirname(current);
    if (parent === current) return path;
    missing.unshift(basename(current));
    current = parent;
  }
  // A ring of links leads nowhere; no directory contains it.
  return sep;
}

/** Looks before it asks for the real path: an exception costs many times as much as a look. */
function existingPath(path: string): string | undefined {
  try {
    return existsSync(path) ? realpathSync.native(path) : undefined;
  } catch {
    return undefined;
  }
}

function linkTarget(path: string): string | undefined {
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
    // A relative target counts from where the link really is, not from a linked folder on the way to it.
    return resolve(realPathOf(dirname(path)), readlinkSync(path));
  } catch {
    return undefined;
  }
}
