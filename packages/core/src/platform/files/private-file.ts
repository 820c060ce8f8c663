/** Files that only their owner may read: credentials, accounts, ids. */
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UserError } from '../../base/errors.js';
import { randomHex } from '../random.js';
import { toFileError } from './file-error.js';
import { realPathOf } from './real-path.js';
import { readFileBytes } from './safe-read.js';

/** Far larger than any of our files. */
const MAX_BYTES = 1024 * 1024;

export class PrivateFileError extends UserError {
  override readonly name: string = 'PrivateFileError';
  constructor(
    readonly path: string,
    message: string,
    cause?: unknown,
  ) {
    super(message, { code: 'private_file', cause });
  }
}

/** The content is invalid. It is never deleted: another program may understand it. */
export class DamagedFileError extends PrivateFileError {
  override readonly name = 'DamagedFileError';
}

/** Undefined when there is none. Also removes the permissions of other users. */
export function readPrivateFile(path: string): string | undefined {
  const found = readSmallFile(path);
  if (found) makePrivate(found.realPath, 0o600);
  return found?.text;
}

/** The same for a file that is not ours: its permissions stay. */
export function readSmallFile(path: string): { text: string; realPath: string } | undefined {
  try {
    const { bytes, realPath } = readFileBytes(path, { limit: MAX_BYTES });
    return { text: bytes.toString('utf8').replace(/^\ufeff/, ''), realPath };
  } catch (error) {
    const problem = toFileError(error, path);
    if (problem.problem === 'missing') return undefined;
    const message = problem.problem === 'too_large' ? `${path} is too large.` : problem.message;
    throw new PrivateFileError(path, message, error);
  }
}

/** Atomic; a link to the file stays a link. */
export function writePrivateFile(path: string, text: string): void {
  try {
    preparePrivateDirectory(dirname(path));
    const target = realPathOf(path);
    const temporary = join(dirname(target), `.${basename(target)}.${randomHex(8)}.tmp`);
    try {
      writeNew(temporary, Buffer.from(text));
      renameSync(temporary, target);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  } catch (error) {
    throw new PrivateFileError(path, `Cannot write ${path}: ${toFileError(error, path).message}`, error);
  }
}

/** A missing file is not an error. */
export function removePrivateFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    throw new PrivateFileError(path, `Cannot remove ${path}: ${toFileError(error, path).message}`, error);
  }
}

/** Renames a damaged file, which the user or another program may still need. Returns its new path. */
export function setAside(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const aside = `${path}.damaged-${randomHex(4)}`;
  try {
    renameSync(path, aside);
    return aside;
  } catch (error) {
    throw new PrivateFileError(path, `Cannot rename ${path}: ${toFileError(error, path).message}`, error);
  }
}

/** Creates the directory, or removes the permissions of other users if it is ours. */
export function preparePrivateDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  makePrivate(directory, 0o700);
}

function makePrivate(path: string, mode: number): void {
  if (process.platform === 'win32') return;
  try {
    const stats = statSync(path);
    // A sticky directory, such as /tmp, is meant for all users.
    if ((stats.mode & 0o1000) !== 0) return;
    if ((stats.mode & 0o077) !== 0 && stats.uid === process.getuid?.()) chmodSync(path, stats.mode & mode);
  } catch {
    // The file system has no modes; reading and writing still work.
  }
}

function writeNew(path: string, bytes: Buffer): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(path, flags, 0o600);
  try {
    let written = 0;
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
