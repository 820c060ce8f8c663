/** Runs hostile commands in containment, without the policy check: none may change a file outside. */
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Containment } from '../../../protocol/confirmation.js';
import { findProgram } from '../../process/find-program.js';
import { LEAST_ABI } from '../landlock/launcher.js';
import {
  makeSandboxFixture,
  runScript,
  type SandboxFixture,
  TEST_USERS,
  type TestUser,
} from '../sandboxed-run.test-helper.js';
import { bindings, unixDaemon } from '../unix-daemon.test-helper.js';

vi.setConfig({ testTimeout: 60_000 });

const template = tempDir();
makeRepository(join(template.path, 'planted'));
afterAll(() => template.cleanup());

const isLinux = process.platform === 'linux';
const hasBwrap = isLinux && findProgram('bwrap', process.env['PATH']) !== undefined;
const perl = findProgram('perl', undefined);
const version =
  isLinux && perl ? execFileSync(perl, ['-e', 'print syscall(444, 0, 0, 1)'], { encoding: 'utf8' }) : '';
const hasLandlock = Number(version) >= LEAST_ABI;
const KINDS: readonly Containment[] = ['read-only', 'workspace'];
const CASES = TEST_USERS.flatMap((user) => [
  ...(hasBwrap ? KINDS.map((kind) => ({ user, kind, who: user.name, landlock: false })) : []),
  ...(hasLandlock ? [{ user, kind: KINDS[0] ?? 'read-only', who: user.name, landlock: true }] : []),
]);

describe.each(CASES)(
  'a contained command ($kind, as $who, Landlock $landlock)',
  ({ user, kind, landlock }) => {
    let fixture: SandboxFixture;
    let before: string;
    beforeEach(() => {
      fixture = hostileGround(user);
      before = fingerprint(fixture, kind);
    });
    afterEach(() => fixture.remove());
    const attack = (script: string, env?: Record<string, string>) =>
      runScript(fixture, script, {
        containment: kind,
        options: { landlock },
        env: { OUT: fixture.base, ...env },
      });

    it.each(Object.entries(WRITES))('changes no file outside its limits: %s', async (_, script) => {
      const { refused } = await attack(script);
      expect(refused).toBeUndefined();
      expect(fingerprint(fixture, kind)).toBe(before);
    });

    it('cannot read secrets of the home, the workspace or our own process', async () => {
      const { stdout } = await attack(
        `cat ~/.ssh/id ~/.pgpass ~/.gemini/oauth_creds.json .env sub/.env.local 2>&1
       cat /proc/[0-9]*/environ 2>&1 | tr '\\0' '\\n'; env
       cat /proc/1/root$OUT/home/.ssh/id /proc/self/root$OUT/home/.ssh/id /proc/self/cwd/.env
       grep -ra . ~ . 2>&1`,
        { GEMINI_API_KEY: 'TOP SECRET', MY_PASSWORD: 'TOP SECRET' },
      );
      expect(stdout).not.toContain('TOP SECRET');
      expect(stdout).toContain('PATH=');
    });

    it('cannot reach a port of this machine', async () => {
      const { server, connections } = await countingServer(0);
      const { port } = server.address() as { port: number };
      await attack(
        `(echo x > /dev/tcp/127.0.0.1/${port}) 2>/dev/null; (echo x > /dev/udp/127.0.0.1/${port}) 2>/dev/null
       ${process.execPath} -e 'require("net").connect(${port}, "127.0.0.1").on("error", () => {})'
       ${process.execPath} -e 'require("net").connect(${port}, "::ffff:127.0.0.1").on("error", () => {})'`,
      );
      server.close();
      expect(connections()).toBe(0);
    });

    it.each(bindings)('cannot reach a unix socket: %s', async (how) => {
      const daemon = await unixDaemon(fixture, how);
      const { stdout } = await attack(daemon.connecting);
      daemon.stop();
      expect(stdout.trim()).toBe('EAFNOSUPPORT');
    });

    it('cannot signal or read a process outside', async () => {
      // Leads a group of its own: where the attack succeeds, it hits nothing else.
      const victim = spawn('sleep', ['60'], { uid: user.uid, gid: user.uid, detached: true });
      await attack(
        `kill -9 ${victim.pid}; kill -9 -${victim.pid}; cat /proc/${victim.pid}/cmdline
       perl -e 'syscall(101, 16, ${victim.pid}, 0, 0)'`,
      );
      expect(victim.exitCode ?? victim.signalCode).toBeNull();
      victim.kill('SIGKILL');
    });

    it('leaves no process behind, however it hides', async () => {
      const mark = `canary-${fixture.base.split('-').at(-1)}`;
      await attack(
        `(setsid bash -c 'exec -a ${mark} sleep 300' >/dev/null 2>&1 &) ; nohup bash -c 'exec -a ${mark} sleep 300' >/dev/null 2>&1 &
       disown -a; true`,
      );
      await expect.poll(() => processesNamed(mark), ENDED).toEqual([]);
    });

    it('is killed with all its processes when it is a fork bomb', async () => {
      const mark = `bomb-${fixture.base.split('-').at(-1)}`;
      // It stops doubling by itself, far above the limit: on a busy machine, where the limit may act late, an endless
      // one would take every process id.
      await attack(
        `bomb() { bash -c 'exec -a ${mark} sleep 300' & [ $1 = 0 ] || { bomb $(($1 - 1)) & bomb $(($1 - 1)) & }; wait; }
       (sleep 1; kill -9 0) & bomb 9 2>/dev/null`,
      );
      await expect.poll(() => processesNamed(mark), ENDED).toEqual([]);
    });

    it('cannot fill the disk with one file', async () => {
      if (kind === 'read-only') {
        const { stderr } = await attack(
          'dd if=/dev/zero of=/tmp/big bs=1M count=10; dd if=/dev/zero of=/dev/shm/big bs=1M count=1',
        );
        expect(stderr.match(/Read-only file system|Permission denied/g)).toHaveLength(2);
        return;
      }
      // A sparse file: only the permitted offset matters.
      const { exitCode } = await attack('dd if=/dev/zero of=big bs=1 count=1 seek=2G 2>/dev/null');
      expect(exitCode).not.toBe(0);
      expect(
        existsSync(join(fixture.workspace, 'big')) ? statSync(join(fixture.workspace, 'big')).size : 0,
      ).toBe(0);
    });

    it('cannot create a set-user-ID file', async () => {
      await attack(
        'cp /bin/true own; chmod u+s own; install -m 4755 /bin/true own2; perl -e "open F, q(>), q(f); chmod 04755, q(f)"',
      );
      for (const name of readdirSync(fixture.workspace)) {
        expect(statSync(join(fixture.workspace, name)).mode & 0o4000, name).toBe(0);
      }
    });
  },
);

