/** One writer at a time, over all processes that share a home: an exclusive file beside the one being written. */
import {
  closeSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
} from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { codeOf, UserError } from '../../base/errors.js';
import { randomHex } from '../random.js';

export interface LockTimes {
  /** A lock this old was left behind by a process that died; ours are held for milliseconds. */
  abandonedMs: number;
  giveUpMs: number;
}

const TIMES: LockTimes = { abandonedMs: 5_000, giveUpMs: 15_000 };

/** @param path of the file that `work` will write; its directory must exist. */
export async function withFileLock<T>(path: string, work: () => T | Promise<T>, times = TIMES): Promise<T> {
  const lockPath = `${path}.lock`;
  const ours = await acquire(lockPath, times);
  try {
    return await work();
  } finally {
    release(lockPath, ours);
  }
}

async function acquire(lockPath: string, { abandonedMs, giveUpMs }: LockTimes): Promise<Stats> {
  const deadline = Date.now() + giveUpMs;
  for (;;) {
    const created = tryCreate(lockPath);
    if (created) return created;
    if (removeAbandoned(lockPath, abandonedMs)) continue;
    if (Date.now() >= deadline) {
      throw new UserError(
        `Another process is writing: ${lockPath} exists. If none is running, delete that file.`,
        { code: 'locked' },
      );
    }
    // Not all waiting processes at the same moment.
    await wait(10 + Math.random() * 30);
  }
}

function tryCreate(lockPath: string): Stats | undefined {
  try {
    const descriptor = openSync(lockPath, 'wx', 0o600);
    try {
      return fstatSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined;
    throw error;
  }
}

/**
 * Moves the old lock aside before deleting it: of several processes that find it abandoned, one might
 * otherwise delete the fresh lock of another. True when it is worth trying again at once.
 */
function removeAbandoned(lockPath: string, abandonedMs: number): boolean {
  const found = statOrUndefined(lockPath);
  if (!found) return true;
  if (Date.now() - found.mtimeMs < abandonedMs) return false;
  const aside = `${lockPath}.${randomHex(6)}`;
  try {
    renameSync(lockPath, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return true; // somebody else was quicker
    throw error;
  }
  const moved = statOrUndefined(aside);
  if (moved && !isSame(moved, found)) giveBack(aside, lockPath);
  unlinkSync(aside);
  return true;
}

function giveBack(aside: string, lockPath: string): void {
  try {
    linkSync(aside, lockPath);
  } catch (error) {
    // A new lock stands there already: its owner and the one we took it from may collide, as before locks.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function release(lockPath: string, ours: Stats): void {
  const now = statOrUndefined(lockPath);
  if (!now || !isSame(now, ours)) return;
  try {
    unlinkSync(lockPath);
  } catch {
    // It counts as abandoned soon.
  }
}

function isSame(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.dev === b.dev && a.mtimeMs === b.mtimeMs;
}

function statOrUndefined(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
