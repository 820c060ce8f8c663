/** Copies the folder of an extension. Only files, folders and links that stay inside are copied, up to a limit. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { codeOf } from '../../base/errors.js';
import { isOpenedAt } from '../../platform/files/opened-path.js';
import { isInside, realPathOf } from '../../platform/files/real-path.js';
import { ExtensionInstallError } from './error.js';

/** Extensions bring their node_modules. */
const MAX_BYTES = 1024 * 1024 * 1024;
const MAX_FILES = 100_000;
const PIECE_BYTES = 256 * 1024;
/** Neither through a link nor waiting for a pipe, which may have replaced the file. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** @param to does not exist yet @throws ExtensionInstallError; the caller removes what was copied */
export function copyExtensionFolder(from: string, to: string, { keepsGit = false } = {}): void {
  const root = realpathSync(from);
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  const total = { bytes: 0, files: 0 };
  const count = (bytes: number, files = 0) => {
    total.bytes += bytes;
    total.files += files;
    if (total.files > MAX_FILES || total.bytes > MAX_BYTES)
      throw new ExtensionInstallError(
        `${from} is too large for an extension: over ${MAX_FILES} files or 1 GB.`,
      );
  };
  mkdirSync(to);
  const copy = (source: string, target: string) => {
    for (const name of readdirSync(source)) {
      if (name === '.git' && !(keepsGit && source === root)) continue;
      const [path, copied] = [join(source, name), join(target, name)];
      // The folder may be among those that are copied, as when it is the home folder.
      if (path === to || isInside(dirname(to), path))
        throw new ExtensionInstallError(`${from} contains the folder of the installed extensions.`);
      const stats = lstatSync(path);
      count(0, 1);
      if (stats.isDirectory()) {
        mkdirSync(copied);
        copy(path, copied);
      } else if (stats.isSymbolicLink()) {
        symlinkSync(linkInside(path, root), copied);
      } else if (stats.isFile()) {
        copyFile(path, copied, piece, count);
      } else {
        throw new ExtensionInstallError(
          `${path} is neither a file nor a folder. Remove it from the extension.`,
        );
      }
    }
  };
  copy(root, to);
}

/** What is opened is copied: the source may change after every check. */
function copyFile(path: string, copied: string, piece: Buffer, count: (bytes: number) => void): void {
  const source = openUnchanged(path);
  let target: number | undefined;
  try {
    const stats = fstatSync(source);
    if (!stats.isFile() || !isOpenedAt(source, path)) throw changedMeanwhile(path);
    // The owner must be able to remove and update it.
    target = openSync(copied, 'wx', (stats.mode & 0o100) !== 0 ? 0o755 : 0o644);
    for (;;) {
      const size = readSync(source, piece);
      if (size === 0) return;
      count(size);
      for (let written = 0; written < size; ) written += writeSync(target, piece, written, size - written);
    }
  } finally {
    closeSync(source);
    if (target !== undefined) closeSync(target);
  }
}

function openUnchanged(path: string): number {
  try {
    return openSync(path, READ_FLAGS);
  } catch (error) {
    if (codeOf(error) === 'ELOOP' || codeOf(error) === 'ENOENT') throw changedMeanwhile(path);
    throw error;
  }
}

function changedMeanwhile(path: string): ExtensionInstallError {
  return new ExtensionInstallError(`${path} was changed while it was copied. Try again.`);
}

/** The target of a link to a file of the extension, relative to the link. */
function linkInside(path: string, root: string): string {
  const target = readlinkSync(path);
  const real = realPathOf(path);
  if (!isInside(real, root))
    throw new ExtensionInstallError(`${path} is a link that leaves the extension. Replace it by a copy.`);
  return isAbsolute(target) ? relative(dirname(path), real) || '.' : target;
}
