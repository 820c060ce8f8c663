/** Completes or undoes what a killed process has left. */
import { join } from 'node:path';
import { tryLstat } from '../../platform/files/try-read.js';
import type { InstallPorts } from './ports.js';
import { completeRecords, undoRecords } from './records.js';
import { restoreInterrupted } from './restore.js';
import { discard, isNameInPlace, type Journal } from './transaction.js';

/** Also completes the records and removes the folders. Before every change, while the lock is held. */
export async function finishInterrupted(root: string, ports: InstallPorts): Promise<void> {
  for (const { dir, journal } of restoreInterrupted(root)) {
    if (journal) {
      if (isInEffect(root, dir, journal)) await completeRecords(journal, ports);
      else await undoRecords(journal, ports, isNameInPlace(root, journal));
    }
    discard(dir);
  }
}

/** The journal is written when the new folder is prepared; that folder is gone exactly when it is in place. */
function isInEffect(root: string, dir: string, { target, replaced }: Journal): boolean {
  if (target !== undefined) return !tryLstat(join(dir, 'new')) && tryLstat(join(root, target)) !== undefined;
  return replaced !== undefined && !tryLstat(join(root, replaced));
}
