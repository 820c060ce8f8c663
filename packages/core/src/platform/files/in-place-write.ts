/**
 * Overwrites a file that cannot be replaced: its directory is read-only, its owner is another user, or it is a
 * mount point. Restores the old content if writing fails.
 */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { FileError } from './file-error.js';
import { MAX_FILE_BYTES } from './safe-read.js';

/**
 * @param checked the file as it was when access to it was checked
 * @param shown its name in messages
 */
export function overwriteInPlace(target: string, bytes: Buffer, checked: Stats, shown = target): void {
  const flags = constants.O_RDWR | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(target, flags);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.ino !== checked.ino || stats.dev !== checked.dev) {
      throw new FileError('changed', `${shown} was replaced by another program and was not overwritten.`);
    }
    if (stats.size > MAX_FILE_BYTES) {
      throw new FileError('denied', `Permission denied: ${shown} is too large to be rewritten safely.`);
    }
    const old = readWhole(descriptor, stats.size);
    try {
      // The part beyond the old length first: if the disk is full, nothing has been overwritten yet.
      writeAt(descriptor, bytes, Math.min(old.length, bytes.length), bytes.length);
      writeAt(descriptor, bytes, 0, Math.min(old.length, bytes.length));
      ftruncateSync(descriptor, bytes.length);
      fsyncSync(descriptor);
    } catch (error) {
      ftruncateSync(descriptor, old.length);
      writeAt(descriptor, old, 0, old.length);
      throw error;
    }
  } finally {
    closeSync(descriptor);
  }
}

function readWhole(descriptor: number, size: number): Buffer {
  const buffer = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const count = readSync(descriptor, buffer, length, size - length, length);
    if (count === 0) break;
    length += count;
  }
  return buffer.subarray(0, length);
}

function writeAt(descriptor: number, bytes: Buffer, from: number, to: number): void {
  let position = from;
  while (position < to) position += writeSync(descriptor, bytes, position, to - position, position);
}
