/** Renames directories that earlier versions named by the hash of the project to the project's id. */
import { lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256Hex } from '../../base/sha256.js';
import { createLog } from '../log.js';

const log = createLog('storage');

/** Called once, when the project gets its id. Overwrites nothing; what cannot be moved stays. */
export function adoptHashDirectories(geminiDir: string, projectRoot: string, id: string): void {
  const hash = sha256Hex(projectRoot);
  for (const kind of ['tmp', 'history']) {
    try {
      moveInto(join(geminiDir, kind, hash), join(geminiDir, kind, id));
    } catch (error) {
      log.warn('a directory of an earlier version could not be renamed', error);
    }
  }
}

function moveInto(from: string, to: string): void {
  if (!isDirectory(from)) return;
  if (!lstatSync(to, { throwIfNoEntry: false })) {
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    renameSync(from, to);
    return;
  }
  if (!isDirectory(to)) return;
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    if (!lstatSync(target, { throwIfNoEntry: false })) renameSync(source, target);
    else moveInto(source, target);
  }
  if (readdirSync(from).length === 0) rmdirSync(from);
}

/** False for a link, which is not followed. */
function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
