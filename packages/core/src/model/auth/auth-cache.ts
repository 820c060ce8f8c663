/** `~/.gemini/auth-cache.json` of older installations: taken over once. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '../../platform/log.js';
import { readPrivateFile, removePrivateFile } from '../../platform/private-file.js';
import { Storage } from '../../platform/storage.js';
import type { GoogleTokens } from './token-format.js';
import { findTokens } from './token-format.js';

const log = createLog('auth');

/** `done` is called when the tokens are safe elsewhere; the file keeps its content under another name. */
export function importAuthCache(): { tokens: GoogleTokens; done: () => void } | undefined {
  const path = cachePath();
  try {
    const text = readPrivateFile(path);
    const tokens = text === undefined ? undefined : findTokens(text);
    return tokens && { tokens, done: () => renameSync(path, importedPath()) };
  } catch (error) {
    log.warn('auth-cache.json cannot be read', error);
    return undefined;
  }
}

/** For the sign-out: nothing may come back with the next start. */
export function removeAuthCache(): void {
  removePrivateFile(cachePath());
  removePrivateFile(importedPath());
}

function cachePath(): string {
  return join(Storage.getGlobalGeminiDir(), 'auth-cache.json');
}

function importedPath(): string {
  return `${cachePath()}.imported`;
}
