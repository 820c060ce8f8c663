import { existsSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_PARAMETERS } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listSessions } from '../finding/session-info.js';
import { START, type TestSessions, testSessions } from '../sessions.test-helper.js';
import { applyRetention, parseAge, planRetention, type RetentionSettings } from './retention.js';

const DAY = 86_400_000;

describe('the retention settings', () => {
  it.each([
    ['30d', 30 * DAY],
    ['12h', DAY / 2],
    ['2w', 14 * DAY],
    ['1m', 30 * DAY],
    ['0d', undefined],
    ['d', undefined],
    ['1y', undefined],
    ['-1d', undefined],
  ])('read the age %s', (text, ms) => expect(parseAge(text)).toBe(ms));

  it('make a plan, or tell why not', () => {
    const plan = (settings: Partial<RetentionSettings>, maxSessions?: number) =>
      planRetention({ ...DEFAULT_PARAMETERS.sessionRetention, ...settings }, maxSessions);
    expect(plan({})).toEqual({ plan: { maxAgeMs: 30 * DAY, minRetentionMs: DAY } });
    expect(plan({}, 5)).toEqual({ plan: { maxAgeMs: 30 * DAY, maxCount: 5, minRetentionMs: DAY } });
    expect(plan({ maxCount: 3 }, 5)).toMatchObject({ plan: { maxCount: 3 } });
    expect(plan({ enabled: false, maxAge: 'x' })).toEqual({});
    expect(plan({ maxAge: 'soon' })).toEqual({ warning: expect.stringContaining('"soon"') });
    expect(plan({ maxAge: '1h' })).toEqual({ warning: expect.stringContaining('shorter than minRetention') });
    expect(plan({ maxAge: '' })).toEqual({ warning: expect.stringContaining('neither') });
    expect(plan({ maxCount: 0 })).toEqual({ warning: expect.stringContaining('at least 1') });
  });
});

describe('cleaning up', () => {
  let sessions: TestSessions;
  beforeEach(() => {
    sessions = testSessions();
  });
  afterEach(() => sessions.cleanup());

  function record(sessionId: string, ageDays: number): void {
    sessions.time.now = START - ageDays * DAY;
    const service = sessions.service({ sessionId });
    service.recordUser('hello');
    service.close();
    sessions.time.now = START;
  }

  const left = () => listSessions(sessions.places).map(({ id }) => id);
  const run = (plan: Parameters<typeof applyRetention>[0], currentSessionId = 'current0') =>
    applyRetention(plan, sessions.places, { currentSessionId, now: () => sessions.time.now });

  it('deletes old sessions, never the current one, live ones or young ones', async () => {
    record('old00000', 40);
    record('current0', 50);
    record('live0000', 60);
    record('young000', 0.5);
    record('future00', -5);
    const live = sessions.service({ sessionId: 'live0000' });
    live.recordUser('still here');
    sessions.put('project/tool-outputs/session-old00000/x.txt', 'x');
    const result = await run({ maxAgeMs: 30 * DAY, minRetentionMs: DAY });
    live.close();
    expect(result).toMatchObject({ deleted: ['old00000'], failed: [] });
    expect(left().sort()).toEqual(['current0', 'future00', 'live0000', 'young000']);
    expect(existsSync(join(sessions.base, 'project/tool-outputs/session-old00000'))).toBe(false);
  });

  it('keeps the configured number of newest sessions, and all young ones', async () => {
    for (const [id, age] of [
      ['a0000000', 9],
      ['b0000000', 8],
      ['c0000000', 7],
      ['d0000000', 0.1],
    ] as const)
      record(id, age);
    await run({ maxCount: 2, minRetentionMs: DAY });
    expect(left()).toEqual(['c0000000', 'd0000000']);
    await run({ maxCount: 1, minRetentionMs: 30 * DAY });
    expect(left()).toEqual(['c0000000', 'd0000000']);
  });

  it('keeps unreadable files until they are old, and never deletes in read-only places', async () => {
    const aged = (path: string, days: number) => {
      const file = sessions.put(path, 'garbage');
      utimesSync(file, new Date(START - days * DAY), new Date(START - days * DAY));
      return file;
    };
    const young = aged('project/chats/session-young.jsonl', 10);
    const old = aged('project/chats/session-old.jsonl', 40);
    const aside = aged('project/chats/session-x.jsonl.unreadable-1', 40);
    const other = aged('project/chats/notes.txt', 400);
    const readOnly = aged('old/session-seed.json', 400);
    const { deletedFiles } = await run({ maxAgeMs: 30 * DAY, minRetentionMs: DAY });
    expect(deletedFiles.sort()).toEqual([old, aside].sort());
    expect([young, other, readOnly].every((path) => existsSync(path))).toBe(true);
  });
});
