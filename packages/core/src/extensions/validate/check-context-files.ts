/** Context files that the manifest names. An entry that cannot be used is an error: the author meant it to be read. */
import { join } from 'node:path';
import { tryStat } from '../../platform/files/try-read.js';
import { insidePath } from '../manifest/inside-path.js';
import { substitutePathVariables } from '../manifest/variables.js';
import type { CheckedExtension } from './checked-extension.js';

export function checkContextFiles({ dir, raw, warn, fail }: CheckedExtension): void {
  const written = raw['contextFileName'];
  if (written === undefined || written === null || written === '') return;
  if (typeof written !== 'string' && !Array.isArray(written)) {
    fail('contextFileName', 'must be a file name or a list of file names.');
    return;
  }
  const entries: unknown[] = [written].flat();
  for (const [index, entry] of entries.entries()) {
    const key = Array.isArray(written) ? `contextFileName[${index}]` : 'contextFileName';
    const value = substitutePathVariables(entry, { extensionPath: dir, workspacePath: dir });
    const found = insidePath(value, { dir, extensionPath: dir });
    if ('refused' in found)
      fail(key, `${JSON.stringify(entry)} ${found.refused}. Name a file of the extension.`);
    else {
      const stats = tryStat(join(dir, found.path));
      if (!stats)
        fail(key, `names ${found.path}, which does not exist. Create the file, or remove the entry.`);
      else if (stats.isDirectory())
        warn(key, `names ${found.path}, a folder; it is ignored. Name its files.`);
    }
  }
}
