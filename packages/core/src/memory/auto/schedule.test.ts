/** When an extraction run takes place and what it reads, with a scripted clock. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryLab } from './auto-memory.test-helper.js';
import { type Candidate, isRunDue, selectSessions } from './eligibility.js';
import { lockExtraction } from './lock.js';
import { type ExtractionState, readState, withMark, writeState } from './state.js';

const NOW = Date.parse('2026-11-15T12:00:00.000Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const at = (ms: number) => new Date(ms).toISOString();
const EMPTY: ExtractionState = { runs: [], sessions: {} };

function session(id: string, changes: Partial<Candidate> = {}): Candidate {
  return { id, lastUpdated: at(NOW - 4 * HOUR), userMessageCount: 10, isCurrentSession: false, ...changes };
}

describe('sessions for extraction', () => {
  const select = (sessions: Candidate[], state = EMPTY) =>
    selectSessions(sessions, state, { now: NOW, isUsable: () => true });

  it('are read when they are idle for three hours and have ten prompts', () => {
    const { fresh } = select([
      session('rests', { lastUpdated: at(NOW - 3 * HOUR) }),
      session('busy', { lastUpdated: at(NOW - 3 * HOUR + 1) }),
      session('short', { userMessageCount: 9 }),
      session('current', { isCurrentSession: true }),
      session('future', { lastUpdated: at(NOW + HOUR) }),
      session('timeless', { lastUpdated: 'yesterday' }),
    ]);
    expect(fresh.map(({ id }) => id)).toEqual(['rests']);
  });

  it('are at most ten new ones and fifty in all, newest first', () => {
    const many = Array.from({ length: 80 }, (_, n) =>
      session(`s${n}`, { lastUpdated: at(NOW - (4 + n) * HOUR) }),
    );
    let state = EMPTY;
    expect(select(many).fresh.map(({ id }) => id)).toEqual(many.slice(0, 10).map(({ id }) => id));
    for (const { id, lastUpdated } of many.slice(0, 60))
      state = withMark(state, { id, version: lastUpdated }, true);
    const later = select(many, state);
    expect(later.fresh[0]?.id).toBe('s60');
    expect([later.fresh.length, later.known.length]).toEqual([10, 40]);
  });

  it('are new once per version, and failures are not retried for ever', () => {
    const one = session('one');
    const version = one.lastUpdated;
    let state = withMark(EMPTY, { id: 'one', version }, false);
    expect(select([one], state).fresh).toHaveLength(1);
    state = withMark(withMark(state, { id: 'one', version }, false), { id: 'one', version }, false);
    expect(select([one], state).fresh).toHaveLength(0);
    expect(select([session('one', { lastUpdated: at(NOW - 5 * HOUR) })], state).fresh).toHaveLength(1);
  });
});

describe('an extraction run', () => {
  const lastRun = (startedAt: number) => ({
    runs: [{ startedAt: at(startedAt), outcome: 'completed' as const, sessionIds: [] }],
    sessions: {},
  });

  it('is due half an hour after the last one, also when the clock was set back', () => {
    expect(isRunDue(EMPTY, NOW)).toBe(true);
    expect(isRunDue(lastRun(NOW - 30 * MINUTE + 1), NOW)).toBe(false);
    expect(isRunDue(lastRun(NOW - 30 * MINUTE), NOW)).toBe(true);
    expect(isRunDue(lastRun(NOW + HOUR), NOW)).toBe(true);
  });

  it('excludes others until its lock is 35 minutes old', () => {
    const { lockFile } = memoryLab().places;
    const first = lockExtraction(lockFile, NOW);
    expect(first).toBeDefined();
    expect(lockExtraction(lockFile, NOW + 35 * MINUTE - 1)).toBeUndefined();
    const second = lockExtraction(lockFile, NOW + 35 * MINUTE);
    expect(second).toBeDefined();
    first?.release();
    expect(readFileSync(lockFile, 'utf8')).toContain('startedAt');
    second?.release();
    expect(readdirSync(dirname(lockFile))).toEqual([]);
  });

  it('uses the age of the lock file when its content is unreadable', () => {
    const { lockFile } = memoryLab().places;
    mkdirSync(dirname(lockFile), { recursive: true });
    writeFileSync(lockFile, '');
    expect(lockExtraction(lockFile, Date.now())).toBeUndefined();
    expect(lockExtraction(lockFile, Date.now() + HOUR)).toBeDefined();
  });
});

describe('the saved state', () => {
  it('is read as it was written, with limits', () => {
    const { stateFile } = memoryLab().places;
    expect(readState(stateFile)).toEqual(EMPTY);
    const runs = Array.from({ length: 60 }, (_, n) => ({
      startedAt: at(NOW + n),
      outcome: 'failed' as const,
      sessionIds: ['a'],
    }));
    const sessions = { a: { version: at(NOW), isDone: true, attempts: 1 } };
    writeState(stateFile, { runs, sessions });
    expect(readState(stateFile)).toEqual({ runs: runs.slice(-50), sessions });
  });

  it.each([
    '',
    '{"version":1',
    '[]',
    '{"version":2,"runs":[],"sessions":{}}',
    '{"version":1,"runs":{},"sessions":[]}',
  ])('is set aside when it is invalid: %s', (text) => {
    const { stateFile } = memoryLab().places;
    mkdirSync(dirname(stateFile), { recursive: true });
    writeFileSync(stateFile, text);
    expect(readState(stateFile)).toEqual(EMPTY);
    const [kept, ...others] = readdirSync(dirname(stateFile));
    expect(others).toEqual([]);
    expect(kept).toMatch(/damaged/);
  });
});
