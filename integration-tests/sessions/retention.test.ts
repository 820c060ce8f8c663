/** Old sessions are deleted; the current one and those that cannot be judged stay. */
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type TestRig, testRig, text } from '../test-utils.js';

const CHATS = 'tmp/my-project/chats';
const DAY_MS = 86_400_000;

function addSession(rig: TestRig, name: string, daysAgo: number, content?: string): void {
  const time = new Date(Date.now() - daysAgo * DAY_MS);
  const iso = time.toISOString();
  const lines = [
    { sessionId: `${name}-1`, projectHash: 'x', startTime: iso, lastUpdated: iso, kind: 'main' },
    { id: '1', timestamp: iso, type: 'user', content: name },
    { $set: { lastUpdated: iso } },
  ];
  const whole = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const path = rig.writeHome(`${CHATS}/session-${iso.slice(0, 10)}T00-00-${name}.jsonl`, content ?? whole);
  utimesSync(path, time, time);
}

// The guide answers at once: a short run cleans up, too.
it.each(['gemini-pro', 'offline'])(
  'a run removes what is older than the settings say (%s)',
  async (model) => {
    const rig = await testRig({
      settings: { general: { sessionRetention: { maxAge: '10d', maxCount: 3 } } },
    });
    rig.writeHome('projects.json', JSON.stringify({ projects: { [rig.workspace]: 'my-project' } }));
    addSession(rig, 'old', 11);
    addSession(rig, 'fourth', 9);
    addSession(rig, 'third', 8);
    addSession(rig, 'second', 2);
    addSession(rig, 'young', 0.1);
    addSession(rig, 'broken', 9, 'no session');
    addSession(rig, 'ancient', 11, 'no session');
    if (model !== 'offline') rig.model.replies([text('Hello.')]);
    const run = await rig.cli('-p', 'hello', '--model', model);
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stderr).toMatch(
      /^\S*\[WARNING\] Deleted 1 session not used for 10d \(general\.sessionRetention\.maxAge\), 2 sessions beyond the newest 3 \(general\.sessionRetention\.maxCount\), 1 file left by old sessions\.\S*\n$/,
    );
    const names = readdirSync(join(rig.home, '.gemini', CHATS)).filter((name) => name.endsWith('.jsonl'));
    const left = names.map((name) => /T\d\d-\d\d-(.*)\.jsonl/.exec(name)?.[1] ?? name);
    // Together with the session of this run there are three.
    expect(left.filter((name) => !/^[\da-f]{8}$/.test(name)).sort()).toEqual(['broken', 'second', 'young']);
    expect(left).toHaveLength(4);
  },
);

it('nothing is deleted at a start where the clock is two months ahead', async () => {
  const rig = await testRig();
  const shift = rig.write(
    '../clock.cjs',
    'const now = Date.now; const days = Number(process.env.DAYS_AHEAD); Date.now = () => now() + days * 86400000;\n',
  );
  const runAt = async (days: number) => {
    rig.model.replies([text('Hello.')]);
    const env = { NODE_OPTIONS: `--require ${shift}`, DAYS_AHEAD: String(days) };
    const run = await rig.cli('-p', 'hello', '--model', 'gemini-pro', { env });
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stderr).toBe('');
  };
  for (const days of [0, 0, 1.5, 60, 61.5, 3, 62]) await runAt(days);
  const { stdout } = await rig.cli('sessions', 'list', '--json');
  expect(JSON.parse(stdout)).toHaveLength(7);
});
