/** Lock of the store: one process at a time. Synchronous, like all work done under it. */
import { tryLock } from '../locks/lock-file.js';
import { isOwnerGone, lockSignature } from '../locks/lock-owner.js';
import { SnapshotError } from './error.js';

const GIVE_UP_MS = 20_000;
const UNSEEN_ABANDONED_MS = 60_000;

export function withStoreLock<T>(path: string, work: () => T, giveUpMs = GIVE_UP_MS): T {
  const deadline = Date.now() + giveUpMs;
  const take = () => tryLock(path, lockSignature(), (found) => isOwnerGone(found, UNSEEN_ABANDONED_MS));
  let lock = take();
  while (!lock) {
    if (Date.now() >= deadline) {
      throw new SnapshotError(
        'locked',
        `Another process is using the snapshot store: ${path} exists. If none is running, delete that file.`,
      );
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5 + Math.random() * 10);
    lock = take();
  }
  try {
    return work();
  } finally {
    lock.release();
  }
}
