/** Deletes old sessions and checkpoints once a day, at the first start, and tells the user. */
import { createLog } from '../../platform/log.js';
import { listSessions } from '../finding/session-info.js';
import type { SessionPlaces } from '../finding/session-places.js';
import { isCleanUpDue, readMark, writeMark } from './clean-up-marker.js';
import { type ClockLeap, leapSince } from './clock-leaps.js';
import { removeOldCheckpoints } from './old-checkpoints.js';
import { applyRetention, planRetention, type RetentionResult, type RetentionSettings } from './retention.js';

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

export async function cleanUpSessions(cleanUp: CleanUp): Promise<void> {
  const { places, settings, maxSessions, ...rest } = cleanUp;
  if (!isCleanUpDue(places.chatsDir, rest.now())) return;
  const leaps = leapsUntilNow(cleanUp);
  // Without a mark the next clean-up would take a leap of the clock for steady time.
  if (!writeMark(places.chatsDir, { at: rest.now(), leaps })) return;
  const planned = planRetention(settings, maxSessions);
  if (!('plan' in planned)) {
    if (planned.warning) rest.warn(planned.warning);
    return;
  }
  const { plan } = planned;
  const result = await applyRetention(plan, places, { ...rest, leaps });
  const deletedSessions = result.deleted;
  const checkpoints = removeOldCheckpoints({ places, plan, deletedSessions, leaps, ...rest });
  log.debug('sessions cleaned up', { ...result, checkpoints });
  const files = result.deletedFiles.length + checkpoints.length;
  const said = summaryOf(result, files, { maxAge: settings.maxAge, maxCount: plan.maxCount });
  if (said) rest.warn(said);
}

function leapsUntilNow({ places, currentSessionId, now }: CleanUp): readonly ClockLeap[] {
  const mark = readMark(places.chatsDir);
  const leap = leapSince(mark?.at ?? newestSession(places, currentSessionId, now()), now());
  if (leap) log.warn('the clock moved forward by more than a week: that time does not count', leap);
  return [...(mark?.leaps ?? []), ...(leap ? [leap] : [])];
}

/** The newest session's time stands in for a missing mark. */
function newestSession(places: SessionPlaces, currentSessionId: string, now: number): number | undefined {
  const times = listSessions({ ...places, readOnlyDirs: [] }, { currentSessionId })
    .filter(({ isCurrentSession }) => !isCurrentSession)
    .map(({ lastUpdated }) => Date.parse(lastUpdated))
    .filter((time) => time <= now);
  return times.length > 0 ? Math.max(...times) : undefined;
}

function summaryOf(
  { deleted, deletedByCount }: RetentionResult,
  files: number,
  { maxAge, maxCount }: { maxAge: string; maxCount: number | undefined },
): string | undefined {
  const byAge = deleted.length - deletedByCount.length;
  const what = [
    byAge > 0 && `${counted(byAge, 'session')} not used for ${maxAge} (general.sessionRetention.maxAge)`,
    deletedByCount.length > 0 &&
      `${counted(deletedByCount.length, 'session')} beyond the newest ${maxCount} (general.sessionRetention.maxCount)`,
    files > 0 && `${counted(files, 'file')} left by old sessions`,
  ].filter((part) => part !== false);
  return what.length > 0 ? `Deleted ${what.join(', ')}.` : undefined;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
