/** Deletes what has been kept long enough: once a day, whichever session comes first. */
import { createLog } from '../platform/log.js';
import { removeOldCheckpoints } from './checkpoints/old-checkpoints.js';
import { isCleanUpDue, markCleanUp } from './clean-up-marker.js';
import { applyRetention, planRetention, type RetentionSettings } from './retention.js';
import type { SessionPlaces } from './session-places.js';

const log = createLog('sessions');

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
  if (!isCleanUpDue(places.chatsDir, rest.now())) return;
  markCleanUp(places.chatsDir);
  const planned = planRetention(settings, maxSessions);
  if (!('plan' in planned)) {
    if (planned.warning) rest.warn(planned.warning);
    return;
  }
  const result = await applyRetention(planned.plan, places, rest);
  const { plan } = planned;
  const checkpoints = removeOldCheckpoints({ places, plan, deletedSessions: result.deleted, ...rest });
  log.debug('sessions cleaned up', { ...result, checkpoints });
}
