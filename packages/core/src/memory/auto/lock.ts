/** One run at a time per project, over all processes. */
import { linkSync, readFileSync, renameSync, statSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../../base/errors.js';
import { preparePrivateDirectory } from '../../platform/files/private-file.js';
import { createExclusively } from '../../platform/locks/create-exclusively.js';
import { randomHex } from '../../platform/random.js';

/** A run ends after 30 minutes; whoever still holds the lock then was killed. */
const STALE_MS = 35 * 60 * 1000;

export class ExtractionLock {
  private constructor(
    private readonly path: string,
    private readonly ours: string,
  ) {}

  /** Undefined: another run is going on. */
  static acquire(path: string, now: number): ExtractionLock | undefined {
    preparePrivateDirectory(dirname(path));
    const startedAt = new Date(now).toISOString();
    const ours = JSON.stringify({ pid: process.pid, startedAt, token: randomHex(8) });
    if (createExclusively(path, ours)) return new ExtractionLock(path, ours);
    if (!removeStale(path, now)) return undefined;
    return createExclusively(path, ours) ? new ExtractionLock(path, ours) : undefined;
  }

  release(): void {
    try {
      if (readFileSync(this.path, 'utf8') === this.ours) unlinkSync(this.path);
    } catch {
      // Found stale by a later run.
    }
  }
}

/** Moved aside first: it might be the fresh lock of another that found the old one stale, too. */
function removeStale(path: string, now: number): boolean {
  if (!isStale(path, now)) return false;
  const aside = `${path}.${randomHex(6)}`;
  try {
    renameSync(path, aside);
    const isOther = !isStale(aside, now);
    if (isOther) giveBack(aside, path);
    unlinkSync(aside);
    return !isOther;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return true;
    throw error;
  }
}

function giveBack(aside: string, path: string): void {
  try {
    linkSync(aside, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function isStale(path: string, now: number): boolean {
  try {
    const startedAt = startOf(readFileSync(path, 'utf8')) ?? statSync(path).mtimeMs;
    // From the future: the clock went back since.
    return Math.abs(now - startedAt) >= STALE_MS;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return true;
    throw error;
  }
}

function startOf(text: string): number | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const startedAt = typeof value === 'object' && value !== null && 'startedAt' in value && value.startedAt;
    const time = typeof startedAt === 'string' ? Date.parse(startedAt) : Number.NaN;
    return Number.isNaN(time) ? undefined : time;
  } catch {
    return undefined;
  }
}
