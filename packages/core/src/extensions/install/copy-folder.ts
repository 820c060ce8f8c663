/** Copies the folder of an extension. */
import { basename, dirname, join, relative } from 'node:path';
import { visibleName } from '../../base/visible-text.js';
import { copyTree } from '../../platform/files/copy-tree.js';
import { isInside, realPathOf } from '../../platform/files/real-path.js';
import { tryLstat } from '../../platform/files/try-read.js';
import { ExtensionInstallError } from './error.js';

/** Extensions bring their node_modules. */
const LIMITS = { maxFiles: 100_000, maxBytes: 1024 * 1024 * 1024 };
/** Links in one message. */
const NAMED = 5;

/**
 * Links that leave the extension are refused. Those that a package manager made, as every virtual environment of Python
 * has some, are left out and named: they are no reason to refuse what else is there.
 * @param to does not exist yet @throws ExtensionInstallError; the caller removes what was copied
 */
export function copyExtensionFolder(from: string, to: string, notice: (message: string) => void): void {
  const root = realPathOf(from);
  const left: string[] = [];
  const refuse = (message: string) => new ExtensionInstallError(message);
  const check = (path: string) => {
    // The folder may be among those that are copied, as when it is the home folder.
    if (path === to || isInside(dirname(to), path))
      throw refuse(`${from} contains the folder of the installed extensions.`);
  };
  const leavesOut = (path: string) => isOfPackageManager(path, root) && left.push(relative(root, path)) > 0;
  copyTree(from, to, { what: 'extension', ...LIMITS, refuse, check, leavesOut });
  if (left.length === 0) return;
  const more = left.length > NAMED ? ` and ${left.length - NAMED} more` : '';
  notice(
    `Links that leave the extension are left out: ${left.slice(0, NAMED).map(visibleName).join(', ')}${more}. ` +
      'gemini extensions link uses the folder with them.',
  );
}

function isOfPackageManager(path: string, root: string): boolean {
  for (let folder = dirname(path); isInside(folder, root); folder = dirname(folder))
    if (basename(folder) === 'node_modules' || tryLstat(join(folder, 'pyvenv.cfg'))) return true;
  return false;
}
