import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shellQuote } from '../../base/shell-words.js';
import { endProbed, newProbe } from '../process/process-probe.test-helper.js';
import { shellInvocation, unwrapShell } from './shell-command.js';

describe('unwrapShell', () => {
  it.each([
    [`bash -c 'echo "$HOME"'`, 'echo "$HOME"'],
    ['sh -c "ls -l"', 'ls -l'],
    [" /bin/bash -c 'a; b' ", 'a; b'],
  ])('removes the layer of %s', (command, inner) => {
    expect(unwrapShell(command)).toBe(inner);
  });

  it.each([
    ['cmd.exe /c "dir /b"', 'dir /b'],
    ['powershell -Command "Get-Item x"', 'Get-Item x'],
  ])('removes the layer of %s only on Windows', (command, inner) => {
    expect(unwrapShell(command, 'win32')).toBe(inner);
    expect(unwrapShell(command, 'linux')).toBe(command);
  });

  it.each([
    'bash -c "x=1; echo $x"',
    `bash -c 'echo '"'"'a'"'"`,
    "bash -c 'a' b",
    "bash -c 'a' && echo 'b'",
    'bash -lc "ls"',
    "bash -c ''",
    'echo bash -c "x"',
  ])('keeps %s, because unwrapping would change the meaning', (command) => {
    expect(unwrapShell(command)).toBe(command);
  });
});

describe('shellQuote', () => {
  it.each(["it's", '$HOME `x` "y" \\', '', 'a\nb', "''"])('lets the shell read %j literally', (text) => {
    expect(execFileSync('bash', ['-c', `printf %s ${shellQuote(text)}`], { encoding: 'utf8' })).toBe(text);
  });
});

describe('shellInvocation', () => {
  it('reports the background jobs and cleans up', () => {
    const probe = newProbe();
    const env = { ...process.env, ...probe.environment };
    const invocation = shellInvocation('sleep 60 >/dev/null 2>&1 & echo $!', {
      method: 'pipes',
      variables: env,
    });
    const pid = Number(execFileSync(invocation?.file ?? '', invocation?.args, { env, encoding: 'utf8' }));
    const report = /jobs -p >(\S+)' EXIT/.exec(invocation?.args[1] ?? '')?.[1] ?? '';
    expect(existsSync(report)).toBe(true);
    expect(invocation?.takeBackgroundPids()).toEqual([pid]);
    expect(existsSync(dirname(report))).toBe(false);
    endProbed(probe.value);
  });

  it('runs without a job report when the disk is full', () => {
    const variables = { ...process.env, TMPDIR: '/nonexistent' };
    const invocation = shellInvocation('echo works', { method: 'pipes', variables });
    expect(execFileSync(invocation?.file ?? '', invocation?.args, { encoding: 'utf8' })).toBe('works\n');
    expect(invocation?.takeBackgroundPids()).toEqual([]);
  });
});

it.runIf(process.platform === 'linux')('closes inherited open files before a sandboxed command', () => {
  const open = openSync('/dev/null', 'r');
  const stdio = ['ignore', 'pipe', 'inherit', ...Array.from({ length: 15 }, () => open)] as const;
  const lookFor = 'for fd in 3 7 12 15; do [ -e /proc/self/fd/$fd ] && echo $fd; done; echo "_fd=$_fd"';
  const output = (isSandboxed: boolean) => {
    const shell = shellInvocation(lookFor, { method: 'pipes', variables: process.env, isSandboxed });
    const text = execFileSync(shell?.file ?? '', shell?.args ?? [], { stdio: [...stdio], encoding: 'utf8' });
    shell?.takeBackgroundPids();
    return text.trim().split('\n');
  };
  expect(output(true)).toEqual(['_fd=']);
  expect(output(false)).toEqual(['3', '7', '12', '15', '_fd=']);
  closeSync(open);
});
