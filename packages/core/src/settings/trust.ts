/** Folders the user has refused to trust (`trustedFolders.json`). */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseJsonc } from '../base/jsonc.js';
import { isInside, realPathOf } from '../platform/real-path.js';
import { Storage } from '../platform/storage.js';

/** True when the nearest rule for this folder says DO_NOT_TRUST. An unreadable file says nothing. */
export function isFolderExplicitlyUntrusted(folder: string): boolean {
  const real = realPathOf(folder);
  let nearest: { path: string; rule: unknown } | undefined;
  for (const [path, rule] of Object.entries(readRules())) {
    const base = realPathOf(rule === 'TRUST_PARENT' ? dirname(path) : path);
    if (isInside(real, base) && base.length >= (nearest?.path.length ?? 0)) nearest = { path: base, rule };
  }
  return nearest?.rule === 'DO_NOT_TRUST';
}

function readRules(): Record<string, unknown> {
  try {
    const value = parseJsonc(readFileSync(Storage.getTrustedFoldersPath(), 'utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
