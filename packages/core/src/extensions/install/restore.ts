/** Puts back what a killed process has set aside. Light: every loading of extensions calls it. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn, tryLstat } from '../../platform/files/try-read.js';
import { type LeftTransaction, leftTransactions, STAGING } from './transaction.js';

/**
 * Puts back the extensions whose replacement was not in place yet. Cheap: for every loading of extensions, when there is
 * a `.staging` folder.
 */
export function restoreInterrupted(root: string): LeftTransaction[] {
  const left = leftTransactions(root, namesIn(join(root, STAGING)));
  for (const { dir, journal } of left) {
    const { target, replaced } = journal ?? {};
    if (target === undefined || replaced === undefined || !tryLstat(join(dir, 'old'))) continue;
    if (tryLstat(join(root, target)) || tryLstat(join(root, replaced))) continue;
    try {
      renameSync(join(dir, 'old'), join(root, replaced));
    } catch {
      // Another process does the same.
    }
  }
  return left;
}
