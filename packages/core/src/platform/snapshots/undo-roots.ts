/**
 * Decides which files an undo may touch. A program in the sandbox can write the store, so a record is not proof that
 * its folders were ever part of the workspace.
 */
import { dirname, resolve, sep } from 'node:path';
import { isInside, realPathOf } from '../files/real-path.js';

export interface UndoBounds {
  /** Real paths of the workspace folders of this process. */
  roots: readonly string[];
  /** Our own files. */
  globalDir: string;
}

const SYSTEM = ['/boot', '/etc', '/usr', '/var/spool'];

/** @param recorded workspace folders according to the records */
export function boundsCheck(
  { roots, globalDir }: UndoBounds,
  recorded: readonly string[],
): (path: string) => boolean {
  const allowed = [...roots, ...plausibleRoots({ roots, globalDir }, recorded)];
  const own = realPathOf(globalDir);
  // What the model remembers for all projects. Other files there decide what runs.
  const isMemory = (path: string) => dirname(path) === own && path.endsWith('.md');
  return (path) => resolve(path) === path && (isMemory(path) || allowed.some((root) => isInside(path, root)));
}

/** Of the workspace folders in records, those that an earlier session may have had. */
export function plausibleRoots({ roots, globalDir }: UndoBounds, recorded: readonly string[]): string[] {
  return recorded.filter((root) => isPlausible(root, [...roots, realPathOf(globalDir)]));
}

/**
 * A folder that an earlier session may have added to the workspace: not one around the project or the home, not a
 * system folder, and not below a hidden folder, where programs have their settings.
 */
function isPlausible(root: string, own: readonly string[]): boolean {
  if (realPathOf(root) !== root || own.some((path) => isInside(path, root))) return false;
  if (SYSTEM.some((path) => isInside(root, path))) return false;
  return !root.split(sep).some((name) => name.startsWith('.'));
}
