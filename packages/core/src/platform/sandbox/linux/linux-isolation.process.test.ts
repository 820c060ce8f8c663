import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { release } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findProgram } from '../../process/find-program.js';
import { runProcess } from '../../process/process-runner.js';
import {
  makeSandboxFixture,
  runSandboxed,
  runScript,
  type SandboxFixture,
  TEST_USERS,
} from '../sandboxed-run.test-helper.js';
import { DEFAULT_LIMITS, type NetworkAccess, SandboxError } from '../types.js';
import { bindings, unixDaemon } from '../unix-daemon.test-helper.js';
import { countsPerSandbox, hasOwnHighestId } from './kernel-version.js';
import { LinuxSandboxManager } from './linux-manager.js';

vi.setConfig({ testTimeout: 30_000 });

const canRun = process.platform === 'linux' && findProgram('bwrap', process.env['PATH']) !== undefined;
const compiler = findProgram('gcc', process.env['PATH']);

describe.runIf(canRun).each(TEST_USERS)('a sandboxed command of $name', (user) => {
  let fixture: SandboxFixture;
  beforeEach(() => {
    fixture = makeSandboxFixture(user);
  });
  afterEach(() => fixture.remove());

  it('has the network when it is granted', async () => {
    const server = createServer((socket) => socket.end('reached'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const script = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3; ls /run`;
    const { stdout } = await runScript(fixture, script, { policy: { network: 'on' } });
    server.close();
    expect(stdout).toContain('reached');
    expect(stdout).not.toContain('dbus');
  });

  it('cannot reach the network, by address or by name', async () => {
    const server = createServer((socket) => socket.end('reached'));
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
    });
    try {
      const { stdout } = await runScript(
        fixture,
        `(exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3) 2>/dev/null || echo no tcp
         (echo x > /dev/udp/192.0.2.1/53) 2>/dev/null || echo no udp
         ${process.execPath} -e 'require("net").connect(${port}, "127.0.0.1").on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))'
         ${process.execPath} -e 'require("dns").lookup("example.com", (e) => console.log(e ? "no name" : "name"))'
         tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '`,
      );
      expect(stdout).toBe('no tcp\nno udp\nECONNREFUSED\nno name\nlo\n');
    } finally {
      server.close();
    }
  });

  it.each(bindings)('cannot reach a unix socket of another program: %s', async (how) => {
    const daemon = await unixDaemon(fixture, how);
    const { stdout } = await runScript(fixture, `${daemon.connecting}; ls -A /run /var/run/ | grep -v :`);
    daemon.stop();
    expect(stdout.trim()).toBe('EAFNOSUPPORT');
  });

  it('cannot change hooks or configuration of a nested repository, or settings of an editor', async () => {
    const held = ['sub/nested/.git/config', 'sub/nested/.git/hooks/sample'].map((name) =>
      fixture.write(join(fixture.workspace, name), 'untouched'),
    );
    const { stdout } = await runScript(
      fixture,
      `cd sub/nested; echo broken > .git/config; echo broken > .git/hooks/post-checkout; mv .git g; echo fine > .git/index
       mkdir -p ../../.vscode; (echo broken > ../../.vscode/tasks.json) 2>/dev/null || echo held`,
    );
    expect(stdout.trim()).toBe('held');
    for (const path of held) expect(readFileSync(path, 'utf8')).toBe('untouched');
    expect(readdirSync(join(fixture.workspace, 'sub/nested/.git')).sort()).toEqual([
      'config',
      'hooks',
      'index',
    ]);
    expect(readdirSync(join(fixture.workspace, 'sub/nested/.git/hooks'))).toEqual(['sample']);
  });

  it('can use socket pairs to talk to its children', async () => {
    const { stdout } = await runScript(
      fixture,
      `${process.execPath} -e 'require("child_process").spawn(process.execPath, ["-e", "process.send(1)"], { stdio: ["ignore", "inherit", "inherit", "ipc"] }).on("message", () => console.log("answered"))'`,
    );
    expect(stdout.trim()).toBe('answered');
  });

  it.runIf(compiler)(
    'cannot use ptrace, create namespaces or make other dangerous system calls',
    async () => {
      const program = fixture.write(join(fixture.base, 'doors.c'), DOORS);
      const binary = join(fixture.base, 'doors');
      execFileSync(compiler ?? '', ['-o', binary, program]);
      const { stdout } = await runSandboxed(fixture, { command: binary });
      expect(stdout.trim().split('\n')).toEqual([
        'ptrace 1',
        'process_vm_readv 1',
        'keyctl 1',
        'bpf 1',
        'userfaultfd 1',
        'mount 1',
        'unshare 1',
        'clone newuser 1',
        'clone3 38',
        'io_uring_setup 38',
        'vsock 97',
        'x32 getpid 38',
        'fork 0',
      ]);
    },
  );

  it.runIf(canLimit(user))('is limited when it is a fork bomb', async () => {
    const bomb = `
      const { spawn } = require('child_process');
      let refused = 0, started = 0;
      for (let i = 0; i < 600; i++) {
        const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
        child.on('error', () => {});
        if (child.pid) started++; else refused++;
      }
      console.log(refused > 0 && started < 400 ? 'held' : 'started ' + started);
      process.exit(0);`;
    const { stdout } = await runSandboxed(fixture, {
      command: process.execPath,
      args: ['-e', bomb],
      policy: { limits: { maxProcesses: 60 } },
    });
    expect(stdout).toBe('held\n');
  });

  it('is limited in the size of files', async () => {
    const { exitCode } = await runScript(fixture, 'head -c 2000000 /dev/zero > big', {
      policy: { limits: { maxProcesses: 100, maxFileBytes: 1_000_000 } },
    });
    expect(exitCode).not.toBe(0);
    expect(readFileSync(join(fixture.workspace, 'big')).length).toBe(1_000_448);
  });

  it('ends with all its processes when we are killed, and is cleaned up at the next start', async () => {
    const script = 'setsid sleep 1000 & (sleep 1000 &) ; echo started; sleep 1000';
    const { exitCode } = await runScript(fixture, script, { killAt: 'started' });
    expect(exitCode).toBeNull();
    expect(readdirSync(fixture.workspace).sort()).toEqual(['.gemini', '.git', '.vscode']);
    await runScript(fixture, 'true');
    expect(readdirSync(fixture.workspace)).toEqual([]);
  });

  it('reaches the network only through the proxy, which names hosts that are not listed', async () => {
    const { stdout, exitCode } = await runSandboxed(fixture, {
      command: process.execPath,
      args: ['-e', ASK, 'http://other.test/', 'http://127.0.0.1:9/'],
      policy: { network: { allowHosts: ['127.0.0.1'] } },
    });
    expect(exitCode).toBe(0);
    expect(stdout.split('\n')).toEqual([
      '403 The sandbox does not allow connections to other.test. It is not on the list of hosts.',
      '403 The sandbox does not allow connections to 127.0.0.1: 127.0.0.1 is a private address.',
      'direct ENETUNREACH',
      '',
    ]);
  });

  it('does not run when bubblewrap only pretends to isolate', async () => {
    const liar = fixture.write(
      join(fixture.base, 'bwrap'),
      '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n',
    );
    execFileSync('chmod', ['755', liar]);
    const { refused } = await runScript(fixture, 'touch ran', { options: { bwrap: liar } });
    expect(refused).toContain('it does not isolate: a read-only file was written');
    expect(readdirSync(fixture.workspace)).toEqual([]);
  });

  it('is refused with a remedy when the kernel allows no user namespaces', async () => {
    // The real bubblewrap, in a sandbox in which the kernel refuses to make another.
    const denied = fixture.write(
      join(fixture.base, 'bwrap'),
      '#!/bin/sh\nexec bwrap --unshare-user --disable-userns --dev-bind / / bwrap --unshare-user "$@"\n',
    );
    execFileSync('chmod', ['755', denied]);
    const { refused } = await runScript(fixture, 'touch ran', { options: { bwrap: denied } });
    expect(refused).toContain('the kernel does not allow user namespaces');
    expect(refused).toContain('sysctl');
    expect(readdirSync(fixture.workspace)).toEqual([]);
  });
});

