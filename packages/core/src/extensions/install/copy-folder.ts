/** Copies the folder of an extension. */
import { dirname } from 'node:path';
import { copyTree } from '../../platform/files/copy-tree.js';
import { isInside } from '../../platform/files/real-path.js';
import { ExtensionInstallError } from './error.js';

/** Extensions bring their node_modules. */
const LIMITS = { maxFiles: 100_000, maxBytes: 1024 * 1024 * 1024 };

/** @param to does not exist yet @throws ExtensionInstallError; the caller removes what was copied */
export function copyExtensionFolder(from: string, to: string): void {
  const refuse = (message: string) => new ExtensionInstallError(message);
  const check = (path: string) => {
    // The folder may be among those that are copied, as when it is the home folder.
    if (path === to || isInside(dirname(to), path))
      throw refuse(`${from} contains the folder of the installed extensions.`);
  };
  copyTree(from, to, { what: 'extension', ...LIMITS, refuse, check });
}
