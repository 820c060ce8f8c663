/** Removes what killed writers of a private file have left beside it. Only for the process that alone may write it now. */
import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { realPathOf } from './real-path.js';
import { namesIn } from './try-read.js';

export function removeTemporaries(path: string): void {
  const target = realPathOf(path);
  const [folder, prefix] = [dirname(target), `.${basename(target)}.`];
  for (const name of namesIn(folder))
    if (name.startsWith(prefix) && /^[0-9a-f]{16}\.tmp$/.test(name.slice(prefix.length)))
      rmSync(join(folder, name), { force: true });
}
