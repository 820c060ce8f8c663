/** Reads regular files up to a size limit, so that no read can hang or exhaust the memory. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { FileError, toFileError } from './file-error.js';
import { isOpenedAt } from './opened-path.js';

export const MAX_FILE_BYTES = 20 * 1024 * 1024;

/** A file with an equal version has the same content. */
export interface FileVersion {
  device: number;
  inode: number;
  size: number;
  modifiedMs: number;
  changedMs: number;
}

export interface ReadOptions {
  limit?: number;
  /** Checks the real path right before it is opened; returns null, or why it is refused. */
  authorize?: (realPath: string) => string | null;
}

export interface InspectedFile {
  realPath: string;
  version: FileVersion;
}

export interface FileBytes extends InspectedFile {
  bytes: Buffer;
}

/** Checks that `path` is a regular file within the limit, without opening it. */
export function inspectFile(
  path: string,
  { limit = MAX_FILE_BYTES, authorize }: ReadOptions = {},
): InspectedFile {
  try {
    const realPath = realpathSync.native(path);
    const refusal = authorize?.(realPath);
    if (refusal) throw new FileError('refused', refusal);
    const stats = lstatSync(realPath);
    requireRegular(stats, path);
    requireSize(stats.size, limit, path);
    return { realPath, version: versionOf(stats) };
  } catch (error) {
    throw toFileError(error, path);
  }
}

export function readFileBytes(path: string, options: ReadOptions = {}): FileBytes {
  const { limit = MAX_FILE_BYTES } = options;
  const { realPath } = inspectFile(path, options);
  let descriptor: number | undefined;
  try {
    descriptor = openSync(realPath, READ_FLAGS);
    // The file may have been replaced since the check, so the open one is checked again.
    if (!isOpenedAt(descriptor, realPath)) throw replacedWhileOpening(path);
    const stats = fstatSync(descriptor);
    requireRegular(stats, path);
    requireSize(stats.size, limit, path);
    const bytes = readAll(descriptor, stats.size, limit, path);
    return { realPath, version: versionOf(stats), bytes };
  } catch (error) {
    throw toFileError(error, path);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

export function versionOf(stats: Stats): FileVersion {
  return {
    device: stats.dev,
    inode: stats.ino,
    size: stats.size,
    modifiedMs: stats.mtimeMs,
    changedMs: stats.ctimeMs,
  };
}

export function sameVersion(a: FileVersion, b: FileVersion): boolean {
  return (
    a.device === b.device &&
    a.inode === b.inode &&
    a.size === b.size &&
    a.modifiedMs === b.modifiedMs &&
    a.changedMs === b.changedMs
  );
}

function replacedWhileOpening(path: string): FileError {
  return new FileError(
    'changed',
    `${path} led elsewhere while it was opened, so it was not read. Try again.`,
  );
}

export function requireRegular(stats: Stats, path: string): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw new FileError('directory', `Path is a directory, not a file: ${path}`);
  throw new FileError('special', `Not a regular file (${kindOf(stats)}): ${path}`);
}

/** Non-blocking: opening a FIFO without a writer, or a terminal, would wait. */
const READ_FLAGS =
  constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0) | (constants.O_NOCTTY ?? 0);

const FIRST_CHUNK = 64 * 1024;

/** The size is only a hint: files in /proc report 0, others change while they are read. */
function readAll(descriptor: number, size: number, limit: number, path: string): Buffer {
  let buffer = Buffer.allocUnsafe(size > 0 ? size + 1 : FIRST_CHUNK);
  let length = 0;
  for (;;) {
    const count = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
    requireSize(length, limit, path);
    if (length === buffer.length) {
      const larger = Buffer.allocUnsafe(Math.min(buffer.length * 2, limit + 1));
      buffer.copy(larger);
      buffer = larger;
    }
  }
}

function requireSize(size: number, limit: number, path: string): void {
  if (size <= limit) return;
  const megabytes = (size / (1024 * 1024)).toFixed(1);
  const allowed = Math.floor(limit / (1024 * 1024));
  throw new FileError(
    'too_large',
    `File is too large: ${path} has ${megabytes} MB or more, the limit is ${allowed} MB. ` +
      'Search it with grep_search, or take a part of it with a shell command.',
  );
}

function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return 'FIFO';
  if (stats.isSocket()) return 'socket';
  if (stats.isCharacterDevice()) return 'character device';
  return stats.isBlockDevice() ? 'block device' : 'special file';
}
