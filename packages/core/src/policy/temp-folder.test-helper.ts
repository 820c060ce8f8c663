/** Creates a temporary folder. A copy of its own, since policy must not import the shared test helpers. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function tempFolder(): { path: string; cleanup(): void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'policy-')));
  return { path, cleanup: () => rmSync(path, { recursive: true, force: true }) };
}
