import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTool, mountNamespace, testRig, text, toolResponses } from '../test-utils.js';

describe('a run', () => {
  it('has the id given by --session-id, else its own', async () => {
    const rig = await testRig();
    rig.model.repeat(3, [text('ok')]);
    const named = await rig.cli('-p', 'x', '-o', 'json', '--session-id', 'my_run-7');
    expect(named.json().session_id).toBe('my_run-7');
    const [first, second] = [await rig.cli('-p', 'x', '-o', 'json'), await rig.cli('-p', 'x', '-o', 'json')];
    expect(first.json().session_id).not.toBe(second.json().session_id);
  });

  it.each(['a/b', '../x', ''])('refuses %j as a session id', async (id) => {
    const rig = await testRig();
    const { exitCode, stdout } = await rig.cli('-p', 'x', '--session-id', id);
    expect([1, 42]).toContain(exitCode);
    expect(stdout).toBe('');
  });

  it('writes nothing to the workspace, and in the home only below .gemini', async () => {
    const rig = await testRig();
    rig.model.replies([callTool('run_shell_command', { command: 'true' })], [text('ok')]);
    await rig.cli('-p', 'x', '--approval-mode', 'yolo');
    expect(readdirSync(rig.workspace)).toEqual([]);
    expect(readdirSync(rig.home)).toEqual(['.gemini']);
  });

  it('works with a home that cannot be written', async () => {
    const rig = await testRig({ isFirstRun: true });
    rig.model.replies([callTool('run_shell_command', { command: 'echo fine' })], [text('ok')]);
    const script = 'mount --bind "$HOME" "$HOME" && mount -o remount,ro,bind "$HOME" && exec "$@"';
    const under = [...mountNamespace(), 'bash', '-c', script, 'bash'];
    const run = await rig.cli('-p', 'x', '--approval-mode', 'yolo', { under });
    expect(run, run.stderr).toMatchObject({ exitCode: 0, stdout: 'ok\n' });
    expect(toolResponses(rig)[0]?.response.output).toContain('Output: fine');
    expect(readdirSync(join(rig.home, '.gemini'))).toEqual(['trustedFolders.json']);
  });

  it('adds further directories to the workspace', async () => {
    const rig = await testRig();
    const other = join(rig.home, 'other');
    rig.write('../home/other/note.txt', 'from elsewhere');
    rig.model.replies([callTool('read_file', { file_path: join(other, 'note.txt') })], [text('ok')]);
    await rig.cli('-p', 'x', '--include-directories', other);
    expect(toolResponses(rig)[0]?.response).toEqual({ output: 'from elsewhere' });
  });
});

describe('A run in a terminal', () => {
  it('with -p answers and ends', async () => {
    const rig = await testRig();
    rig.model.replies([text('the answer')]);
    const screen = await rig.screen(['-p', 'x']);
    expect(await screen.exit).toMatchObject({ exitCode: 0 });
    expect(screen.text()).toContain('the answer');
  });

  it('answers a query without -p in automation', async () => {
    const rig = await testRig();
    rig.model.replies([text('the answer')]);
    const screen = await rig.screen(['say', 'something'], { env: { CI: 'true' } });
    expect(await screen.exit).toMatchObject({ exitCode: 0 });
    expect(screen.text()).toContain('the answer');
  });

  it('shows errors in red, unless NO_COLOR is set', async () => {
    const rig = await testRig();
    rig.model.repeat(2, [
      { do: 'respond', status: 400, headers: {}, body: '{"error":{"code":400,"message":"bad"}}' },
    ]);
    const coloured = await rig.cli('-p', 'x');
    expect(coloured.stderr).toMatch(/^\x1b\[31m.*bad.*\x1b\[0?m\n$/);
    const plain = await rig.cli('-p', 'x', { env: { NO_COLOR: '1' } });
    expect(plain.stderr).not.toContain('\x1b');
  });
});
