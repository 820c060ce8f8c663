import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_PARAMETERS, tempDir } from '@gemini-cli/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import { cleanUpSessions } from './clean-up.js';

const NOW = Date.parse('2026-11-15T12:00:00Z');
let cleanup: (() => void) | undefined;
afterEach(() => cleanup?.());

function chatsWith(ages: Record<string, number>) {
  const { path, cleanup: remove } = tempDir();
  cleanup = remove;
  const chatsDir = join(path, 'chats');
  mkdirSync(chatsDir);
  for (const [id, days] of Object.entries(ages)) {
    const time = new Date(NOW - days * 86_400_000).toISOString();
    const lines = [
      { sessionId: id, projectHash: 'h', startTime: time, lastUpdated: time, kind: 'main' },
      { id: `m-${id}`, timestamp: time, type: 'user', content: 'hello' },
      { $set: { lastUpdated: time } },
    ];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    writeFileSync(join(chatsDir, `session-2026-01-01T00-00-${id}.jsonl`), text);
  }
  const warnings: string[] = [];
  const clean = (settings = {}, now = NOW) =>
    cleanUpSessions({
      places: { chatsDir, readOnlyDirs: [], projectTempDir: path },
      settings: { ...DEFAULT_PARAMETERS.sessionRetention, ...settings },
      currentSessionId: 'current1',
      now: () => now,
      warn: (message) => warnings.push(message),
    });
  const left = () => readdirSync(chatsDir).filter((name) => name.startsWith('session-')).length;
  return { chatsDir, clean, left, warnings };
}

describe('the clean-up of sessions', () => {
  it('deletes old ones, never the current one', async () => {
    const { clean, left } = chatsWith({ oldoldol: 40, newnewne: 2, current1: 50 });
    await clean();
    expect(left()).toBe(2);
  });

  it('deletes the checkpoints of deleted sessions', async () => {
    const { clean, chatsDir } = chatsWith({ oldoldol: 40, newnewne: 2, current1: 50 });
    const checkpoints = join(chatsDir, '../checkpoints');
    mkdirSync(checkpoints);
    for (const sessionId of ['oldoldol', 'newnewne', 'current1']) {
      const path = join(checkpoints, `2026-10-10T00-00-00_000Z-${sessionId}-replace.json`);
      writeFileSync(path, JSON.stringify({ sessionId, history: [], clientHistory: [] }));
      utimesSync(path, NOW / 1000 - 3 * 86_400, NOW / 1000 - 3 * 86_400);
    }
    await clean();
    expect(readdirSync(checkpoints).map((name) => name.split('-')[5])).toEqual(['current1', 'newnewne']);
  });

  it('happens once a day', async () => {
    const { clean, left, chatsDir } = chatsWith({ oldoldol: 40 });
    writeFileSync(join(chatsDir, '.cleaned'), '');
    utimesSync(join(chatsDir, '.cleaned'), NOW / 1000 - 3600, NOW / 1000 - 3600);
    await clean();
    expect(left()).toBe(1);
    await clean({}, NOW + 86_400_000);
    expect(left()).toBe(0);
  });

  it('tells the user how many were deleted, why, and by which setting', async () => {
    const { clean, warnings } = chatsWith({ oldoldol: 40, olderold: 41, newnewne: 2, newestne: 1.5 });
    await clean({ maxCount: 1 });
    expect(warnings).toEqual([
      'Deleted 2 sessions not used for 30d (general.sessionRetention.maxAge), ' +
        '1 session beyond the newest 1 (general.sessionRetention.maxCount).',
    ]);
  });

  it('prints nothing when nothing was deleted', async () => {
    const { clean, warnings } = chatsWith({ newnewne: 2 });
    await clean();
    expect(warnings).toEqual([]);
  });

  it.each([
    ['ahead once', [60]],
    ['ahead by years', [4000]],
    ['ahead for days', [60, 61, 62.5, 64]],
    ['ahead, right and ahead again', [60, 1, 61, 2, 62]],
    ['behind, then right', [-400, -399, 1, 2]],
    ['behind, then ahead', [-20_000, 60, 61]],
  ])('deletes nothing when the clock is %s', async (_case, days) => {
    const { clean, left, warnings } = chatsWith({ yesterda: 1, weekago1: 7, lastweek: 20 });
    await clean();
    for (const day of days) await clean({}, NOW + day * 86_400_000);
    expect(left()).toBe(3);
    expect(warnings).toEqual([]);
  });

  it('deletes nothing when the clock is ahead at the very first clean-up', async () => {
    const { clean, left } = chatsWith({ yesterda: 1, lastweek: 20 });
    await clean({}, NOW + 60 * 86_400_000);
    expect(left()).toBe(2);
    await clean({}, NOW + 61 * 86_400_000);
    expect(left()).toBe(2);
  });

  it('deletes nothing that was recorded while the clock was behind', async () => {
    const { clean, left } = chatsWith({ yesterda: 1, wrongday: 2000 });
    await clean({ maxAge: '', maxCount: 10 }, NOW - 2000 * 86_400_000);
    await clean();
    expect(left()).toBe(2);
  });

  it('keeps deleting by age while the clock runs steadily', async () => {
    const { clean, left } = chatsWith({ yesterda: 1, lastweek: 20 });
    for (const day of [0, 5, 11, 17]) await clean({}, NOW + day * 86_400_000);
    expect(left()).toBe(1);
    for (const day of [23, 28, 30]) await clean({}, NOW + day * 86_400_000);
    expect(left()).toBe(0);
  });

  it('deletes no checkpoint when the clock is ahead', async () => {
    const { clean, chatsDir } = chatsWith({ yesterda: 1 });
    const checkpoints = join(chatsDir, '../checkpoints');
    mkdirSync(checkpoints);
    const path = join(checkpoints, '2026-11-14T00-00-00_000Z-a.txt-replace.json');
    writeFileSync(path, '{}');
    utimesSync(path, NOW / 1000 - 86_400, NOW / 1000 - 86_400);
    await clean({}, NOW + 60 * 86_400_000);
    expect(existsSync(path)).toBe(true);
  });

  it('does nothing when disabled, and warns about invalid settings', async () => {
    const { clean, left, warnings, chatsDir } = chatsWith({ oldoldol: 40 });
    await clean({ enabled: false });
    expect(left()).toBe(1);
    utimesSync(join(chatsDir, '.cleaned'), 0, 0);
    await clean({ maxAge: 'soon' });
    expect(left()).toBe(1);
    expect(warnings).toEqual([expect.stringContaining('"soon" is not a time')]);
    expect(existsSync(join(chatsDir, '.cleaned'))).toBe(true);
  });
});
