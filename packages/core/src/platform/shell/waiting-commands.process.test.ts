import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { killAllChildren } from '../process/child-registry.js';
import type { ProcessAnswer } from './shell-service.js';
import { ShellRig } from './shell-service.test-helper.js';

let rig: ShellRig;
beforeEach(() => {
  rig = new ShellRig();
});
afterEach(() => rig.cleanUp());

const PATIENT = { timeout: 60_000 };
const signal = new AbortController().signal;

/** Starts a command and waits until it waits for input. */
async function untilWaiting(command: string): Promise<{ pid: number; output: string }> {
  const { pid = 0, result } = await rig.start(command);
  const { output, endedBy, backgroundReason } = await result;
  expect([endedBy, backgroundReason, output]).toEqual(['background', 'waiting', expect.any(String)]);
  return { pid, output };
}

/** Limits that are never reached: only the command itself ends the wait. */
async function send(pid: number, data: string): Promise<ProcessAnswer> {
  const answer = await rig.service.sendInput(pid, data, { signal, limitMs: 50_000, quietMs: 50_000 });
  if (!answer) throw new Error('no answer');
  return answer;
}

describe('a command that waits for input', PATIENT, () => {
  it.each([
    ['a shell builtin', 'read -r x; echo "got $x"', ''],
    ['a prompt', 'read -r -p "Name: " x; echo "got $x"', 'Name:'],
    ['a password', 'read -rs -p "Password: " x; echo "got $x"', 'Password:'],
    ['a time limit of its own', 'read -r -t 1000 -p "Go on? " x; echo "got $x"', 'Go on?'],
    ['python', `python3 -c 'print("got", input("Say: "))'`, 'Say:'],
    ['a child of a child', `bash -c 'bash -c "head -n 1 | sed s/^/got\\ /"; true'; true`, ''],
    [
      'node',
      `node -e 'const r=require("readline").createInterface({input:process.stdin,output:process.stdout});r.question("name: (app) ",(a)=>{console.log("got "+a);r.close()})'; true`,
      'name: (app)',
    ],
    [
      'node, without a prompt',
      `node -e 'process.stdin.once("data",(d)=>{console.log("got "+d);process.exit()})'; true`,
      '',
    ],
    ['its own session', `setsid -w head -n 1 | sed 's/^/got /'; true`, ''],
    ['/dev/tty', 'read -r x </dev/tty; echo "got $x"', ''],
  ])('by %s returns, accepts the answer and ends', async (_name, command, prompt) => {
    const { pid, output } = await untilWaiting(command);
    expect(output).toBe(prompt);
    const answer = await send(pid, 'hello\r');
    expect(answer).toMatchObject({ state: 'exited', exitCode: 0 });
    expect(answer.output).toContain('got hello');
    expect(rig.service.listBackground()).toMatchObject([{ pid, status: 'exited', exitCode: 0 }]);
  });

  it('can be answered several times', async () => {
    const { pid } = await untilWaiting('for i in 1 2; do read -r -p "Q$i: " a; echo "A$i=$a"; done; exit 5');
    const first = await send(pid, 'one\r');
    expect(first.state).toBe('waiting');
    expect(first.output).toMatch(/A1=one\nQ2:$/);
    expect(rig.service.readBackground(pid, 1)?.lines).toEqual(['Q2: ']);
    const second = await send(pid, 'two\r');
    expect(second).toMatchObject({ state: 'exited', exitCode: 5 });
    expect(second.output).toContain('A2=two');
  });

  it('gets its input even if it reads late', async () => {
    const { pid, output } = await untilWaiting('cat');
    expect(output).toBe('');
    expect((await send(pid, 'twice\r')).output).toBe('twice\ntwice');
    expect(await send(pid, '\x04')).toMatchObject({ state: 'exited', exitCode: 0 });
  });

  it('is recognised when it is a REPL', async () => {
    const { pid, output } = await untilWaiting('node -i');
    expect(output).toMatch(/\n>$/);
    const answer = await send(pid, '6 * 7\r');
    expect(answer.state).toBe('waiting');
    expect(answer.output).toMatch(/\n42\n>$/);
    expect((await send(pid, '.exit\r')).state).toBe('exited');
  });

  it('is recognised when it is a pager', async () => {
    writeFileSync(join(rig.temp.path, 'long'), 'line\n'.repeat(500));
    const { pid, output } = await untilWaiting('less long');
    expect(output).toContain('line\nline');
    expect(await send(pid, 'q')).toMatchObject({ state: 'exited', exitCode: 0 });
  });

  it('is recognised after it has worked and printed', async () => {
    const { output } = await untilWaiting('seq 1 3; sleep 0.5; echo now; read -r x');
    expect(output).toBe('1\n2\n3\nnow');
  });

  it('is recognised among several processes', async () => {
    const { output } = await untilWaiting('sleep 300 & echo both; cat | sort');
    expect(output).toBe('both');
  });

  it('is stopped with all its descendants', async () => {
    const { pid } = await untilWaiting('sleep 300 & cat');
    expect(await rig.service.kill(pid)).toBe(true);
    expect(rig.left()).toEqual([]);
    expect(await rig.service.sendInput(pid, 'x', { signal })).toBeUndefined();
  });

  it('ends with the program', async () => {
    await untilWaiting("trap '' TERM HUP; sleep 300 & cat");
    expect(rig.left().length).toBeGreaterThanOrEqual(2);
    killAllChildren();
    expect(rig.left()).toEqual([]);
  });

  it('stays in the foreground when the user types into it', async () => {
    const { pid = 0, result } = await rig.start('read -r a; read -r b; echo "$a and $b"');
    rig.service.write(pid, 'one\r');
    const other = await untilWaiting('read -r x');
    expect(rig.service.listBackground().map((entry) => entry.pid)).toEqual([other.pid]);
    rig.service.write(pid, 'two\r');
    expect((await result).output.trimEnd().split('\n').at(-1)).toBe('one and two');
  });
});

