/** Deletes checkpoints with their sessions, and by age when their session is unknown. */
import { lstatSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { namesIn } from '../../platform/files/try-read.js';
import { createLog } from '../../platform/log.js';
import { readLightly } from '../checkpoints/file.js';
import { sessionIdIn } from '../checkpoints/format.js';
import { timeInName } from '../checkpoints/names.js';
import { checkpointPlaces } from '../checkpoints/places.js';
import type { SessionPlaces } from '../finding/session-places.js';
import { isSessionLive } from '../recording/session-lock.js';
import { ageWithoutLeaps, type ClockLeap } from './clock-leaps.js';
import type { RetentionPlan } from './retention.js';

const log = createLog('sessions');

export interface CheckpointCleanUp {
  places: SessionPlaces;
  plan: RetentionPlan;
  /** Ids of the sessions that this clean-up deleted. */
  deletedSessions: readonly string[];
  currentSessionId: string;
  now: () => number;
  leaps: readonly ClockLeap[];
}

/** Never throws: the next clean-up retries what cannot be deleted. @returns the deleted files */
export function removeOldCheckpoints(cleanUp: CheckpointCleanUp): string[] {
  const { directory } = checkpointPlaces(cleanUp.places);
  return namesIn(directory)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(directory, name))
    .filter((path) => removeIfOld(path, cleanUp));
}

function removeIfOld(
  path: string,
  { places, plan, deletedSessions, currentSessionId, now, leaps }: CheckpointCleanUp,
): boolean {
  try {
    const stats = lstatSync(path);
    if (stats.isDirectory()) return false;
    const time = Math.max(stats.mtimeMs, timeInName(basename(path)) ?? 0);
    const age = ageWithoutLeaps(time, now(), leaps);
    // Also keeps files from the future: the clock was set back.
    if (!(age >= plan.minRetentionMs)) return false;
    const sessionId = sessionOf(path);
    const isInUse =
      sessionId !== undefined &&
      (sessionId === currentSessionId || isSessionLive(places.chatsDir, sessionId));
    const isTooOld = plan.maxAgeMs !== undefined && age > plan.maxAgeMs;
    const isOrphan = sessionId !== undefined && deletedSessions.includes(sessionId);
    if (isInUse || !(isTooOld || isOrphan)) return false;
    rmSync(path, { force: true });
    return true;
  } catch (error) {
    log.warn('checkpoint not cleaned up', error);
    return false;
  }
}

function sessionOf(path: string): string | undefined {
  try {
    return sessionIdIn(readLightly(path).head);
  } catch {
    return undefined;
  }
}
