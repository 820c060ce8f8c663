/** The saved state of auto memory: when it ran and which versions of which sessions it has read. */
import { isObject } from '../../base/objects.js';
import { readPrivateFile, setAside, writePrivateFile } from '../../platform/files/private-file.js';
import { createLog } from '../../platform/log.js';

const log = createLog('auto-memory');

export type RunOutcome = 'running' | 'completed' | 'max_turns' | 'timeout' | 'aborted' | 'failed';

export interface ExtractionRun {
  /** ISO time. */
  startedAt: string;
  outcome: RunOutcome;
  /** The sessions it read for the first time. */
  sessionIds: string[];
}

export interface SessionMark {
  /** The session's last update when it was read. */
  version: string;
  /** Not read again in this version. */
  isDone: boolean;
  /** Runs that failed for reasons unrelated to the session. */
  attempts: number;
}

export interface ExtractionState {
  runs: ExtractionRun[];
  sessions: Readonly<Record<string, SessionMark>>;
}

const STATE_VERSION = 1;
const MAX_RUNS = 50;
const MAX_SESSIONS = 2000;
const MAX_ATTEMPTS = 3;

/** An invalid file is renamed, and the state starts empty. */
export function readState(path: string): ExtractionState {
  try {
    const text = readPrivateFile(path);
    if (text === undefined) return { runs: [], sessions: {} };
    const state = stateFrom(JSON.parse(text));
    if (state) return state;
  } catch (error) {
    log.warn('state not readable', error);
  }
  setAside(path);
  return { runs: [], sessions: {} };
}

export function writeState(path: string, { runs, sessions }: ExtractionState): void {
  const newest = Object.entries(sessions)
    .sort(([, a], [, b]) => (a.version < b.version ? 1 : -1))
    .slice(0, MAX_SESSIONS);
  const state = {
    version: STATE_VERSION,
    runs: runs.slice(-MAX_RUNS),
    sessions: Object.fromEntries(newest),
  };
  writePrivateFile(path, `${JSON.stringify(state, null, 2)}\n`);
}

/** @param isDone false: the run failed before the model saw the session, which is retried a limited number of times */
export function withMark(
  { runs, sessions }: ExtractionState,
  { id, version }: { id: string; version: string },
  isDone: boolean,
): ExtractionState {
  const earlier = sessions[id];
  const attempts = (earlier?.version === version ? earlier.attempts : 0) + 1;
  const mark = { version, isDone: isDone || attempts >= MAX_ATTEMPTS, attempts };
  return { runs, sessions: { ...sessions, [id]: mark } };
}

function stateFrom(value: unknown): ExtractionState | undefined {
  if (!isObject(value) || value['version'] !== STATE_VERSION) return undefined;
  const { runs, sessions } = value;
  if (!Array.isArray(runs) || !isObject(sessions)) return undefined;
  return {
    runs: runs.flatMap((run: unknown) => runFrom(run) ?? []),
    sessions: Object.fromEntries(
      Object.entries(sessions).flatMap(([id, mark]) => {
        const read = markFrom(mark);
        return read ? [[id, read]] : [];
      }),
    ),
  };
}

const OUTCOMES: readonly RunOutcome[] = ['running', 'completed', 'max_turns', 'timeout', 'aborted', 'failed'];

function runFrom(value: unknown): ExtractionRun | undefined {
  if (!isObject(value)) return undefined;
  const { startedAt, outcome, sessionIds } = value;
  if (typeof startedAt !== 'string' || !Array.isArray(sessionIds)) return undefined;
  return {
    startedAt,
    outcome: OUTCOMES.find((known) => known === outcome) ?? 'failed',
    sessionIds: sessionIds.filter((id) => typeof id === 'string'),
  };
}

function markFrom(value: unknown): SessionMark | undefined {
  if (!isObject(value)) return undefined;
  const { version, isDone, attempts } = value;
  if (typeof version !== 'string') return undefined;
  return { version, isDone: isDone === true, attempts: typeof attempts === 'number' ? attempts : 0 };
}