/** Each must fail to change what the fingerprint covers. */
const WRITES = {
  'files outside':
    'echo broken > $OUT/canary; echo broken >> ~/.bashrc; rm -rf ~ $OUT/outside; mkdir $OUT/new',
  'temporary files':
    'echo broken > /tmp/gemini-canary-$$; echo broken > /var/tmp/gemini-canary-$$; ls /tmp /var/tmp | grep gemini-canary-$$ > $OUT/outside/leak',
  'hooks and settings':
    'echo broken > .git/hooks/pre-commit; git config core.fsmonitor ./x; mkdir -p .gemini .vscode; echo broken > .gemini/settings.json; echo broken > .vscode/tasks.json',
  'programs of the project':
    'echo broken > node_modules/p/index.js; rm -rf node_modules; mkdir -p node_modules/q',
  'nested repositories':
    'echo broken > sub/nested/.git/hooks/post-checkout; echo broken >> sub/nested/.git/config; mv sub/nested/.git sub/nested/g; echo broken > bare/config; mkdir -p bare/hooks',
  'protected paths by way of their parents':
    'mv .git gone-git; mv sub/nested/.git sub/g; rm -rf .git .gemini .vscode; ln -s /tmp .gemini; ln -sfn $OUT/outside node_modules',
  'links and hard links':
    'ln .git/config stolen && echo broken >> stolen; ln -s .git/hooks h && echo broken > h/post-commit; ln $OUT/canary c && echo broken > c',
  'the kernel':
    'echo 300 > /proc/sys/kernel/pid_max; echo b > /proc/sysrq-trigger; echo x > /sys/power/state; echo "|/bin/true" > /proc/sys/kernel/core_pattern; mount -o remount,rw /; mount --bind $OUT .; unshare -m true; chroot /',
  'through /proc':
    'echo broken > /proc/self/root$OUT/canary; echo broken > /proc/1/root$OUT/canary; echo broken > /proc/self/cwd/.git/config; for fd in /proc/*/fd/*; do echo broken > $fd; done',
  'a repository that brings programs': `cd $OUT/outside/planted; git log -p; git diff; git show; git status; PATH=$PWD:$PATH canary-program; ./canary-program`,
  'whatever a script of its own does': `perl -e 'open(F, ">", "$ENV{OUT}/canary"); print F "broken"; unlink "$ENV{OUT}/canary"; rename "$ENV{OUT}/outside", "$ENV{OUT}/x"'; python3 -c 'open("'$OUT'/canary","w").write("broken")'`,
};

