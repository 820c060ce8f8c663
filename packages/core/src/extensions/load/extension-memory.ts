/** What earlier starts have read of the installed extensions. Settings, trust and integrity are not in it. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileMemory } from '../../platform/files/file-memory.js';
import { tryStat } from '../../platform/files/try-read.js';
import { VERSION } from '../../platform/version.js';

/** @param globalDir `~/.gemini` */
export function extensionMemory(globalDir: string): FileMemory {
  // Two builds may have the same version.
  const build = tryStat(fileURLToPath(import.meta.url));
  return new FileMemory({
    file: join(globalDir, 'tmp', 'extension-files.json'),
    program: `${VERSION} ${build?.ino} ${build?.mtimeMs} ${build?.ctimeMs}`,
  });
}