describe.runIf(canRun)('the Linux sandbox in this process', () => {
  let fixture: SandboxFixture;
  beforeEach(() => {
    fixture = makeSandboxFixture({ name: 'the user who runs the tests' });
  });
  afterEach(() => fixture.remove());

  const manager = () =>
    new LinuxSandboxManager({
      variables: process.env,
      stateDirectory: join(fixture.base, 'state'),
      proxy: { resolve: async () => ['127.0.0.1'], isPrivate: () => false },
    });
  const request = (command: string, args: string[], network: NetworkAccess = 'off') => ({
    command,
    args,
    cwd: fixture.workspace,
    env: { PATH: process.env['PATH'] },
    policy: {
      workspace: [fixture.workspace],
      readOnlyPaths: [],
      writablePaths: [],
      forbiddenPaths: [],
      network,
      workspaceWritable: true,
      allowGitWrites: false,
      limits: DEFAULT_LIMITS,
    },
  });

  it('lets a command reach the listed hosts', async () => {
    const server = createHttpServer((incoming, response) => response.end(`hello ${incoming.url}`));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const args = ['-e', ASK, `http://api.test:${port}/path`];
    const wrapped = await manager().wrap(request(process.execPath, args, { allowHosts: ['*.test'] }));
    const { stdout } = await runProcess(wrapped.command, wrapped.args, { env: wrapped.env });
    await wrapped.cleanup();
    server.close();
    expect(stdout).toBe('200 hello /path\ndirect ENETUNREACH\n');
  });

  it('keeps the protection of a command when an earlier one ends', async () => {
    const first = await manager().wrap(request('true', []));
    const second = await manager().wrap(
      request('bash', ['-c', 'mkdir -p .gemini/x 2>/dev/null || echo refused']),
    );
    await first.cleanup();
    const { stdout } = await runProcess(second.command, second.args, { env: second.env });
    await second.cleanup();
    expect(stdout).toBe('refused\n');
    expect(readdirSync(fixture.workspace)).toEqual([]);
  });

  it('refuses the whole disk or a missing folder as a workspace', async () => {
    for (const workspace of ['/', join(fixture.base, 'absent')]) {
      const asked = request('true', []);
      const policy = { ...asked.policy, workspace: [workspace] };
      await expect(manager().wrap({ ...asked, policy })).rejects.toThrow(SandboxError);
    }
  });

  it('says so when bubblewrap is not installed', async () => {
    const check = await new LinuxSandboxManager({
      variables: process.env,
      stateDirectory: join(fixture.base, 'state'),
      bwrap: join(fixture.base, 'no-bwrap'),
    }).check();
    expect(check).toMatchObject({ ok: false, reason: expect.stringContaining('not installed') });
  });
});

