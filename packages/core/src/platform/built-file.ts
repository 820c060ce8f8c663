/**
 * Finds files that the build puts beside the code: the snapshot worker, the helper that writes in the sandbox, the
 * WASM of the shell grammar, the built-in skills.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The absolute path of a built file; undefined when the code runs from source. The program and the library both
 * keep their built files in `dist`, and this code there or in `dist/chunks`.
 */
export function findBuiltFile(name: string): string | undefined {
  const here = dirname(fileURLToPath(import.meta.url));
  return [join(here, name), join(here, '..', name)].find((path) => existsSync(path));
}
