/** Waits for a lock file beside the file to be written, so that one process writes at a time. */
import { setTimeout as wait } from 'node:timers/promises';
import { UserError } from '../../base/errors.js';
import { type HeldLock, tryLock } from './lock-file.js';
import { lockSignature } from './lock-owner.js';

export interface LockTimes {
  /** Age at which a lock counts as left by a killed process; ours are held for milliseconds. */
  abandonedMs: number;
  giveUpMs: number;
}

const TIMES: LockTimes = { abandonedMs: 5_000, giveUpMs: 15_000 };

/** @param path file that `work` will write; its directory must exist */
export async function withFileLock<T>(path: string, work: () => T | Promise<T>, times = TIMES): Promise<T> {
  const lock = await acquire(`${path}.lock`, times);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function acquire(path: string, { abandonedMs, giveUpMs }: LockTimes): Promise<HeldLock> {
  const deadline = Date.now() + giveUpMs;
  for (;;) {
    const lock = tryLock(path, lockSignature(), ({ mtimeMs }) => Date.now() - mtimeMs >= abandonedMs);
    if (lock) return lock;
    if (Date.now() >= deadline) {
      throw new UserError(
        `Another process is writing: ${path} exists. If none is running, delete that file.`,
        { code: 'locked' },
      );
    }
    // Random, so that waiting processes do not retry at the same moment.
    await wait(10 + Math.random() * 30);
  }
}
