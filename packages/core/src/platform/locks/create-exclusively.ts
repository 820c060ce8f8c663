/** A private file that only one process can make: the ground of every lock here. */
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { codeOf } from '../../base/errors.js';

/** @returns false: it is there already */
export function createExclusively(path: string, content: string): boolean {
  try {
    const descriptor = openSync(path, 'wx', 0o600);
    try {
      writeSync(descriptor, content);
    } catch (error) {
      // A full disk: an empty file would keep others out.
      unlinkSync(path);
      throw error;
    } finally {
      closeSync(descriptor);
    }
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}
