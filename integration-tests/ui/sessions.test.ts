/** Earlier sessions on the screen: two programs at once, switching between sessions, a worktree at the end. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from '@gemini-cli/test-utils';
import { type Screen, type TestRig, testRig } from '@gemini-cli/test-utils/rig';
import { expect, it } from 'vitest';

const LONG = { timeoutMs: 50_000 };
const READY = 'Type your message';

async function command(screen: Screen, line: string): Promise<void> {
  screen.type(line);
  await screen.waitFor(`> ${line}`, LONG);
  screen.press('Enter');
}

async function say(screen: Screen, line: string, answer: string): Promise<void> {
  screen.type(`${line}\r`);
  await screen.waitFor(`✦ ${answer}`, LONG);
  await screen.waitFor(READY, LONG);
}

/** The messages of each session file. */
function recordings({ home }: TestRig): string[] {
  const temp = join(home, '.gemini/tmp');
  return readdirSync(temp, { recursive: true, encoding: 'utf8' })
    .filter((path) => /chats\/session-[^/]*\.jsonl$/.test(path))
    .sort()
    .map((path) => readFileSync(join(temp, path), 'utf8'));
}

it('a session that is open elsewhere continues as a copy, and neither writes into the other', async () => {
  const rig = await testRig();
  rig.model.replies([text('One.')], [text('Two.')], [text('Three.')]);
  const first = await rig.screen([]);
  await say(first, 'first question', 'One.');
  const second = await rig.screen(['--resume']);
  await second.waitFor(/open in another\s+process/, LONG);
  await say(second, 'asked in the copy', 'Two.');
  await say(first, 'asked in the first', 'Three.');
  for (const screen of [first, second]) {
    screen.kill('SIGHUP');
    await screen.exit;
  }
  const files = recordings(rig);
  expect(files).toHaveLength(2);
  expect(files.filter((lines) => lines.includes('first question'))).toHaveLength(2);
  expect(files.filter((lines) => lines.includes('asked in the copy'))).toHaveLength(1);
  expect(files.filter((lines) => lines.includes('asked in the first'))).toHaveLength(1);
  expect(
    files.some((lines) => lines.includes('asked in the copy') && lines.includes('asked in the first')),
  ).toBe(false);
}, 120_000);

it('/resume switches to another session and back, each recorded in its own file', async () => {
  const rig = await testRig();
  rig.model.replies([text('Apples.')], [text('Pears.')], [text('More apples.')], [text('More pears.')]);
  await rig.cli('-p', 'about apples', '--session-id', 'apples-1');
  await rig.cli('sessions', 'rename', '1', 'fruit');
  const screen = await rig.screen([], { rows: 40 });
  await say(screen, 'about pears', 'Pears.');
  await command(screen, '/resume apples-1');
  await screen.waitFor((shown) => shown.includes('✦ Apples.') && !shown.includes('✦ Pears.'), LONG);
  await say(screen, 'and more', 'More apples.');
  await command(screen, '/resume 2');
  await screen.waitFor((shown) => shown.includes('✦ Pears.') && !shown.includes('Apples.'), LONG);
  await say(screen, 'and more here', 'More pears.');
  expect(screen.history()).not.toContain('open in another');
  screen.kill('SIGHUP');
  await screen.exit;
  const [apples = '', pears = ''] = recordings(rig).sort((a) => (a.includes('apples-1') ? -1 : 1));
  expect([apples.includes('More apples.'), apples.includes('pears')]).toEqual([true, false]);
  expect([pears.includes('More pears.'), pears.includes('apples')]).toEqual([true, false]);
}, 120_000);

it('a worktree stays at the end, with the commands to resume and to remove it', async () => {
  const rig = await testRig({ settings: { experimental: { worktrees: true } }, files: { 'a.txt': 'one\n' } });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], {
      cwd: rig.workspace,
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'one');
  rig.model.replies([text('Here.')]);
  const screen = await rig.screen(['--worktree', 'side'], { rows: 40, cols: 160 });
  await say(screen, 'where am I?', 'Here.');
  await command(screen, '/quit');
  await screen.exit;
  const shown = screen.history().replace(/\s+/g, ' ');
  expect(shown).toContain('worktree-side');
  expect(shown).toMatch(/cd \S*\.gemini\/worktrees\/side && gemini --resume [\da-f-]{36}/);
  expect(shown).toContain('worktree remove');
  expect(existsSync(rig.path('.gemini/worktrees/side/a.txt'))).toBe(true);
}, 120_000);

it('a session resumed without a sign-in shows its messages and continues after the sign-in', async () => {
  const rig = await testRig();
  rig.model.replies([text('First answer.')]);
  await rig.cli('-p', 'first question');
  const env = { GEMINI_API_KEY: undefined, GOOGLE_GEMINI_BASE_URL: undefined };
  const screen = await rig.screen(['--resume'], { env });
  await screen.waitFor(/First answer\.[\s\S]*5\. Offline guide/, LONG);
  screen.press('5');
  await screen.waitFor(READY, LONG);
  screen.type('what can you do?\r');
  await screen.waitFor('Offline guide: built-in rules', LONG);
  screen.type('/quit\r');
  await screen.exit;
  const { stdout } = await rig.cli('--list-sessions');
  expect(stdout).toContain('Available sessions for this project (1)');
}, 120_000);
