/** The id of this installation (`~/.gemini/installation_id`). It goes nowhere unless the user wants statistics. */
import { join } from 'node:path';
import { createLog } from '../../platform/log.js';
import { readPrivateFile, writePrivateFile } from '../../platform/private-file.js';
import { randomUuid } from '../../platform/random.js';
import { Storage } from '../../platform/storage.js';

const log = createLog('auth');
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** One for this run when the home cannot be read or written. */
export function getInstallationId(): string {
  const path = join(Storage.getGlobalGeminiDir(), 'installation_id');
  const fresh = randomUuid();
  try {
    const existing = readPrivateFile(path)?.trim();
    if (existing && UUID.test(existing)) return existing;
    writePrivateFile(path, fresh);
    // Two first starts at once: both go on with the one that is left.
    return readPrivateFile(path)?.trim() ?? fresh;
  } catch (error) {
    log.warn('no installation id kept', error);
    return fresh;
  }
}
