/** Damaged, huge or hostile session files are reported and bounded, and all others work. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mountNamespace, type TestRig, testRig, text } from './test-utils.js';

/** Far more than is kept in memory, mostly a hole. */
const HUGE = 400 * 1024 ** 2;

/** A project with one good session; the folder of its files. */
async function withSession(): Promise<{ rig: TestRig; chats: string; good: string }> {
  const rig = await testRig();
  rig.model.replies([text('Forty-two.')]);
  const run = await rig.cli('-p', 'the good question');
  expect(run.exitCode, run.stderr).toBe(0);
  const chats = join(rig.home, '.gemini/tmp/workspace/chats');
  return { rig, chats, good: join(chats, sessionsIn(chats)[0] ?? '') };
}

const sessionsIn = (chats: string) => readdirSync(chats).filter((name) => name.startsWith('session-'));
const listed = (output: string) => output.split('\n').filter((line) => /^ {2}\d+\. /.test(line));
const sent = (rig: TestRig) => JSON.stringify(rig.model.lastRequest().body.contents);

/** A session file with another id and prompt. */
function variant(good: string, id: string, question: string): string {
  const { sessionId } = JSON.parse(readFileSync(good, 'utf8').split('\n')[0] ?? '') as { sessionId: string };
  return readFileSync(good, 'utf8').replaceAll(sessionId, id).replaceAll('the good question', question);
}

describe('among bad session files', () => {
  it('the good ones are listed, found and resumed', async () => {
    const { rig, chats, good } = await withSession();
    const put = (name: string, content: string | Buffer) => writeFileSync(join(chats, name), content);
    put('session-empty.jsonl', '');
    put('session-binary.jsonl', Buffer.from(Array.from({ length: 5_000 }, (_, n) => (n * 37) % 256)));
    put('session-cut.jsonl', variant(good, 'cut-session', 'the cut question').slice(0, -40));
    put('session-nonsense.json', '{"messages": 7}');
    put('session-renamed-by-hand.jsonl', variant(good, 'renamed-session', 'the renamed question'));
    copyFileSync(good, join(chats, 'session-copy.jsonl'));
    mkdirSync(join(chats, 'session-folder.jsonl'));
    put('session-hole.jsonl', variant(good, 'hole-session', 'the question before the hole'));
    truncateSync(join(chats, 'session-hole.jsonl'), HUGE);
    put('session-hole.json', '{"sessionId":"hole-json",');
    truncateSync(join(chats, 'session-hole.json'), HUGE);

    const list = await rig.cli('--list-sessions');
    expect(list.exitCode, list.stderr).toBe(0);
    const lines = listed(list.stdout).join('\n');
    for (const title of ['good', 'cut', 'renamed']) expect(lines).toContain(`the ${title} question`);
    expect(lines.split('the good question')).toHaveLength(2);

    rig.model.replies([text('Yes.')], [text('Yes.')]);
    const renamed = await rig.cli('-p', 'next', '--resume', 'renamed-session');
    expect(renamed.exitCode, renamed.stderr).toBe(0);
    expect(sent(rig)).toContain('the renamed question');
    const cut = await rig.cli('-p', 'next', '--resume', 'cut-session');
    expect(cut.exitCode, cut.stderr).toBe(0);
    expect(cut.stderr).toMatch(/cut off|damaged line/);
    expect(sent(rig)).toContain('the cut question');

    const search = await rig.cli('sessions', 'search', 'renamed question');
    expect(search.stdout, search.stderr).toContain('renamed-session');
  });

  it('a bad one that is named is refused in one line', async () => {
    const { rig, chats } = await withSession();
    for (const [name, content] of [
      ['empty.json', ''],
      ['binary.json', Buffer.from([0, 255, 1, 254, 10, 0])],
      ['nonsense.json', '{"a":'],
    ] as const) {
      writeFileSync(join(chats, name), content);
      const run = await rig.cli('-p', 'x', '--session-file', join(chats, name));
      expect(run.exitCode).toBe(42);
      expect(run.stderr).toMatch(new RegExp(`^[^\\n]*${name}: it [^\\n]*\\n$`));
    }
    const huge = join(chats, 'huge.json');
    writeFileSync(huge, '{"sessionId":"x",');
    truncateSync(huge, HUGE);
    const run = await rig.cli('-p', 'x', '--session-file', huge);
    expect(run.exitCode).toBe(42);
    expect(run.stderr).toContain('too large');
  });

  it('an id that is a path is refused', async () => {
    const { rig, chats, good } = await withSession();
    writeFileSync(join(chats, 'session-evil.jsonl'), variant(good, '../../../evil', 'the evil question'));
    const before = readdirSync(rig.home, { recursive: true, encoding: 'utf8' });
    rig.model.replies([text('Yes.')]);
    const run = await rig.cli('-p', 'next', '--resume', '../../../evil');
    expect(run.exitCode, run.stderr).toBe(0);
    const made = readdirSync(rig.home, { recursive: true, encoding: 'utf8' }).filter(
      (path) => !before.includes(path),
    );
    expect(made.filter((path) => /evil/.test(path) && !path.startsWith('.gemini/tmp/workspace/'))).toEqual(
      [],
    );
    for (const path of [
      join(dirname(rig.home), 'evil'),
      join(rig.home, 'evil'),
      join(rig.home, '.gemini/evil'),
    ])
      expect(existsSync(path)).toBe(false);
    expect((await rig.cli('-p', 'x', '--session-id', '../../x')).exitCode).not.toBe(0);
  });
});

describe('a project folder', () => {
  it('that was deleted and created again still has its sessions', async () => {
    const { rig } = await withSession();
    renameSync(rig.workspace, `${rig.workspace}-moved`);
    mkdirSync(rig.workspace);
    rig.model.replies([text('Yes.')]);
    const run = await rig.cli('-p', 'next', '--resume');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(sent(rig)).toContain('the good question');
  });

  it('that is deleted while a session runs loses nothing of the recording', async () => {
    const { rig, chats } = await withSession();
    rig.model.replies(() => {
      rmSync(rig.workspace, { recursive: true });
      return [text('Still here.')];
    });
    await rig.cli('-p', 'the last question');
    const all = sessionsIn(chats).map((name) => readFileSync(join(chats, name), 'utf8'));
    expect(all.filter((content) => content.includes('the last question'))).toHaveLength(1);
    expect(all.join('')).toContain('Still here.');
  });
});

describe.runIf(process.platform === 'linux')('a session file that cannot be written', () => {
  it('is read, and the conversation continues with one warning', async () => {
    const { rig, good } = await withSession();
    rig.model.replies([text('Yes.')]);
    const script = 'mount --bind "$SESSION" "$SESSION" && mount -o remount,ro,bind "$SESSION" && exec "$@"';
    const under = [...mountNamespace(), 'bash', '-c', script, 'bash'];
    const run = await rig.cli('-p', 'next', '--resume', { under, env: { SESSION: good } });
    expect(run.exitCode, run.stderr).toBe(0);
    expect(sent(rig)).toContain('the good question');
    expect(run.stderr.split('no longer recorded')).toHaveLength(2);
    expect(readFileSync(good, 'utf8')).not.toContain('next');
  });
});
