import { describe, expect, it } from 'vitest';
import { callTool, chunks, isAlive, silence, testRig, text } from './test-utils.js';

describe('Signals', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    '%s while the model is silent ends with %i and keeps what was printed',
    async (signal, code) => {
      const rig = await testRig();
      rig.model.replies([text('partial'), text(' answer'), silence()]);
      const run = rig.spawn('-p', 'x');
      await run.waitForStdout('partial answer');
      run.kill(signal);
      const result = await run.done;
      expect(result.exitCode).toBe(code);
      expect(result.stdout).toBe('partial answer\n');
      expect(await rig.model.lastRequest().hungUp).toBe(true);
    },
  );

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s: json formats still end with their result', async (signal, code) => {
    const rig = await testRig();
    rig.model.repeat(2, [silence()]);
    const json = await rig.cli('-p', 'x', '-o', 'json', { signalAfter: { request: 1, signal } });
    expect(json.exitCode).toBe(code);
    expect(json.json()).toMatchObject({
      session_id: expect.any(String),
      error: { message: expect.any(String) },
    });
    const stream = await rig.cli('-p', 'x', '-o', 'stream-json', { signalAfter: { request: 2, signal } });
    expect(stream.exitCode).toBe(code);
    expect(stream.events().at(-1)).toMatchObject({
      type: 'result',
      status: 'error',
      error: { message: expect.any(String) },
    });
  });

  it('like SIGINT end a running command with all its children', async () => {
    const rig = await testRig();
    const command =
      'sleep 300 & echo $! > child.pid; echo $$ > shell.pid.new; mv shell.pid.new shell.pid; echo started; wait';
    rig.model.replies([callTool('run_shell_command', { command })]);
    const run = rig.spawn('-p', 'x', '--approval-mode', 'yolo', '-o', 'stream-json');
    await rig.waitForFile('shell.pid');
    run.kill('SIGINT');
    expect((await run.done).exitCode).toBe(130);
    for (const file of ['child.pid', 'shell.pid']) expect(isAlive(Number(rig.read(file))), file).toBe(false);
  });

  it('end a command that ignores SIGTERM too', async () => {
    const rig = await testRig();
    const command = `trap '' TERM INT HUP; echo $$ > shell.pid.new; mv shell.pid.new shell.pid; while :; do sleep 0.1; done`;
    rig.model.replies([callTool('run_shell_command', { command })]);
    const run = rig.spawn('-p', 'x', '--approval-mode', 'yolo');
    await rig.waitForFile('shell.pid');
    run.kill('SIGTERM');
    const result = await run.done;
    expect(result.exitCode).toBe(143);
    expect(isAlive(Number(rig.read('shell.pid')))).toBe(false);
  });

  it('like Ctrl+C in a terminal cancel a headless run', async () => {
    const rig = await testRig();
    rig.model.replies([text('thinking hard'), text(' about it'), silence()]);
    const screen = await rig.screen(['-p', 'x']);
    await screen.waitFor('about it');
    screen.press('Ctrl+C');
    expect(await screen.exit).toMatchObject({ exitCode: 130 });
  });
});

describe('A closed stdout', () => {
  it('ends the run silently with 0', async () => {
    const rig = await testRig();
    function* endless() {
      for (let line = 0; ; line++) yield `many words that no one reads, line ${line}\n`;
    }
    rig.model.replies([chunks(endless())]);
    const run = rig.spawn('-p', 'x');
    await run.waitForStdout('many words');
    run.closeStdout();
    const { exitCode, stderr } = await run.done;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(await rig.model.lastRequest().hungUp).toBe(true);
  });
});
