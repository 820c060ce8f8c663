/** Completes or undoes what a killed process has left. */
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn, tryLstat } from '../../platform/files/try-read.js';
import type { InstallPorts } from './ports.js';
import { removeRecords } from './records.js';
import { leftTransactions, type LeftTransaction, STAGING } from './transaction.js';

/**
 * Puts back the extensions whose replacement was not in place yet. Cheap: for every loading of extensions, when there is
 * a `.staging` folder.
 */
export function restoreInterrupted(root: string): LeftTransaction[] {
  const left = leftTransactions(root, namesIn(join(root, STAGING)));
  for (const { dir, journal } of left) {
    const { target, replaced } = journal ?? {};
    const isUnfinished = target !== undefined && replaced !== undefined && tryLstat(join(dir, 'old'));
    if (isUnfinished && !tryLstat(join(root, target)) && !tryLstat(join(root, replaced)))
      renameSync(join(dir, 'old'), join(root, replaced));
  }
  return left;
}

/** Also removes records and folders. Before every change. */
export async function finishInterrupted(root: string, ports: InstallPorts): Promise<void> {
  for (const { dir, journal } of restoreInterrupted(root)) {
    if (journal) {
      const folders = [journal.target, journal.replaced].filter((one) => one !== undefined);
      const isThere = folders.some((folder) => tryLstat(join(root, folder)));
      if (!isThere) await removeRecords(journal, ports);
    }
    rmSync(dir, { recursive: true, force: true });
  }
}