describe('the process limit of root', () => {
  it('is set only where it does not apply to the whole machine', () => {
    const releases = ['5.15.0-91-generic', '6.8.0-45', '6.14.0', '6.18.44-fc', '7.0.1', 'odd'];
    expect(releases.map(hasOwnHighestId)).toEqual([false, false, true, true, true, false]);
    expect(['4.18.0-553.el8', '5.14.0-1', '6.1'].map(countsPerSandbox)).toEqual([false, true, true]);
  });
});

/** The kernel must be able to; see limits.ts. */
function canLimit({ uid = process.getuid?.() }: { uid?: number }): boolean {
  return uid === 0 ? hasOwnHighestId(release()) : countsPerSandbox(release());
}

/** Requests each argument through the proxy, then tries to bypass it. */
const ASK = `
const http = require('http');
const { hostname, port } = new URL(process.env.HTTP_PROXY);
(async () => {
  for (const url of process.argv.slice(1)) {
    await new Promise((done) => http.get({ hostname, port, path: url }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => (text += chunk));
      answer.on('end', () => { console.log(answer.statusCode, text.trim()); done(); });
    }));
  }
  require('net').connect(80, '192.0.2.1').on('error', (error) => console.log('direct', error.code));
})();
`;

/** Prints the error number of each call. */
const DOORS = `
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static void say(const char *name, long result) { printf("%s %d\\n", name, result < 0 ? errno : 0); fflush(stdout); }
int main(void) {
  say("ptrace", ptrace(PTRACE_TRACEME, 0, 0, 0));
  say("process_vm_readv", syscall(SYS_process_vm_readv, getppid(), 0, 0, 0, 0, 0));
  say("keyctl", syscall(SYS_keyctl, 0, -3, 1, 0, 0));
  say("bpf", syscall(SYS_bpf, 0, 0, 0));
  say("userfaultfd", syscall(SYS_userfaultfd, 0));
  say("mount", syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, 0));
  say("unshare", unshare(CLONE_NEWUSER));
  say("clone newuser", syscall(SYS_clone, CLONE_NEWUSER | 17, 0, 0, 0, 0));
  say("clone3", syscall(435, 0, 0));
  say("io_uring_setup", syscall(425, 1, 0));
  say("vsock", socket(40, SOCK_STREAM, 0));
#ifdef __x86_64__
  say("x32 getpid", syscall(0x40000000 | SYS_getpid));
#else
  printf("x32 getpid 38\\n"); fflush(stdout);
#endif
  pid_t child = fork();
  if (child == 0) _exit(0);
  say("fork", child);
  waitpid(child, 0, 0);
  return 0;
}
`;
