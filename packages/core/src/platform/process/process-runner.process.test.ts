import { afterEach, describe, expect, it, vi } from 'vitest';
import { endProbed, newProbe, probed } from './process-probe.test-helper.js';
import { runProcess, spawnGroup, untilExit } from './process-runner.js';

const bash = (script: string, options = {}) =>
  runProcess('bash', ['-c', script], { env: process.env, ...options });

describe('runProcess', () => {
  afterEach(() => vi.restoreAllMocks());

  it('separates the streams and returns the exit code', async () => {
    expect(await bash('echo out; echo err >&2; exit 3')).toEqual({
      stdout: 'out\n',
      stderr: 'err\n',
      exitCode: 3,
      signal: null,
      endedBy: undefined,
      truncated: false,
    });
  });

  it('writes the input, even to a program that does not read it', async () => {
    expect((await runProcess('cat', [], { env: process.env, input: 'grün' })).stdout).toBe('grün');
    const unread = await runProcess('true', [], { env: process.env, input: 'x'.repeat(1_000_000) });
    expect(unread).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it('has an empty stdin without input', async () => {
    expect(await runProcess('cat', [], { env: process.env })).toMatchObject({ stdout: '', exitCode: 0 });
  });

  it('reports a program that cannot be started', async () => {
    const missing = await runProcess('no-such-program-here', [], { env: process.env });
    expect(missing).toMatchObject({ exitCode: null, error: { code: 'ENOENT' } });
    const invalid = await runProcess('echo', ['a\0b'], { env: process.env });
    expect(invalid.error?.message).toContain('null bytes');
  });

  it('keeps the last bytes of more output than wanted', async () => {
    const result = await bash('seq 1 100000', { maxOutputBytes: 1000 });
    expect(result.truncated).toBe(true);
    expect(result.stdout).toHaveLength(1000);
    expect(result.stdout.endsWith('99999\n100000\n')).toBe(true);
  });

  it('names the signal that ended the program', async () => {
    expect(await bash('kill -KILL $$')).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
  });

  it('kills the whole tree at the time limit, even children that ignore SIGTERM, and keeps the output', async () => {
    const { value, environment } = newProbe();
    const script = `(trap '' TERM; while :; do sleep 1; done) & (trap '' TERM; sleep 60) | cat & echo started; wait`;
    const result = await bash(script, { timeoutMs: 1000, env: { ...process.env, ...environment } });
    expect(result).toMatchObject({ endedBy: 'timeout', stdout: 'started\n' });
    expect(probed(value)).toEqual([]);
  });

  it('kills the tree on abort and does not start after one', async () => {
    const { value, environment } = newProbe();
    const controller = new AbortController();
    const running = bash('sleep 60 & sleep 60', {
      signal: controller.signal,
      env: { ...process.env, ...environment },
    });
    await vi.waitFor(() => expect(probed(value)).toHaveLength(3), 10_000);
    controller.abort();
    expect((await running).endedBy).toBe('abort');
    expect(probed(value)).toEqual([]);
    expect(await bash('exit 5', { signal: controller.signal })).toMatchObject({
      endedBy: 'abort',
      exitCode: null,
    });
  });

  it('ends with the program, not with a child that holds its output', async () => {
    const { value, environment } = newProbe();
    const result = await bash('sleep 60 & echo $!', { env: { ...process.env, ...environment } });
    expect(probed(value)).toEqual([Number(result.stdout)]);
    endProbed(value);
  });

  it('reads what is in the pipe at the exit, even if this program was busy until its time was over', async () => {
    const started = spawnGroup('bash', ['-c', '(sleep 0.2; echo late) & echo first'], { env: process.env });
    if (started instanceof Error) throw started;
    let output = '';
    started.child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    const exit = untilExit(started.child);
    started.child.once('exit', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800));
    await exit;
    expect(output).toBe('first\nlate\n');
  });
});
