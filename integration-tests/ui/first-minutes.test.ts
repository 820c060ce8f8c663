import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestRig, testRig, text } from '@gemini-cli/test-utils/rig';
import { expect, it } from 'vitest';
import { ask, CLEAN, command, isReady, LONG } from './ui.js';

it('a newcomer without a key can trust, ask, approve an edit, undo it, find the session and quit', async () => {
  const rig = await testRig({
    trust: false,
    env: { GEMINI_API_KEY: undefined, GOOGLE_GEMINI_BASE_URL: undefined, COLORTERM: 'truecolor' },
    files: { 'greet.py': 'print("hello")\n', 'GEMINI.md': 'Be kind.\n' },
  });
  const screen = await rig.screen([], { cols: 100, rows: 30 });

  await screen.waitFor(/Do you trust this folder\?[\s\S]*GEMINI\.md/, LONG);
  screen.press('Enter');

  await screen.waitFor('5. Offline guide', LONG);
  screen.type('5');
  await screen.waitFor((seen) => isReady(seen) && seen.includes('offline'), LONG);

  await ask(screen, 'what does this project do?', /✦ [\s\S]*Offline guide: built-in rules/);
  await screen.waitFor(isReady, LONG);

  await command(screen, 'replace "hello" with "hello, world" in greet.py');
  await screen.waitFor(
    /Action Required[\s\S]*- print\("hello"\)[\s\S]*\+ print\("hello, world"\)[\s\S]*1\. Allow once/,
    LONG,
  );
  screen.press('Enter');
  await screen.waitFor((seen) => isReady(seen) && /✓ {2}Edit/.test(seen), LONG);
  expect(rig.read('greet.py')).toBe('print("hello, world")\n');

  await command(screen, '/undo');
  await screen.waitFor('Enter to preview', LONG);
  screen.press('Enter');
  await screen.waitFor('Restore these files?', LONG);
  screen.press('Enter');
  await screen.waitFor('Restored 1 file.', LONG);
  expect(rig.read('greet.py')).toBe('print("hello")\n');

  await command(screen, '/resume');
  await screen.waitFor(/what does this project do\?.*\(current\)/, LONG);
  screen.press('Esc');
  await screen.waitFor(isReady, LONG);

  await command(screen, '/quit');
  expect(await screen.exit).toMatchObject({ exitCode: 0 });
  expect(screen.modes()).toEqual(CLEAN);
  expect((await rig.cli('--list-sessions')).stdout).toContain('what does this project do?');

  const again = await rig.screen(['--resume'], { cols: 100, rows: 30 });
  await again.waitFor(() => again.history().includes('what does this project do?'), LONG);
}, 60_000);

it('a session of 5,000 items opens, shows its end, and loses no key', async () => {
  const rig = await testRig();
  rig.model.replies([text('Still with you.')]).otherwise(() => [text('A long talk')]);
  await rig.cli('--list-sessions'); // makes the folder of the project
  const id = writeLongSession(rig, 5000);
  const screen = await rig.screen(['--resume', id], { env: { COLORTERM: 'truecolor' } });
  const typed = 'typed before it was open, every single key of it';
  for (const key of typed) screen.type(key);
  await screen.waitFor((seen) => seen.includes('answer 2499') && seen.includes(`> ${typed}`), LONG);
  screen.press('Enter');
  await screen.waitFor('✦ Still with you.', LONG);
  expect(JSON.stringify(rig.model.requests[0]?.body.contents.at(-1))).toContain(typed);
}, 60_000);

/** As the program records it: one line per message. @returns its id */
function writeLongSession(rig: TestRig, items: number): string {
  const temp = join(rig.home, '.gemini/tmp');
  const [project = ''] = readdirSync(temp).filter((name) => name !== 'compile-cache');
  const chats = join(temp, project, 'chats');
  mkdirSync(chats, { recursive: true });
  const sessionId = '5d0c2c7e-0000-4000-8000-000000000001';
  const at = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString();
  const head = { sessionId, projectHash: project, startTime: at(0), lastUpdated: at(items), kind: 'main' };
  const lines = Array.from({ length: items }, (_, index) => {
    const round = Math.floor(index / 2);
    return index % 2 === 0
      ? { id: `u${round}`, timestamp: at(index), type: 'user', content: [{ text: `question ${round}` }] }
      : {
          id: `m${round}`,
          timestamp: at(index),
          type: 'gemini',
          content: `answer ${round}`,
          model: 'gemini-3.8-flash',
        };
  });
  const path = join(chats, `session-2026-01-01T00-00-${sessionId.slice(0, 8)}.jsonl`);
  writeFileSync(path, `${[head, ...lines].map((line) => JSON.stringify(line)).join('\n')}\n`);
  return sessionId;
}
