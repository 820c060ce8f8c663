/** Lock files: the process that creates the file holds the lock. Every lock of the program is one of these. */
import {
  closeSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { codeOf } from '../../base/errors.js';
import { randomHex } from '../random.js';

/** An existing lock file. */
export interface FoundLock {
  content: string;
  mtimeMs: number;
}

export class HeldLock {
  constructor(
    private readonly path: string,
    private readonly content: string,
  ) {}

  /** Refreshes the time, so that processes on other machines know that this one still runs. */
  touch(): void {
    try {
      const now = new Date();
      utimesSync(this.path, now, now);
    } catch {
      // The file was removed, or its file system has no times.
    }
  }

  /** Deletes the lock, unless another process has taken it over. */
  release(): void {
    try {
      if (readLock(this.path)?.content === this.content) unlinkSync(this.path);
    } catch {
      // The next process will find it abandoned.
    }
  }
}

/**
 * Takes the lock, or an abandoned one, without waiting.
 * @param content unique, so that a release never deletes the lock of another process
 * @returns undefined while another process holds it
 */
export function tryLock(
  path: string,
  content: string,
  isAbandoned: (found: FoundLock) => boolean,
): HeldLock | undefined {
  for (let attempt = 0; attempt < 3; attempt++) {
    if (create(path, content)) return new HeldLock(path, content);
    const found = readLock(path);
    if (!found) continue;
    if (!isAbandoned(found)) return undefined;
    removeAbandoned(path, found);
  }
  return undefined;
}

export function readLock(path: string): FoundLock | undefined {
  try {
    const stats = lstatSync(path);
    return { content: stats.isFile() ? readFileSync(path, 'utf8') : '', mtimeMs: stats.mtimeMs };
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

function create(path: string, content: string): boolean {
  try {
    const descriptor = openSync(path, 'wx', 0o600);
    try {
      writeSync(descriptor, content);
    } catch (error) {
      // The disk is full: an unsigned lock would block other processes.
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

/**
 * Renames the lock before deleting it: when several processes find it abandoned, one might otherwise delete the new
 * lock of another.
 */
function removeAbandoned(path: string, found: FoundLock): void {
  const aside = `${path}.${randomHex(6)}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return; // another process was faster
    throw error;
  }
  const moved = readLock(aside);
  if (moved?.content !== found.content || moved.mtimeMs !== found.mtimeMs) putBack(aside, path);
  unlinkSync(aside);
}

function putBack(aside: string, path: string): void {
  try {
    linkSync(aside, path);
  } catch (error) {
    // A third process has locked meanwhile: it and the owner of the renamed lock may both write.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
