import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { METHODS, ShellRig } from './shell-service.test-helper.js';

let rig: ShellRig;
beforeEach(() => {
  rig = new ShellRig();
});
afterEach(() => rig.cleanUp());

describe.each(METHODS)('a command over %s', (_name, method) => {
  it('returns output, exit code and process group', async () => {
    const { pid, result } = await rig.start('echo out; echo err >&2; printf last; exit 3', method);
    const { output, ...rest } = await result;
    expect(output.trimEnd()).toBe('out\nerr\nlast');
    expect(rest).toMatchObject({ exitCode: 3, signal: null, pid, backgroundPids: [], isBinary: false });
    expect(rest.endedBy).toBeUndefined();
  });

  it('leads its own group and session', async () => {
    const { pid, result } = await rig.start('cut -d " " -f 5,6 /proc/$$/stat', method);
    expect((await result).output.trim()).toBe(`${pid} ${pid}`);
  });

  it('sees a terminal exactly when it has one', async () => {
    const { output } = await rig.run('test -t 1 && stty size || echo none', method);
    expect(output.trim()).toBe(method.enableInteractiveShell ? '30 80' : 'none');
  });

  it('names the signal that ended the shell', async () => {
    expect(await rig.run('kill -SEGV $$', method)).toMatchObject({ exitCode: null, signal: 'SIGSEGV' });
  });

  it('returns every line of a long output', async () => {
    const { output } = await rig.run('seq 1 200000', method);
    expect(output.trimEnd().split('\n').map(Number)).toEqual(
      Array.from({ length: 200_000 }, (_, i) => i + 1),
    );
  });

  it('returns at once, with the id, when a job continues in the background', async () => {
    const { output, backgroundPids } = await rig.run('sleep 100 & echo $!', method);
    expect(backgroundPids).toEqual([Number(output)]);
    expect(rig.left()).toEqual(backgroundPids);
  });

  it('lets a background job keep printing after the command has ended', async () => {
    const script =
      'i=0; while [ $i -lt 30000 ]; do echo "line $i of much output"; i=$((i+1)); done; echo fin >done';
    await rig.run(`(until [ -e go ]; do sleep 0.01; done; ${script}) &`, method);
    await rig.run('touch go', method);
    await vi.waitFor(() => expect(existsSync(`${rig.temp.path}/done`)).toBe(true), 10_000);
  });

  it('stops at a hard limit with the output so far, leaving no process', async () => {
    const result = await rig.run('echo begun; sleep 60 | cat', method, { timeoutMs: 1000 });
    expect([result.endedBy, result.output.trim()]).toEqual(['timeout', 'begun']);
    expect(rig.left()).toEqual([]);
  });

  it('stops when nothing is printed for too long; output restarts the time', async () => {
    const result = await rig.run('for i in 1 2 3 4 5; do echo $i; sleep 0.1; done; sleep 60', {
      ...method,
      inactivityTimeoutSeconds: 1.5,
    });
    expect([result.endedBy, result.output.trim()]).toEqual(['inactivity', '1\n2\n3\n4\n5']);
    expect(rig.left()).toEqual([]);
  });

  it('ends on abort with all its descendants: pipelines, processes that ignore SIGTERM, stopped ones, daemons', async () => {
    const controller = new AbortController();
    const command = [
      'echo begun',
      '(setsid bash -c "trap \'\' TERM HUP; while :; do sleep 0.2; done" </dev/null >/dev/null 2>&1 &)',
      'sleep 61 & kill -STOP $!',
      "(trap '' TERM; exec sleep 62) &",
      'sleep 63 | sleep 64 | cat',
    ].join('\n');
    const { result } = await rig.start(command, method, { signal: controller.signal });
    await vi.waitFor(() => expect(rig.left().length).toBeGreaterThanOrEqual(8), 10_000);
    controller.abort();
    const { endedBy, output } = await result;
    expect([endedBy, output.trim()]).toEqual(['abort', 'begun']);
    expect(rig.left()).toEqual([]);
  });

  it('starts nothing after an abort', async () => {
    const result = await rig.run('touch started', method, { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ endedBy: 'abort', output: '', exitCode: null });
    expect(result.pid).toBeUndefined();
    expect(existsSync(`${rig.temp.path}/started`)).toBe(false);
  });

  it('counts the bytes of binary output instead of showing it', async () => {
    const onOutput = vi.fn();
    const result = await rig.run('head -c 100000 /dev/zero', method, { onOutput });
    expect(result).toMatchObject({ output: '[Binary output, not shown: 100000 bytes.]', isBinary: true });
    expect(onOutput.mock.calls[0]?.[0]).toMatch(/^\[Receiving binary output: \d+ bytes\.\]$/);
  });

  it('returns text that contains NUL bytes', async () => {
    const { output, isBinary } = await rig.run("printf 'a.txt\\0b.txt\\0'", method);
    expect([output, isBinary]).toEqual([method.interactive ? 'a.txtb.txt' : 'a.txt␀b.txt␀', false]);
  });

  it('reports a syntax error without showing our own lines', async () => {
    const { output, exitCode } = await rig.run('if then', method);
    expect(exitCode).toBe(2);
    expect(output).toContain("syntax error near unexpected token `then'");
    expect(output).not.toContain('shopt');
  });

  it('shows output while the command runs', async () => {
    const seen: string[] = [];
    const onOutput = (output: unknown) => {
      seen.push(JSON.stringify(output));
      if (seen.length === 1) void rig.start(': >go', method);
    };
    const command = 'echo first; until [ -e go ]; do sleep 0.01; done; echo second';
    await rig.run(command, method, { onOutput });
    expect(seen[0]).toContain('first');
    expect(seen[0]).not.toContain('second');
  });

  it('leaves no temporary files', async () => {
    process.env['TMPDIR'] = rig.temp.path;
    try {
      await rig.run('sleep 0.01 & echo x', method);
    } finally {
      delete process.env['TMPDIR'];
    }
    expect(existsSync(rig.temp.path) && (await rig.run('ls -A', method)).output.trim()).toBe('');
  });
});

