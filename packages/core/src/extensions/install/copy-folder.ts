/** Copies the folder of an extension. Only files, folders and links that stay inside are copied, up to a limit. */
import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { isInside, realPathOf } from '../../platform/files/real-path.js';
import { ExtensionInstallError } from './error.js';

/** Extensions bring their node_modules. */
const MAX_BYTES = 1024 * 1024 * 1024;
const MAX_FILES = 100_000;

/** @param to does not exist yet @throws ExtensionInstallError; the caller removes what was copied */
export function copyExtensionFolder(from: string, to: string, { keepsGit = false } = {}): void {
  const root = realpathSync(from);
  const total = { bytes: 0, files: 0 };
  mkdirSync(to);
  const copy = (source: string, target: string) => {
    for (const name of readdirSync(source)) {
      if (name === '.git' && !(keepsGit && source === root)) continue;
      const [path, copied] = [join(source, name), join(target, name)];
      // The folder may be among those that are copied, as when it is the home folder.
      if (path === to || isInside(dirname(to), path))
        throw new ExtensionInstallError(`${from} contains the folder of the installed extensions.`);
      const stats = lstatSync(path);
      total.bytes += stats.isFile() ? stats.size : 0;
      if (++total.files > MAX_FILES || total.bytes > MAX_BYTES)
        throw new ExtensionInstallError(
          `${from} is too large for an extension: over ${MAX_FILES} files or 1 GB.`,
        );
      if (stats.isDirectory()) {
        mkdirSync(copied);
        copy(path, copied);
      } else if (stats.isSymbolicLink()) {
        symlinkSync(linkInside(path, root), copied);
      } else if (stats.isFile()) {
        copyFileSync(path, copied, constants.COPYFILE_EXCL);
        // The owner must be able to remove and update it.
        chmodSync(copied, (stats.mode & 0o100) !== 0 ? 0o755 : 0o644);
      } else {
        throw new ExtensionInstallError(
          `${path} is neither a file nor a folder. Remove it from the extension.`,
        );
      }
    }
  };
  copy(root, to);
}

/** The target of a link to a file of the extension, relative to the link. */
function linkInside(path: string, root: string): string {
  const target = readlinkSync(path);
  const real = realPathOf(path);
  if (!isInside(real, root))
    throw new ExtensionInstallError(`${path} is a link that leaves the extension. Replace it by a copy.`);
  return isAbsolute(target) ? relative(dirname(path), real) || '.' : target;
}
