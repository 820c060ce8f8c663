import { lstatSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BackgroundLog } from './background-log.js';
import type { BackgroundProcess } from './shell-service.js';
import { METHODS, ShellRig } from './shell-service.test-helper.js';

let rig: ShellRig;
beforeEach(() => {
  rig = new ShellRig();
});
afterEach(() => rig.cleanUp());

const logOf = (pid: number) => `${rig.logDirectory}/background-${pid}.log`;

describe.each(METHODS)('a command sent to the background over %s', (_name, method) => {
  /** Prints one line, waits for the file `go`, prints another, waits for `end`. */
  const COMMAND = `printf '\\033[31mone\\033[0m\\n'; until [ -e go ]; do sleep 0.01; done; echo two; until [ -e end ]; do sleep 0.01; done; exit 4`;

  async function startInBackground(): Promise<number> {
    const onOutput = vi.fn();
    const { pid = 0, result } = await rig.start(COMMAND, method, { onOutput });
    await vi.waitFor(() => expect(onOutput).toHaveBeenCalled(), 10_000);
    expect(await rig.service.moveToBackground(pid)).toBe(true);
    expect(await result).toMatchObject({ output: 'one', endedBy: 'background', pid, exitCode: null });
    return pid;
  }

  it('continues, writes to a private log, and reports its end', async () => {
    const ended: BackgroundProcess[] = [];
    rig.service.onBackgroundExit((process) => ended.push(process));
    const pid = await startInBackground();
    expect(readFileSync(logOf(pid), 'utf8')).toBe('one\n');
    expect(lstatSync(logOf(pid)).mode & 0o777).toBe(0o600);
    expect(lstatSync(rig.logDirectory).mode & 0o777).toBe(0o700);
    const running = { pid, command: COMMAND, status: 'running', exitCode: null, signal: null };
    expect(rig.service.listBackground()).toEqual([running]);

    writeFileSync(`${rig.temp.path}/go`, '');
    await vi.waitFor(
      () => expect(rig.service.readBackground(pid, 1)).toEqual({ lines: ['two'], totalLines: 2 }),
      10_000,
    );
    writeFileSync(`${rig.temp.path}/end`, '');
    await vi.waitFor(() => expect(ended).toEqual([{ ...running, status: 'exited', exitCode: 4 }]), 10_000);
    expect(rig.service.listBackground()).toEqual(ended);
    expect(rig.service.readBackground(pid, 100)).toEqual({ lines: ['one', 'two'], totalLines: 2 });
  });

  it('is not ended by the cancellation of its call or by the limits', async () => {
    const controller = new AbortController();
    const { pid = 0 } = await rig.start(
      'sleep 60',
      { ...method, inactivityTimeoutSeconds: 1 },
      {
        signal: controller.signal,
        timeoutMs: 1000,
      },
    );
    await rig.service.moveToBackground(pid);
    controller.abort();
    await rig.run('sleep 1.2', method);
    expect(rig.service.listBackground()).toMatchObject([{ pid, status: 'running' }]);
  });

  it('is killed with its children', async () => {
    const pid = await startInBackground();
    expect(await rig.service.kill(pid)).toBe(true);
    expect(rig.left()).toEqual([]);
    expect(rig.service.listBackground()).toMatchObject([{ pid, status: 'exited', signal: 'SIGTERM' }]);
    expect(await rig.service.kill(pid)).toBe(false);
  });

  it('is killed with all others by killAll', async () => {
    const pid = await startInBackground();
    const { result } = await rig.start('sleep 60', method);
    await rig.service.killAll();
    expect((await result).endedBy).toBe('abort');
    expect(rig.left()).toEqual([]);
    expect(rig.service.listBackground()).toMatchObject([{ pid, status: 'exited' }]);
  });
});

