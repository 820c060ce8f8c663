/** `~/.gemini/installation_id`: a random id that distinguishes installations without identifying their users. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readPrivateFile, writePrivateFile } from '../platform/files/private-file.js';
import { createLog } from '../platform/log.js';
import { randomUuid } from '../platform/random.js';

const log = createLog('telemetry');
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Created at first use. Valid for this run only when the file cannot be written or is not an id. */
export function installationId(globalDir: string): string {
  const path = join(globalDir, 'installation_id');
  const fresh = randomUuid();
  try {
    if (!existsSync(path)) writePrivateFile(path, fresh);
    // Read back: another process may have created it first.
    const known = readPrivateFile(path)?.trim() ?? '';
    return UUID.test(known) ? known : fresh;
  } catch (error) {
    log.warn('installation id not saved', error);
    return fresh;
  }
}
