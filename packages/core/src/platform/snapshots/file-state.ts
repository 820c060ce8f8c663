/** Reads the current state of a path. Does not follow links and opens only regular files. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, type Stats } from 'node:fs';
import { codeOf } from '../../base/errors.js';
import { readRange } from './log-file.js';
import { hashOf } from './store.js';
import type { FileState } from './types.js';

/** Larger files are not copied; size, time and inode tell whether they changed. */
export const MAX_COPY_BYTES = 100 * 1024 * 1024;

const READ_FLAGS =
  constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0) | (constants.O_NOCTTY ?? 0);

/** @param keep stores the content and returns its hash; by default it is only hashed */
export function readState(path: string, keep: (bytes: Buffer) => string = hashOf): FileState | null {
  const stats = statIfThere(path);
  if (!stats) return null;
  if (stats.isSymbolicLink()) return { kind: 'link', target: readlinkSync(path) };
  if (stats.isDirectory()) return { kind: 'dir', mode: stats.mode & 0o7777 };
  if (!stats.isFile()) return { kind: 'other', ino: stats.ino };
  if (stats.size > MAX_COPY_BYTES) return fileState(stats, null);
  const read = readRegular(path);
  return typeof read === 'string' ? fileState(stats, null) : fileState(read.stats, keep(read.bytes));
}

export interface RegularRead {
  bytes: Buffer;
  stats: Stats;
}

export function readRegular(path: string): RegularRead | 'changed' | 'unreadable' {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, READ_FLAGS);
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return 'changed';
    const bytes = readRange(descriptor, 0, stats.size);
    const after = fstatSync(descriptor);
    const isWhole =
      bytes.length === stats.size && after.size === stats.size && after.mtimeMs === stats.mtimeMs;
    return isWhole ? { bytes, stats } : 'changed';
  } catch (error) {
    return codeOf(error) === 'ENOENT' || codeOf(error) === 'ELOOP' ? 'changed' : 'unreadable';
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

export function statIfThere(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // No file can exist at a path that is too long.
    if (codeOf(error) === 'ENOTDIR' || codeOf(error) === 'ENAMETOOLONG') return undefined;
    throw error;
  }
}

function fileState(stats: Stats, hash: string | null): FileState {
  const { size, mode, mtimeMs, ino } = stats;
  return { kind: 'file', hash, size, mode: mode & 0o7777, mtimeMs, ino };
}