describe('the list of background processes', () => {
  it('contains only processes of the service', async () => {
    expect(await rig.service.moveToBackground(1)).toBe(false);
    expect(rig.service.readBackground(1, 10)).toBeUndefined();
    expect(await rig.service.kill(1)).toBe(false);
  });

  it('does not accept a command that has ended', async () => {
    const { pid = 0, result } = await rig.start('true');
    await result;
    expect(await rig.service.moveToBackground(pid)).toBe(false);
    expect(rig.service.listBackground()).toEqual([]);
  });

  it('does not accept a command whose log cannot be written', async () => {
    writeFileSync(rig.logDirectory, 'a file');
    const { pid = 0, result } = await rig.start('until [ -e go ]; do sleep 0.01; done; echo end');
    await expect(rig.service.moveToBackground(pid)).rejects.toThrow(/EEXIST|ENOTDIR|not a directory/);
    writeFileSync(`${rig.temp.path}/go`, '');
    expect((await result).output.trim()).toBe('end');
  });

  it('drops the oldest of more than 100 ended processes, with its log', { timeout: 60_000 }, async () => {
    const go = async () => {
      const { pid = 0 } = await rig.start('read -r x', {});
      await rig.service.moveToBackground(pid);
      await rig.service.kill(pid);
      return pid;
    };
    const first = await go();
    for (let count = 0; count < 100; count++) await go();
    const listed = rig.service.listBackground().map(({ pid }) => pid);
    expect(listed).toHaveLength(100);
    expect(listed).not.toContain(first);
    expect(readdirSync(rig.logDirectory)).toHaveLength(100);
  });
});

describe('BackgroundLog', () => {
  const PID = 4711;

  it('replaces the log of an earlier process, never the target of a link', () => {
    BackgroundLog.create(rig.logDirectory, PID).close();
    const victim = `${rig.temp.path}/victim`;
    writeFileSync(victim, 'precious');
    rmSync(logOf(PID));
    symlinkSync(victim, logOf(PID));
    const log = BackgroundLog.create(rig.logDirectory, PID);
    expect(lstatSync(log.path).isSymbolicLink()).toBe(false);
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    log.close();
  });

  it('does not read through a link', async () => {
    const log = BackgroundLog.create(rig.logDirectory, PID);
    rmSync(log.path);
    symlinkSync('/etc/passwd', log.path);
    expect(() => log.read(10)).toThrow(/ELOOP/);
    log.close();
  });

  it('refuses a directory that is a link', () => {
    symlinkSync('/tmp', rig.logDirectory);
    expect(() => BackgroundLog.create(rig.logDirectory, PID)).toThrow('is not a directory');
  });

  it('writes output that arrives meanwhile after the earlier output', async () => {
    const log = BackgroundLog.create(rig.logDirectory, PID);
    log.write(Buffer.from('later\r\n'));
    await log.begin(async () => 'earlier\n');
    expect(log.read(10)).toEqual({ lines: ['earlier', 'later'], totalLines: 2 });
    log.close();
  });

  it('reads at most the last 64 KB, in whole lines, and stays bounded on disk', async () => {
    const log = BackgroundLog.create(rig.logDirectory, PID);
    await log.begin(async () => '');
    const lines = 600_000;
    const chunk = Buffer.from(`${'x'.repeat(99)}\n`.repeat(1000));
    for (let count = 0; count < lines / 1000; count++) log.write(chunk);
    const excerpt = log.read(1_000_000);
    expect(excerpt).toEqual({ lines: new Array(655).fill('x'.repeat(99)), totalLines: lines });
    expect(lstatSync(log.path).size).toBeLessThan(33 * 1024 * 1024);
    log.close();
  });

  it('returns no line of an empty log, and an unfinished last line', async () => {
    const log = BackgroundLog.create(rig.logDirectory, PID);
    await log.begin(async () => '');
    expect(log.read(10)).toEqual({ lines: [], totalLines: 0 });
    log.write(Buffer.from('a\nb'));
    expect(log.read(1)).toEqual({ lines: ['b'], totalLines: 2 });
    log.close();
  });
});
