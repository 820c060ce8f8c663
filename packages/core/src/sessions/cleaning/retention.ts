/** Deletes sessions by age and count, in the background; young sessions and those in use are kept. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLog } from '../../platform/log.js';
import { listSessions, type SessionInfo, sessionFiles } from '../finding/session-info.js';
import type { SessionPlaces } from '../finding/session-places.js';
import { isSessionLive } from '../recording/session-lock.js';
import { isSafeSessionId } from '../session-names.js';
import { deleteSession } from '../session-operations.js';
import { ageWithoutLeaps, type ClockLeap } from './clock-leaps.js';

const log = createLog('sessions');

/** `general.sessionRetention`. */
export interface RetentionSettings {
  enabled: boolean;
  maxAge: string;
  maxCount?: number;
  minRetention: string;
}

export interface RetentionPlan {
  maxAgeMs?: number;
  maxCount?: number;
  minRetentionMs: number;
}

const HOUR = 3_600_000;
const UNIT_MS: Readonly<Record<string, number>> = { h: HOUR, d: 24 * HOUR, w: 168 * HOUR, m: 720 * HOUR };

/** `30d` in milliseconds; undefined when the text is not an age. */
export function parseAge(text: string): number | undefined {
  const match = /^(\d+)([hdwm])$/.exec(text.trim());
  const count = Number(match?.[1]);
  return match && count > 0 ? count * (UNIT_MS[match[2] ?? ''] ?? 0) : undefined;
}

/**
 * @param maxSessions `general.maxSessions` where the user set it
 * @returns a plan, or why there is none; `warning` is for the user
 */
export function planRetention(
  { enabled, maxAge, maxCount, minRetention }: RetentionSettings,
  maxSessions?: number,
): { plan: RetentionPlan } | { warning?: string } {
  if (!enabled) return {};
  const off = (why: string) => ({ warning: `Old sessions are not cleaned up: ${why}` });
  const minRetentionMs = parseAge(minRetention);
  if (minRetentionMs === undefined)
    return off(`general.sessionRetention.minRetention "${minRetention}" is not a time (like "1d").`);
  const maxAgeMs = maxAge === '' ? undefined : parseAge(maxAge);
  if (maxAge !== '' && maxAgeMs === undefined)
    return off(`general.sessionRetention.maxAge "${maxAge}" is not a time (like "30d").`);
  const count = maxCount ?? maxSessions;
  if (count !== undefined && !(Number.isInteger(count) && count >= 1))
    return off('general.sessionRetention.maxCount must be at least 1.');
  if (maxAgeMs === undefined && count === undefined)
    return off('neither general.sessionRetention.maxAge nor maxCount is set.');
  if (maxAgeMs !== undefined && maxAgeMs < minRetentionMs) {
    return off(`general.sessionRetention.maxAge (${maxAge}) is shorter than minRetention (${minRetention}).`);
  }
  return {
    plan: {
      minRetentionMs,
      ...(maxAgeMs !== undefined && { maxAgeMs }),
      ...(count !== undefined && { maxCount: count }),
    },
  };
}

export interface RetentionResult {
  deleted: string[];
  /** Those deleted only because there were too many. */
  deletedByCount: string[];
  /** Unreadable files and other leftovers that were too old. */
  deletedFiles: string[];
  failed: string[];
}

export interface RetentionTime {
  currentSessionId: string;
  now: () => number;
  /** Leaps of the clock, whose time does not count. */
  leaps?: readonly ClockLeap[];
}

/** Never throws: the next clean-up retries what cannot be deleted. */
export async function applyRetention(
  plan: RetentionPlan,
  places: SessionPlaces,
  { currentSessionId, now, leaps = [] }: RetentionTime,
): Promise<RetentionResult> {
  const result: RetentionResult = { deleted: [], deletedByCount: [], deletedFiles: [], failed: [] };
  const ageOf = (time: number) => ageWithoutLeaps(time, now(), leaps);
  const unlisted = new Set(sessionFiles({ ...places, readOnlyDirs: [] }));
  const sessions = listSessions({ ...places, readOnlyDirs: [] }, { currentSessionId });
  for (const { path } of sessions) unlisted.delete(path);
  for (const { session, isTooOld } of expired(sessions, plan, places, ageOf)) {
    await nextTurn();
    try {
      deleteSession(session, places);
      result.deleted.push(session.id);
      if (!isTooOld) result.deletedByCount.push(session.id);
    } catch (error) {
      log.warn('session not cleaned up', error);
      result.failed.push(session.id);
    }
  }
  // Unreadable or empty files, and older files of a listed session, are judged by their modification time.
  const { maxAgeMs } = plan;
  if (maxAgeMs !== undefined) {
    const known = new Set(sessions.map(({ id }) => id));
    const isTooOld = (time: number) => ageOf(time) > maxAgeMs;
    removeOld([...unlisted], isTooOld, result);
    removeOld(leftOvers(places, known, currentSessionId), isTooOld, result);
  }
  return result;
}

function expired(
  sessions: readonly SessionInfo[],
  { maxAgeMs, maxCount, minRetentionMs }: RetentionPlan,
  { chatsDir }: SessionPlaces,
  ageOf: (time: number) => number,
): { session: SessionInfo; isTooOld: boolean }[] {
  const newestFirst = sessions.toSorted((a, b) => Date.parse(b.lastUpdated) - Date.parse(a.lastUpdated));
  return newestFirst.flatMap((session, rank) => {
    const age = ageOf(Date.parse(session.lastUpdated));
    // Also keeps sessions from the future: the clock was set back.
    if (session.isCurrentSession || !(age >= minRetentionMs)) return [];
    const isTooMany = maxCount !== undefined && rank >= maxCount;
    const isTooOld = maxAgeMs !== undefined && age > maxAgeMs;
    const isExpired = (isTooMany || isTooOld) && !isSessionLive(chatsDir, session.id);
    return isExpired ? [{ session, isTooOld }] : [];
  });
}

/** Files of deleted sessions: outputs, logs, sub-agent transcripts, files set aside. */
function leftOvers(
  { projectTempDir, chatsDir }: SessionPlaces,
  known: ReadonlySet<string>,
  current: string,
): string[] {
  const isOrphan = (id = '') => isSafeSessionId(id) && id !== current && !known.has(id);
  return [
    ...matching(join(projectTempDir, 'tool-outputs'), (name) => isOrphan(/^session-(.+)$/.exec(name)?.[1])),
    ...matching(join(projectTempDir, 'logs'), (name) => isOrphan(/^session-(.+)\.jsonl$/.exec(name)?.[1])),
    ...matching(chatsDir, (name, isFolder) => (isFolder ? isOrphan(name) : /\.unreadable-\d+$/.test(name))),
  ];
}

function matching(directory: string, isWanted: (name: string, isFolder: boolean) => boolean): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => isWanted(entry.name, entry.isDirectory()))
      .map(({ name }) => join(directory, name));
  } catch {
    return [];
  }
}

function removeOld(
  paths: readonly string[],
  isTooOld: (time: number) => boolean,
  result: RetentionResult,
): void {
  for (const path of paths) {
    try {
      const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
      if (modified === undefined || !isTooOld(modified)) continue;
      rmSync(path, { recursive: true, force: true });
      result.deletedFiles.push(path);
    } catch (error) {
      log.warn('file not cleaned up', error);
      result.failed.push(path);
    }
  }
}
