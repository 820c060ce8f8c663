/** Resolves paths to real paths, without links. */
import { existsSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { PathWalker } from './kernel-path.js';

export function isInside(path: string, directory: string): boolean {
  if (path === directory) return true;
  return path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

/**
 * The real path, resolved as the kernel does. Missing parts are appended to the real path of the deepest existing
 * parent; a dangling link resolves to the path where writing through it would create a file.
 */
export function realPathOf(path: string): string {
  const existing = existingPath(path);
  if (existing !== undefined) return existing;
  // A loop of links resolves to the root, so no directory contains it.
  return new PathWalker().walk(path, existingPath('.') ?? sep).path;
}

/** Checks existence first, because an exception is many times slower. */
function existingPath(path: string): string | undefined {
  try {
    return existsSync(path) ? realpathSync.native(path) : undefined;
  } catch {
    return undefined;
  }
}
