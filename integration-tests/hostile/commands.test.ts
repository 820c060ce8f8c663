import { describe, expect, it } from 'vitest';
import {
  callTool,
  declaredTools,
  isAlive,
  peakMemory,
  runTool,
  testRig,
  text,
  toolResponses,
} from '../test-utils.js';

const WAYS = [
  ['a pseudo-terminal', {}],
  ['pipes', { GEMINI_PTY_INFO: 'child_process' }],
] as const;

describe.each(WAYS)('Commands with %s', (_way, env) => {
  it('with 300 MB of output are bounded in memory and in what the model gets', async () => {
    const rig = await testRig({ env });
    rig.model.replies(
      [
        callTool('run_shell_command', {
          command: 'yes 0123456789012345678901234567890123456789012345678 | head -c 300000000; echo the-end',
        }),
      ],
      [text('ok')],
    );
    const run = rig.spawn('-p', 'x', '--approval-mode', 'yolo', { timeoutMs: 110_000 });
    let peak = Number.NaN;
    rig.model.onRequest = ({ index }) => {
      if (index === 1) peak = peakMemory(run.pid);
    };
    expect((await run.done).exitCode).toBe(0);
    const [answer] = toolResponses(rig);
    expect(answer?.response.output?.length).toBeLessThan(50_000);
    expect(answer?.response.output).toContain('the-end');
    expect(peak).toBeLessThan(400);
  }, 120_000);

  it('with one endless line are bounded too', async () => {
    const rig = await testRig({ env });
    const { answer } = await runTool(rig, 'run_shell_command', {
      command: `head -c 30000000 /dev/zero | tr '\\0' x`,
    });
    expect(answer.output?.length).toBeLessThan(50_000);
  });

  it('may print NUL bytes and binary output', async () => {
    const rig = await testRig({ env });
    const { answer, run } = await runTool(rig, 'run_shell_command', {
      command: `printf 'a\\0b'; head -c 3000 /dev/urandom; echo`,
    });
    expect(run.exitCode).toBe(0);
    expect(answer.output ?? answer.error).toBeTruthy();
    expect(run.stdout).not.toContain('\0');
  });

  it('never get terminal sequences into our output', async () => {
    const rig = await testRig({ env });
    const { run } = await runTool(rig, 'run_shell_command', {
      command: `printf '\\033]52;c;ZXZpbA==\\007\\033[31mred\\033[0m'`,
    });
    expect(run.stdout).not.toContain('\x1b');
    expect(run.stderr).not.toContain('\x1b]');
  });

  it('that ignore SIGTERM are ended at the time limit, with their children', async () => {
    const rig = await testRig({ env });
    const command = `trap '' TERM HUP INT; echo $$ > me.pid; (trap '' TERM HUP INT; exec sleep 300) & echo $! > child.pid; while :; do sleep 0.1; done`;
    const { run } = await runTool(rig, 'run_shell_command', { command, timeout_ms: 1000 });
    expect(run.durationMs).toBeLessThan(40_000);
    for (const file of ['me.pid', 'child.pid']) expect(isAlive(Number(rig.read(file))), file).toBe(false);
  });

  it('that start a daemon in its own session: it ends with the program', async () => {
    const rig = await testRig({ env });
    const command = `setsid bash -c 'echo $$ > daemon.pid.new; mv daemon.pid.new daemon.pid; exec sleep 300' < /dev/null > /dev/null 2>&1 & while [ ! -e daemon.pid ]; do sleep 0.02; done`;
    await runTool(rig, 'run_shell_command', { command });
    expect(isAlive(Number(rig.read('daemon.pid')))).toBe(false);
  });
});

describe('A silent command', () => {
  it('is ended after tools.shell.inactivityTimeout, and the model is told', async () => {
    const rig = await testRig({ settings: { tools: { shell: { inactivityTimeout: 1 } } } });
    const { answer, run } = await runTool(rig, 'run_shell_command', {
      command: 'echo $$ > me.pid; echo begun; sleep 300',
    });
    expect(run.exitCode, run.stderr).toBe(0);
    expect(`${answer.output}${answer.error}`).toMatch(/without output|printed nothing|inactiv/i);
    expect(`${answer.output}${answer.error}`).toContain('begun');
    expect(isAlive(Number(rig.read('me.pid')))).toBe(false);
  });
});

describe('A command that waits for input', () => {
  const command = 'echo $$ > me.pid; read -r -p "Name: " line; echo "got <$line>"';

  it('gets none through pipes and ends', async () => {
    const rig = await testRig({ env: { GEMINI_PTY_INFO: 'child_process' } });
    const { answer } = await runTool(rig, 'run_shell_command', { command });
    expect(answer.output).toContain('got <>');
  });

  it('in a terminal is reported at once and ends with the program', async () => {
    const rig = await testRig();
    const { answer, run } = await runTool(rig, 'run_shell_command', { command });
    const pid = Number(rig.read('me.pid'));
    expect(run.exitCode, run.stderr).toBe(0);
    expect(answer.output).toContain(`waiting for input (PID: ${pid})`);
    expect(answer.output).toContain('Name:');
    expect(isAlive(pid)).toBe(false);
  });

  it("gets the model's answer through a tool that is declared only then", async () => {
    const rig = await testRig();
    rig.model.replies(
      [callTool('run_shell_command', { command })],
      ({ body }) => {
        const [, pid] = /waiting for input \(PID: (\d+)\)/.exec(JSON.stringify(body)) ?? [];
        return [callTool('send_process_input', { pid: Number(pid), input: 'Ada' })];
      },
      [text('ok')],
    );
    const run = await rig.cli('-p', 'x', '--approval-mode', 'yolo');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(toolResponses(rig).at(-1)?.response.output).toContain('got <Ada>');
    const declared = [0, 1, 2].map((index) => declaredTools(rig, index).includes('send_process_input'));
    expect(declared).toEqual([false, true, false]);
  });
});
