/** `~/.gemini/installation_id`: tells installations apart without telling who they belong to. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readPrivateFile, writePrivateFile } from '../platform/files/private-file.js';
import { createLog } from '../platform/log.js';
import { randomUuid } from '../platform/random.js';

const log = createLog('telemetry');
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Made at the first use. One for this run when the home cannot be written, or the file holds something else. */
export function installationId(globalDir: string): string {
  const path = join(globalDir, 'installation_id');
  const fresh = randomUuid();
  try {
    if (!existsSync(path)) writePrivateFile(path, fresh);
    // Read back: another start may have been first.
    const known = readPrivateFile(path)?.trim() ?? '';
    return UUID.test(known) ? known : fresh;
  } catch (error) {
    log.warn('no installation id kept', error);
    return fresh;
  }
}
