/** One import into a home folder at a time. The lock of a killed process does not hold up the next one. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { tryLock } from '../../../platform/locks/lock-file.js';
import { isOwnerGone, lockSignature } from '../../../platform/locks/lock-owner.js';
import { ConvertError } from '../convert-error.js';

const WAIT_MS = 60_000;
/** Age at which a lock of another machine counts as left behind. */
const UNSEEN_MS = 10 * 60_000;

/** @throws ConvertError when another process keeps it */
export async function withHomeLock<T>(home: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const path = join(home, 'plugin-import.lock');
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const lock = tryLock(path, lockSignature(), (found) => isOwnerGone(found, UNSEEN_MS));
    if (lock)
      try {
        return await work();
      } finally {
        lock.release();
      }
    if (Date.now() >= deadline)
      throw new ConvertError(
        `Another process imports a plugin: ${path} exists. If none is running, delete that file.`,
      );
    await wait(20 + Math.random() * 30);
  }
}