describe('a command over pipes', () => {
  const pipes = { enableInteractiveShell: false };

  it('has no input', async () => {
    expect(await rig.run('cat; echo end', pipes)).toMatchObject({ output: 'end\n', exitCode: 0 });
  });

  it('is used when GEMINI_PTY_INFO=child_process is set', async () => {
    process.env['GEMINI_PTY_INFO'] = 'child_process';
    try {
      expect((await rig.run('test -t 1 || echo none')).output).toBe('none\n');
    } finally {
      delete process.env['GEMINI_PTY_INFO'];
    }
  });

  it('keeps errors and output in order', async () => {
    const { output } = await rig.run('for i in 1 2 3 4 5; do echo o$i; echo e$i >&2; done', pipes);
    expect(output).toBe('o1\ne1\no2\ne2\no3\ne3\no4\ne4\no5\ne5\n');
  });

  it('keeps the last 16 MB of 1 GB in flat memory, and never works long without a pause for timers', {
    timeout: 60_000,
  }, async () => {
    const before = process.memoryUsage().rss;
    let peak = 0;
    let longest = 0;
    let last = process.cpuUsage();
    const watch = setInterval(() => {
      const { user, system } = process.cpuUsage(last);
      longest = Math.max(longest, (user + system) / 1000);
      last = process.cpuUsage();
      peak = Math.max(peak, process.memoryUsage().rss - before);
    }, 10);
    const { output } = await rig.run('yes 0123456789abcde | head -c 1073741824', pipes);
    clearInterval(watch);
    expect(output.slice(0, 100)).toMatch(
      /^\[Output cut: 1056964608 bytes at the start were dropped, the last 16 MB follow\.\]\n/,
    );
    expect(output.length).toBe(16 * 1024 * 1024 + output.indexOf('\n') + 1);
    expect(peak).toBeLessThan(200 * 1024 * 1024);
    expect(longest).toBeLessThan(500);
  });

  it('reads text in other encodings', async () => {
    expect((await rig.run("printf 'caf\\351 cr\\350me'", pipes)).output).toBe('café crème');
    expect((await rig.run("printf 'h\\0e\\0l\\0l\\0o\\0'", pipes)).output).toBe('hello');
  });

  it('removes colours', async () => {
    expect((await rig.run("printf '\\033[31mred\\033[0m'", pipes)).output).toBe('red');
  });
});

describe('a command in a terminal', () => {
  it('can print a flood without blocking itself or us', { timeout: 60_000 }, async () => {
    let turns = 0;
    const watch = setInterval(() => turns++, 10);
    const { output, endedBy } = await rig.run(
      'yes "\x1b[1mbold\x1b[0m\x1b[K line"',
      { interactive: true },
      { timeoutMs: 1500 },
    );
    clearInterval(watch);
    expect(endedBy).toBe('timeout');
    expect(turns).toBeGreaterThan(20);
    expect(output.trimEnd().split('\n').at(-2)).toBe('bold line');
  });

  it('returns what is on the screen, without overwritten text', async () => {
    const { output } = await rig.run(`printf 'load 1%%\\rload 2%%\\r'; printf '\\033[Kdone\\n'`);
    expect(output.trimEnd()).toBe('done');
  });

  it('can be typed into and resized', async () => {
    const onOutput = vi.fn();
    const { pid = 0, result } = await rig.start(
      'read -r a; echo "got $a"; read -r b; stty size',
      {},
      { onOutput },
    );
    rig.service.write(pid, 'hello\r');
    await vi.waitFor(() => expect(onOutput.mock.calls.flat().join()).toContain('got hello'), 10_000);
    rig.service.resize(pid, 120, 40);
    rig.service.write(pid, '\r');
    expect((await result).output.trimEnd().split('\n').at(-1)).toBe('40 120');
  });

  it('does not inherit other terminals', async () => {
    const { result } = await rig.start('until [ -e go ]; do sleep 0.01; done');
    const { output } = await rig.run('ls -l /proc/$$/fd 2>/dev/null | grep -c ptmx');
    expect(output.trim()).toBe('0');
    await rig.run('touch go');
    await result;
  });

  it('does not open a pager', async () => {
    await rig.run('git init -q && git -c user.name=a -c user.email=b@c commit -q --allow-empty -m subject');
    const { output, exitCode } = await rig.run('git log --format=%s', {}, { timeoutMs: 10_000 });
    expect([output.trim(), exitCode]).toEqual(['subject', 0]);
  });
});

describe('when no shell can be started', () => {
  it.each(METHODS)('the result over %s says why', async (_name, method) => {
    const result = await rig.run('echo x', method, { cwd: `${rig.temp.path}/missing` });
    expect(result.exitCode === 0 && result.error === undefined).toBe(false);
  });
});
