/** Directories that earlier versions named by the hash of the project: they get the project's short name. */
import { lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256Hex } from '../../base/sha256.js';
import { createLog } from '../log.js';

const log = createLog('storage');

/** Once, when the name is given. What cannot be moved stays where it is; nothing is overwritten. */
export function adoptHashDirectories(geminiDir: string, projectRoot: string, id: string): void {
  const hash = sha256Hex(projectRoot);
  for (const kind of ['tmp', 'history']) {
    try {
      moveInto(join(geminiDir, kind, hash), join(geminiDir, kind, id));
    } catch (error) {
      log.warn('directory of an earlier version not taken over', error);
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

/** A link leads elsewhere and is left alone. */
function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
