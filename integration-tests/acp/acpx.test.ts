/** Conversations that `acpx` holds with the built program. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { callTool, testRig, text } from '../test-utils.js';
import { acpx } from './acpx.js';

const EDIT = { file_path: 'a.txt', instruction: 'x', old_string: 'one', new_string: 'two' };
/** Each command of acpx is a process that starts others. */
const LONG_MS = 120_000;

describe('acpx', { timeout: LONG_MS }, () => {
  it('edits with approval', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\n' } });
    rig.model.replies([callTool('replace', EDIT)], [text('The file is changed.')]);
    const run = await acpx(rig, '--approve-all', 'exec', 'edit it');
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toMatch(/\[tool\] a\.txt: one => two \(completed\)\s+kind: edit/);
    expect(run.stdout).toMatch(/The file is changed\.\s+\[done\] end_turn/);
    expect(rig.read('a.txt')).toBe('two\n');
  });

  it('refuses, and the model is told', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\n' } });
    rig.model.replies([callTool('replace', EDIT)], [text('Then not.')]);
    const run = await acpx(rig, '--deny-all', 'exec', 'edit it');
    expect(run.stdout).toContain('The user did not allow this call.');
    expect(run.stdout).toMatch(/Then not\.\s+\[done\] end_turn/);
    expect(rig.read('a.txt')).toBe('one\n');
  });

  it('cancels in mid tool', async () => {
    const rig = await testRig();
    rig.model.replies([callTool('run_shell_command', { command: 'echo $$ > begun.txt; sleep 100 & wait' })]);
    expect((await acpx(rig, 'sessions', 'new')).exitCode).toBe(0);
    const prompt = acpx(rig, '--approve-all', '--no-terminal', '--ttl', '1', 'prompt', 'run it');
    await rig.waitForFile('begun.txt');
    expect((await acpx(rig, 'cancel')).exitCode).toBe(0);
    expect((await prompt).stdout).toContain('[done] cancelled');
    expect(existsSync(`/proc/${rig.read('begun.txt').trim()}`)).toBe(false);
    await acpx(rig, 'sessions', 'close');
  });

  it('holds two sessions at once, lists them, and loads one again after its agent has ended', async () => {
    const rig = await testRig();
    rig.model.replies([text('first')], [text('second')], [text('third')]);
    for (const name of ['one', 'two']) await acpx(rig, 'sessions', 'new', '--name', name);
    const first = await acpx(rig, '--ttl', '1', 'prompt', '-s', 'one', 'hello one');
    const second = await acpx(rig, '--ttl', '1', 'prompt', '-s', 'two', 'hello two');
    expect([first.stdout, second.stdout]).toEqual([
      expect.stringContaining('first'),
      expect.stringContaining('second'),
    ]);
    const { stdout: list } = await acpx(rig, 'sessions', 'list');
    expect(list).toMatch(/hello two[\s\S]*hello one/);
    const [, id = ''] = /^(\S+)\thello one\t/m.exec(list) ?? [];
    await acpx(rig, 'sessions', 'close', 'one');
    expect((await acpx(rig, 'sessions', 'new', '--name', 'again', '--resume-session', id)).exitCode).toBe(0);
    const third = await acpx(rig, '--ttl', '1', 'prompt', '-s', 'again', 'and now?');
    expect(third.stdout).toContain('third');
    const contents = JSON.stringify(rig.model.requests[2]?.body.contents);
    expect(contents).toContain('hello one');
    expect(contents).not.toContain('hello two');
    await acpx(rig, 'sessions', 'close', 'again');
    await acpx(rig, 'sessions', 'close', 'two');
  });
});
