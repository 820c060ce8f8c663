/** `~/.gemini/installation_id`: tells installations apart without telling who they belong to. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../base/errors.js';
import { randomUuid } from '../platform/random.js';
import { Storage } from '../platform/storage.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Made at the first use. A home that cannot be written gets a new one each time. */
export function installationId(): string {
  const path = join(Storage.getGlobalGeminiDir(), 'installation_id');
  const known = read(path);
  if (known) return known;
  const id = randomUuid();
  try {
    mkdirSync(Storage.getGlobalGeminiDir(), { recursive: true, mode: 0o700 });
    writeFileSync(path, id, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    // Another process was first, or the file holds something else, which is left alone.
    if (codeOf(error) === 'EEXIST') return read(path) ?? id;
  }
  return id;
}

function read(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return UUID.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