describe('a command that is only slow', PATIENT, () => {
  it.each([
    ['sleeps', 'sleep 1; echo end'],
    ['sleeps after a question', 'printf "Compile this? "; sleep 1.2; echo end'],
    ['computes', 'i=0; while [ $i -lt 150000 ]; do i=$((i+1)); done; echo end'],
    ['waits for a pipe', 'sleep 1 | cat; echo end'],
    ['waits for a timer', `node -e 'setTimeout(() => console.log("end"), 900)'; true`],
    ['waits for a child', 'sleep 1 & wait; echo end'],
    ['reads from elsewhere', 'read -r x < <(sleep 1; echo end); echo $x'],
  ])('is not taken for waiting while it %s', async (_name, command) => {
    const { output, endedBy } = await rig.run(command);
    expect(endedBy).toBeUndefined();
    expect(output).toMatch(/end\s*$/);
  });
});

describe('an input', PATIENT, () => {
  it('is answered with the output up to the limit when the command keeps working', async () => {
    const { pid } = await untilWaiting('read -r x; echo begun; sleep 300');
    const answer = await rig.service.sendInput(pid, 'go\r', { signal, quietMs: 1000 });
    expect(answer).toMatchObject({ state: 'running', exitCode: null });
    expect(answer?.output).toContain('begun');
  });

  it('is not sent after a cancellation, and the command keeps running', async () => {
    const { pid } = await untilWaiting('read -r x; echo "got $x"');
    const aborted = await rig.service.sendInput(pid, 'no\r', { signal: AbortSignal.abort() });
    expect(aborted).toMatchObject({ state: 'running', output: '' });
    expect((await send(pid, 'yes\r')).output).toContain('got yes');
  });

  it('needs a terminal', async () => {
    const { pid = 0 } = await rig.start('sleep 300', { enableInteractiveShell: false });
    await rig.service.moveToBackground(pid);
    expect(rig.service.hasBackground()).toBe(true);
    expect(rig.service.hasBackground({ takesInput: true })).toBe(false);
    expect(await rig.service.sendInput(pid, 'x', { signal })).toBeUndefined();
  });
});

describe('a slow command', PATIENT, () => {
  it('continues in the background after the configured time', async () => {
    const { pid = 0, result } = await rig.start('echo begun; sleep 300', { backgroundAfterSeconds: 0.2 });
    expect(await result).toMatchObject({ endedBy: 'background', backgroundReason: 'slow', output: 'begun' });
    expect(rig.service.listBackground()).toMatchObject([{ pid, status: 'running' }]);
    expect(rig.service.commandOf(pid)).toBe('echo begun; sleep 300');
    expect(await rig.service.kill(pid)).toBe(true);
    expect(rig.service.commandOf(pid)).toBeUndefined();
  });
});

describe('when the log cannot be written', PATIENT, () => {
  it('a command that waits for input is ended by the usual limits', async () => {
    writeFileSync(rig.logDirectory, 'a file');
    const result = await rig.run('read -r x', { inactivityTimeoutSeconds: 1 });
    expect(result.endedBy).toBe('inactivity');
  });
});