function hostileGround(user: TestUser): SandboxFixture {
  const fixture = makeSandboxFixture(user, '/var/tmp/gemini-hostile-');
  const inside = (name: string) => join(fixture.workspace, name);
  fixture.write(join(fixture.base, 'canary'), 'untouched');
  fixture.write(join(fixture.base, 'outside', 'file'), 'untouched');
  for (const name of ['.ssh/id', '.pgpass', '.gemini/oauth_creds.json'])
    fixture.write(join(fixture.home, name), 'TOP SECRET');
  for (const name of ['.env', 'sub/.env.local']) fixture.write(inside(name), 'TOP SECRET');
  fixture.write(inside('.git/config'), '[core]\n\trepositoryformatversion = 0\n');
  fixture.write(inside('.git/HEAD'), 'ref: refs/heads/main\n');
  for (const name of ['.git/hooks/sample', '.git/objects/x', '.git/refs/x']) fixture.write(inside(name), '');
  fixture.write(inside('node_modules/p/index.js'), 'untouched');
  fixture.write(inside('sub/nested/.git/config'), 'untouched');
  fixture.write(inside('sub/nested/.git/hooks/sample'), '');
  for (const name of ['HEAD', 'config', 'objects/x', 'refs/x'])
    fixture.write(inside(`bare/${name}`), 'untouched');
  plantRepository(fixture);
  return fixture;
}

/** A copy whose program attacks this fixture. */
function plantRepository(fixture: SandboxFixture): void {
  const directory = join(fixture.base, 'outside', 'planted');
  execFileSync('cp', ['-a', join(template.path, 'planted'), directory]);
  const program = `#!/bin/sh\necho broken > ${fixture.base}/canary\necho broken > ${fixture.workspace}/.git/hooks/x\n`;
  writeFileSync(join(directory, 'canary-program'), program);
  if (fixture.user.uid !== undefined) execFileSync('chown', ['-R', String(fixture.user.uid), directory]);
}

/** Git runs the diff and textconv programs of its configuration. */
function makeRepository(directory: string): void {
  mkdirSync(directory);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: directory,
      stdio: 'ignore',
    });
  writeFileSync(join(directory, 'canary-program'), '');
  chmodSync(join(directory, 'canary-program'), 0o755);
  git('init', '-q');
  writeFileSync(join(directory, '.gitattributes'), '*.txt diff=d\n');
  writeFileSync(join(directory, 'a.txt'), 'one');
  git('add', '.');
  git('commit', '-qm', 'first');
  writeFileSync(join(directory, 'a.txt'), 'two');
  for (const key of ['diff.d.textconv', 'diff.external', 'core.fsmonitor', 'core.pager'])
    git('config', key, './canary-program');
}

/** Hashes all files that may not change; in a writable workspace, its protected paths. */
function fingerprint({ base, workspace }: SandboxFixture, kind: Containment): string {
  const all = execFileSync(
    'find',
    [
      base,
      '-not',
      '-name',
      'driver.cjs',
      '-type',
      'f',
      '-not',
      '-path',
      '*/tmp/sandbox/*',
      '-exec',
      'md5sum',
      '{}',
      '+',
    ],
    {
      encoding: 'utf8',
    },
  );
  const names = execFileSync('find', [base, '-printf', '%y %p\\n'], { encoding: 'utf8' });
  const isHeld = (line: string) =>
    !/driver\.cjs|\/home\/\.gemini\/tmp/.test(line) &&
    (kind === 'read-only' ||
      !line.includes(workspace) ||
      /\/(\.git|\.gemini|\.vscode|node_modules|bare|\.env[^/]*)(\/|$)/.test(line));
  return `${all}${names}`.split('\n').filter(isHeld).sort().join('\n');
}

/** The kernel ends killed processes in its own time; left alone they would sleep much longer. */
const ENDED = { timeout: 10_000 };

function processesNamed(name: string): string[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(name);
      } catch {
        return false;
      }
    });
}

async function countingServer(port: number): Promise<{ server: Server; connections: () => number }> {
  let count = 0;
  const server = createServer((socket) => {
    count++;
    socket.end();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { server, connections: () => count };
}
