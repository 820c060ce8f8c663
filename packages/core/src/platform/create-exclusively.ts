/** A private file that only one process can make: the ground of every lock here. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { codeOf } from '../base/errors.js';

/** @returns false: it is there already */
export function createExclusively(path: string, content: string): boolean {
  try {
    const descriptor = openSync(path, 'wx', 0o600);
    try {
      writeSync(descriptor, content);
    } finally {
      closeSync(descriptor);
    }
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}
