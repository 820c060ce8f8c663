/** Deletes what has been kept long enough: once a day, whichever session comes first. */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '../platform/log.js';
import { applyRetention, planRetention, type RetentionSettings } from './retention.js';
import type { SessionPlaces } from './session-places.js';

const log = createLog('sessions');
const MARKER = '.cleaned';
const DAY_MS = 86_400_000;

export interface CleanUp {
  places: SessionPlaces;
  settings: RetentionSettings;
  /** `general.maxSessions`, where the user set it. */
  maxSessions?: number;
  currentSessionId: string;
  now: () => number;
  warn: (message: string) => void;
}

export async function cleanUpSessions({ places, settings, maxSessions, ...rest }: CleanUp): Promise<void> {
  if (!isDue(places.chatsDir, rest.now())) return;
  const planned = planRetention(settings, maxSessions);
  if (!('plan' in planned)) {
    if (planned.warning) rest.warn(planned.warning);
    return;
  }
  const result = await applyRetention(planned.plan, places, rest);
  log.debug('sessions cleaned up', result);
}

/** True once a day; the marker is set before the work, so that a crash does not repeat it for ever. */
function isDue(directory: string, now: number): boolean {
  const marker = join(directory, MARKER);
  try {
    const last = statSync(marker, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Math.abs(now - last) < DAY_MS) return false;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(marker, '', { mode: 0o600 });
    return true;
  } catch (error) {
    log.debug('no place for the marker', error);
    return false;
  }
}
