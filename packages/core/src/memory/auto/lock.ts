/** Allows one extraction run at a time per project, across processes. */
import { dirname } from 'node:path';
import { objectOf } from '../../base/objects.js';
import { preparePrivateDirectory } from '../../platform/files/private-file.js';
import { type FoundLock, type HeldLock, tryLock } from '../../platform/locks/lock-file.js';
import { randomHex } from '../../platform/random.js';

/** A run ends after 30 minutes, so the owner of an older lock was killed. */
const STALE_MS = 35 * 60 * 1000;

/** Undefined while another run holds it. */
export function lockExtraction(path: string, now: number): HeldLock | undefined {
  preparePrivateDirectory(dirname(path));
  const startedAt = new Date(now).toISOString();
  const content = JSON.stringify({ pid: process.pid, startedAt, token: randomHex(8) });
  // A start in the future: the clock was set back since.
  return tryLock(path, content, (found) => Math.abs(now - startOf(found)) >= STALE_MS);
}

function startOf({ content, mtimeMs }: FoundLock): number {
  try {
    const { startedAt } = objectOf(JSON.parse(content));
    const time = typeof startedAt === 'string' ? Date.parse(startedAt) : Number.NaN;
    return Number.isNaN(time) ? mtimeMs : time;
  } catch {
    return mtimeMs;
  }
}
