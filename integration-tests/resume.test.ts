/** A conversation is resumed in another run, whatever happened to the first. */
import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callTool, type TestRig, testRig, text } from './test-utils.js';

function sessionFiles(rig: TestRig): string[] {
  const temp = join(rig.home, '.gemini/tmp');
  return readdirSync(temp, { recursive: true, encoding: 'utf8' })
    .filter((path) => /chats\/session-[^/]*\.jsonl$/.test(path))
    .map((path) => join(temp, path));
}

const sent = (rig: TestRig) => JSON.stringify(rig.model.requests.at(-1)?.body.contents);

describe('A session', () => {
  it('is recorded and resumed', async () => {
    const rig = await testRig({ files: { 'a.txt': 'forty-two\n' } });
    rig.model.replies(
      [callTool('read_file', { file_path: 'a.txt' })],
      [text('It says forty-two.')],
      [text('Forty-two.')],
    );
    const first = await rig.cli('-p', 'what does a.txt say?', '-o', 'json');
    const second = await rig.cli('-p', 'say it again', '--resume', '-o', 'json');
    expect(second.exitCode, second.stderr).toBe(0);
    expect(second.json().session_id).toBe(first.json().session_id);
    expect(sent(rig)).toContain('what does a.txt say?');
    expect(sent(rig)).toContain('It says forty-two.');
    expect(sent(rig)).toContain('functionResponse');
    expect(sessionFiles(rig)).toHaveLength(1);
  });

  it.each(['latest', '1'])('is found by %s', async (which) => {
    const rig = await testRig();
    rig.model.replies([text('one')], [text('two')]);
    await rig.cli('-p', 'the first question');
    const run = await rig.cli('-p', 'next', '--resume', which);
    expect(run.exitCode, run.stderr).toBe(0);
    expect(sent(rig)).toContain('the first question');
  });

  it('that does not exist is an error, and without any session a new one starts', async () => {
    const rig = await testRig();
    rig.model.replies([text('one')]);
    const none = await rig.cli('-p', 'x', '--resume');
    expect(none.exitCode).toBe(0);
    expect(none.stderr).toContain('No previous sessions found for this project.');
    const wrong = await rig.cli('-p', 'x', '--resume', '99');
    expect(wrong.exitCode).toBe(42);
    expect(wrong.stderr).toContain('Error resuming session: Invalid session identifier "99".');
  });

  it('killed in the middle of a call is resumed with every call answered, and finished', async () => {
    const rig = await testRig();
    rig.model.replies(
      [callTool('write_file', { file_path: 'one.txt', content: '1\n' })],
      [
        callTool('run_shell_command', { command: 'touch started; sleep 100' }),
        callTool('write_file', { file_path: 'two.txt', content: '2\n' }),
      ],
    );
    const run = rig.spawn('-p', 'wait for it', '-y');
    await rig.waitForFile('started');
    run.kill('SIGKILL');
    await run.done;
    rig.model.replies(
      [callTool('write_file', { file_path: 'two.txt', content: '2\n' })],
      [text('Now it is done.')],
    );
    const next = await rig.cli('-p', 'go on', '--resume', '-y');
    expect(next.exitCode, next.stderr).toBe(0);
    expect(next.stdout).toContain('Now it is done.');
    expect(rig.read('two.txt')).toBe('2\n');
    expect(sent(rig)).toContain('wait for it');
    const contents = rig.model.requests.at(-1)?.body.contents ?? [];
    for (const [at, { parts }] of contents.entries()) {
      const calls = parts.flatMap(({ functionCall }) => functionCall?.name ?? []);
      const answers = contents[at + 1]?.parts.flatMap(({ functionResponse }) => functionResponse?.name ?? []);
      if (calls.length > 0) expect(answers).toEqual(calls);
    }
    expect(sent(rig).split('"functionCall"')).toHaveLength(5);
    expect(sent(rig)).toContain('whether it ran is not known');
  });

  it('has the directories that were added to it, if they still exist', async () => {
    const rig = await testRig();
    const other = mkdtempSync(join(tmpdir(), 'other-'));
    onTestFinished(() => rmSync(other, { recursive: true }));
    writeFileSync(join(other, 'far.txt'), 'far away\n');
    rig.model.replies([text('one')]);
    await rig.cli('-p', 'begin');
    const [file = ''] = sessionFiles(rig);
    const directories = [other, '/nowhere/to/be/found', 'bad\0name', rig.write('file.txt', 'no folder')];
    appendFileSync(file, `${JSON.stringify({ $set: { directories } })}\n`);
    rig.model.replies([callTool('read_file', { file_path: join(other, 'far.txt') })], [text('two')]);
    const run = await rig.cli('-p', 'read it', '--resume');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(sent(rig)).toContain('far away');
    expect(sent(rig)).toContain(other);
    expect(run.stderr.match(/\/nowhere\/to\/be\/found/g)).toHaveLength(1);

    // A file from elsewhere adds no directories.
    copyFileSync(file, rig.path('theirs.jsonl'));
    rig.model.replies([callTool('read_file', { file_path: join(other, 'far.txt') })], [text('no')]);
    await rig.cli('-p', 'read it now', '--session-file', 'theirs.jsonl', '-o', 'json');
    const answer = rig.model.requests.at(-1)?.body.contents.at(-1)?.parts.at(-1)?.functionResponse;
    expect(JSON.stringify(answer)).not.toContain('far away');
  });

  it('contains no secret of the environment', async () => {
    const rig = await testRig({ env: { MY_SECRET_TOKEN: 'hush-hush-123456' } });
    rig.model.replies([text('The token is hush-hush-123456.')]);
    await rig.cli('-p', 'my token is hush-hush-123456');
    for (const file of sessionFiles(rig)) expect(readFileSync(file, 'utf8')).not.toContain('hush-hush');
    expect(sessionFiles(rig)).toHaveLength(1);
  });

  it('can come from a file of another place', async () => {
    const record = {
      sessionId: 'elsewhere',
      startTime: '2026-01-01T00:00:00Z',
      lastUpdated: '2026-01-01T00:00:00Z',
      messages: [
        { type: 'user', content: 'remember the number 7' },
        { type: 'gemini', content: 'I will.' },
      ],
    };
    const rig = await testRig({ files: { 'old.json': JSON.stringify(record) } });
    rig.model.replies([text('7')]);
    const run = await rig.cli('-p', 'which number?', '--session-file', 'old.json');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(sent(rig)).toContain('remember the number 7');
  });
});
