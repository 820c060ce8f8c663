/** `~/.gemini/auth-cache.json` of older installations: migrated once. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { readPrivateFile, removePrivateFile } from '../../platform/files/private-file.js';
import { createLog } from '../../platform/log.js';
import type { GoogleTokens } from './token-format.js';
import { findTokens } from './token-format.js';

const log = createLog('auth');

/** `done` is called when the tokens are saved elsewhere; the file keeps its content under another name. */
export function importAuthCache(globalDir: string): { tokens: GoogleTokens; done: () => void } | undefined {
  const path = cachePath(globalDir);
  try {
    const text = readPrivateFile(path);
    const tokens = text === undefined ? undefined : findTokens(text);
    return tokens && { tokens, done: () => renameSync(path, importedPath(globalDir)) };
  } catch (error) {
    log.warn('auth-cache.json cannot be read', error);
    return undefined;
  }
}

/** For the sign-out: the next start must not find old tokens. */
export function removeAuthCache(globalDir: string): void {
  removePrivateFile(cachePath(globalDir));
  removePrivateFile(importedPath(globalDir));
}

function cachePath(globalDir: string): string {
  return join(globalDir, 'auth-cache.json');
}

function importedPath(globalDir: string): string {
  return `${cachePath(globalDir)}.imported`;
}
