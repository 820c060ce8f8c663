/** Paths by where they really lead. */
import { existsSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { PathWalker } from './kernel-path.js';

export function isInside(path: string, directory: string): boolean {
  if (path === directory) return true;
  return path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

/**
 * The real path, walked as the kernel walks it. What does not exist is appended to the real path of its deepest
 * existing parent; a link that leads to nothing counts as the place where writing through it would create a file.
 */
export function realPathOf(path: string): string {
  const existing = existingPath(path);
  if (existing !== undefined) return existing;
  // A ring of links leads nowhere; no directory contains it.
  return new PathWalker().walk(path, existingPath('.') ?? sep).path;
}

/** Looks before it asks for the real path: an exception costs many times as much as a look. */
function existingPath(path: string): string | undefined {
  try {
    return existsSync(path) ? realpathSync.native(path) : undefined;
  } catch {
    return undefined;
  }
}
