/** Decides when an extraction run is due and which sessions it reads. Pure. */
import type { ExtractionState } from './state.js';

const HOUR_MS = 60 * 60 * 1000;
const IDLE_MS = 3 * HOUR_MS;
const BETWEEN_RUNS_MS = HOUR_MS / 2;
const MIN_USER_MESSAGES = 10;
const MAX_INDEX = 50;
const MAX_NEW = 10;

export interface Candidate {
  id: string;
  lastUpdated: string;
  userMessageCount: number;
  isCurrentSession: boolean;
}

export interface SessionSelection<T> {
  /** Not read in this version yet. */
  fresh: T[];
  /** Read before; they show what recurs. */
  known: T[];
}

/** Uses the absolute difference, so that a clock that was set back does not stop runs for years. */
export function isRunDue({ runs }: ExtractionState, now: number): boolean {
  return runs.every(({ startedAt }) => {
    const distance = Math.abs(now - Date.parse(startedAt));
    return Number.isNaN(distance) || distance >= BETWEEN_RUNS_MS;
  });
}

/** @param isUsable called last, because it may read files */
export function selectSessions<T extends Candidate>(
  sessions: readonly T[],
  { sessions: marks }: ExtractionState,
  { now, isUsable }: { now: number; isUsable: (session: T) => boolean },
): SessionSelection<T> {
  const fresh: T[] = [];
  const known: T[] = [];
  const newestFirst = [...sessions].sort((a, b) => Date.parse(b.lastUpdated) - Date.parse(a.lastUpdated));
  for (const session of newestFirst) {
    if (!isWorthReading(session, now)) continue;
    const mark = marks[session.id];
    const isSeen = mark?.version === session.lastUpdated && mark.isDone;
    const [list, most] = isSeen ? [known, MAX_INDEX] : [fresh, MAX_NEW];
    if (list.length < most && isUsable(session)) list.push(session);
  }
  return { fresh, known: known.slice(0, MAX_INDEX - fresh.length) };
}

function isWorthReading(
  { isCurrentSession, userMessageCount, lastUpdated }: Candidate,
  now: number,
): boolean {
  return (
    !isCurrentSession && userMessageCount >= MIN_USER_MESSAGES && now - Date.parse(lastUpdated) >= IDLE_MS
  );
}
