import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  callTool,
  mountNamespace,
  runTool,
  type TestRig,
  testRig,
  text,
  toolResponses,
} from '../test-utils.js';

const PROGRAM = 'bwrap';

/** Without bubblewrap these tests are skipped. */
beforeAll(() => {
  const { error } = spawnSync(PROGRAM, ['--version'], { stdio: 'ignore' });
  if (error) throw new Error(`bubblewrap is missing: install the package "bubblewrap". ${error.message}`);
});

/** In a script file: rules judge the command line, the sandbox limits what it does. */
async function attack(rig: TestRig, script: string, mode?: string): Promise<string> {
  rig.write('attack.sh', `${script}\ntouch ran\n`);
  const { answer } = await runTool(rig, 'run_shell_command', { command: 'bash attack.sh' }, mode);
  const text = answer.output ?? answer.error ?? '';
  expect(rig.exists('ran'), text).toBe(true);
  return text;
}

const SANDBOXED = { security: { toolSandboxing: true } };

describe('A sandboxed command cannot change files that decide what others run (attack 10)', () => {
  const REPOSITORY = {
    '.git/config': '[core]\n',
    '.git/hooks/pre-commit': 'old',
    '.git/HEAD': 'ref: refs/heads/main\n',
  };
  const SETTINGS = { '.gemini/settings.json': '{}' };

  it.each([
    ['writes a hook', 'echo evil > .git/hooks/pre-commit'],
    ['adds a hook', 'echo evil > .git/hooks/post-checkout'],
    ['writes the configuration', 'echo evil >> .git/config'],
    ['writes the configuration by git', 'git config core.fsmonitor evil'],
    ['replaces the configuration', 'echo evil > new; mv -f new .git/config'],
    ['moves the repository away', 'mv .git old; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit'],
    ['removes the repository', 'rm -rf .git; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit'],
    ['hides the repository behind a link', 'mkdir -p e/hooks; rm -rf .git; ln -s e .git'],
    ['writes settings', 'echo evil > .gemini/settings.json'],
    ['adds settings', 'mkdir -p .gemini/policies; echo evil > .gemini/policies/all.toml'],
    [
      'moves settings away',
      `node -e "require('fs').renameSync('.gemini', 'old')"; mkdir .gemini; echo evil > .gemini/settings.json`,
    ],
    ['mounts over them', 'mount -t tmpfs none .gemini && echo evil > .gemini/settings.json; umount .gemini'],
  ])('which exist: %s', async (_name, command) => {
    const files = { ...REPOSITORY, ...SETTINGS };
    const rig = await testRig({ settings: SANDBOXED, files });
    await attack(rig, command);
    for (const [path, content] of Object.entries(files)) expect(rig.read(path), path).toBe(content);
    for (const path of ['.git/hooks/post-checkout', '.gemini/policies'])
      expect(rig.exists(path), path).toBe(false);
  });

  it.each([
    ['creates a hook', 'mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit'],
    ['creates a repository', 'git init .; git config core.fsmonitor evil'],
    ['creates a repository by a file', 'echo "gitdir: /var/tmp" > .git'],
    [
      'creates one after removing what stands there',
      'rmdir .git; mkdir -p .git/hooks; echo evil > .git/config',
    ],
    ['creates settings', 'mkdir -p .gemini; echo evil > .gemini/settings.json'],
    ['creates settings behind a link', 'mkdir e; echo evil > e/settings.json; ln -s e .gemini'],
    [
      'leaves a job that creates them later',
      '(setsid bash -c "while :; do mkdir -p .gemini .git/hooks; touch .gemini/settings.json; done" &) 2>/dev/null',
    ],
  ])('which do not exist yet: %s', async (_name, command) => {
    const rig = await testRig({ settings: SANDBOXED });
    await attack(rig, command);
    expect([rig.exists('.git'), rig.exists('.gemini')]).toEqual([false, false]);
  });
});

/** Servers outside, and who connected to them. */
interface Listeners {
  port: number;
  udpPort: number;
  socket: string;
  abstract: string;
  visits: string[];
}

/** In the workspace, which is below /tmp: sandboxes of other tests do not see the socket. */
async function listen(rig: TestRig): Promise<Listeners> {
  const visits: string[] = [];
  const [tcp, unix, abstract] = ['tcp', 'unix socket', 'abstract socket'].map((name) =>
    createServer((connection) => {
      visits.push(name);
      connection.end('welcome');
    }),
  );
  const udp = createSocket('udp4', () => visits.push('udp'));
  if (!tcp || !unix || !abstract) throw new Error('unreachable: three names were given');
  onTestFinished(() => {
    for (const server of [tcp, unix, abstract]) server.close();
    udp.close();
  });
  const socket = rig.path('docker.sock');
  const name = `gemini-${process.pid}-${Date.now()}`;
  await new Promise<void>((done) => tcp.listen(0, '127.0.0.1', done));
  await new Promise<void>((done) => udp.bind(0, '127.0.0.1', done));
  await new Promise<void>((done) => unix.listen(socket, done));
  await new Promise<void>((done) => abstract.listen(`\0${name}`, done));
  // Sockets of the last moments may disappear before they are covered; they are not covered then.
  utimesSync(socket, 1, 1);
  const { port } = tcp.address() as AddressInfo;
  return { port, udpPort: udp.address().port, socket, abstract: name, visits };
}

const node = (script: string) => `node -e "${script}.on('error', console.log)"`;

describe('Egress of a sandboxed command (attack 11)', () => {
  const WAYS: [string, (listeners: Listeners) => string][] = [
    ['curl', ({ port }) => `curl -sS -m 5 http://127.0.0.1:${port}/`],
    ['node', ({ port }) => node(`require('net').connect(${port}, '127.0.0.1')`)],
    ['/dev/tcp', ({ port }) => `(exec 3<>/dev/tcp/127.0.0.1/${port}; cat <&3)`],
    ['ssh', ({ port }) => `ssh -o BatchMode=yes -o ConnectTimeout=5 -p ${port} 127.0.0.1 true`],
    [
      'DNS',
      ({ udpPort }) =>
        node(
          `const r=new (require('dns').Resolver)({timeout:200,tries:1}); r.setServers(['127.0.0.1:${udpPort}']); r.resolve('a.example', console.log); process`,
        ),
    ],
    ['/dev/udp', ({ udpPort }) => `echo secret > /dev/udp/127.0.0.1/${udpPort}`],
    ['a unix socket named like that of docker', ({ socket }) => node(`require('net').connect('${socket}')`)],
    ['an abstract socket', ({ abstract }) => node(`require('net').connect('\\\\0${abstract}')`)],
    [
      'a new network namespace',
      ({ port }) => `nsenter -t 1 -n curl -m 5 http://127.0.0.1:${port}/; unshare -rn true`,
    ],
  ];

  it.each(WAYS)('by %s reaches no server', async (_name, commandFor) => {
    const rig = await testRig({ settings: { ...SANDBOXED, tools: { allowed: ['run_shell_command'] } } });
    const listeners = await listen(rig);
    await attack(rig, commandFor(listeners), 'default');
    expect(listeners.visits).toEqual([]);
  });

  it.each(
    WAYS.filter(
      ([name]) =>
        ['node', '/dev/tcp', '/dev/udp', 'DNS', 'an abstract socket'].includes(name) ||
        name.startsWith('a unix'),
    ),
  )('by %s would reach a server without the sandbox, so the test works', async (_name, commandFor) => {
    const rig = await testRig();
    const listeners = await listen(rig);
    await attack(rig, commandFor(listeners));
    await expect.poll(() => listeners.visits.length, { timeout: 5000 }).toBeGreaterThan(0);
  });

  it('finds neither sockets of the machine nor variables that name them', async () => {
    const rig = await testRig({
      settings: { ...SANDBOXED, tools: { allowed: ['run_shell_command'] } },
      env: { DOCKER_HOST: 'unix:///run/docker.sock', SSH_AUTH_SOCK: '/run/agent' },
    });
    const command = 'ls -A /run/ /var/run/ | grep -i sock; echo "<$DOCKER_HOST$SSH_AUTH_SOCK>"';
    expect(await attack(rig, command, 'default')).toContain('Output: <>\n');
  });

  it('is possible where the settings allow the network, as are writes to allowed paths', async () => {
    const outside = mkdtempSync('/var/tmp/gemini-outside-');
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
    const file = join(outside, 'file');
    const tools = {
      allowed: ['run_shell_command'],
      sandboxNetworkAccess: true,
      sandboxAllowedPaths: [outside],
    };
    const rig = await testRig({ settings: { ...SANDBOXED, tools } });
    const { port, visits } = await listen(rig);
    await attack(rig, `exec 3<>/dev/tcp/127.0.0.1/${port}; cat <&3; echo x > ${file}`, 'default');
    expect(visits).toEqual(['tcp']);
    expect(readFileSync(file, 'utf8')).toBe('x\n');
  });

  it('tells the model which permission is missing', async () => {
    const rig = await testRig({ settings: { ...SANDBOXED, tools: { allowed: ['run_shell_command'] } } });
    const answer = await attack(rig, 'touch ran; exec 3<>/dev/tcp/192.0.2.1/80 || exit 1', 'default');
    expect(answer).toMatch(/Network is unreachable.*needs: network access\. The user is not asked/s);
  });
});

/** Replaces bubblewrap with another program. */
function fakeBwrap(rig: TestRig, script: string): Record<string, string> {
  const folder = join(rig.home, 'programs');
  mkdirSync(folder);
  writeFileSync(join(folder, 'bwrap'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: `${folder}:${process.env['PATH']}` };
}

const PASS_THROUGH = 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"';
const LIE = `echo secret=; echo pid=1; echo net=2; echo mnt=3; echo seccomp=2; echo privileges=1; echo capabilities=0000; echo end=1`;

describe('A machine that cannot isolate (attack 12)', () => {
  async function runWithout(rig: TestRig, options: { env?: Record<string, string>; under?: string[] }) {
    rig.model.replies([callTool('run_shell_command', { command: 'touch ran' })], [text('done')]);
    const run = await rig.cli('-p', 'go on', '--approval-mode', 'yolo', options);
    expect(run.exitCode, run.stderr).toBe(0);
    const [answer] = toolResponses(rig);
    return answer?.response.error ?? `not an error: ${answer?.response.output}`;
  }

  it.each([
    ['runs the command as it is', PASS_THROUGH, /does not isolate/],
    ['does nothing', 'exit 0', /could not start a command/],
    ['says what we want to hear', LIE, /does not isolate: the workspace could not be written/],
    ['says so and runs the command as well', `${LIE}; ${PASS_THROUGH}`, /does not isolate/],
    [
      'is refused by the kernel',
      'echo "bwrap: No permissions to create new namespace" >&2; exit 1',
      /user namespaces/,
    ],
  ])('because bwrap %s runs nothing and says so', async (_name, script, reason) => {
    const rig = await testRig({ settings: SANDBOXED });
    const error = await runWithout(rig, { env: fakeBwrap(rig, script) });
    expect(error).toMatch(/^The command was not run/);
    expect(error).toMatch(reason);
    expect(error).toContain('security.toolSandboxing');
    expect(rig.exists('ran')).toBe(false);
  });

  it('because bwrap is missing runs nothing and says how to install it', async () => {
    const rig = await testRig({ settings: SANDBOXED });
    const script =
      'for file in $(type -ap bwrap | xargs -n1 realpath | sort -u); do mount --bind /dev/null "$file"; done; exec "$@"';
    const error = await runWithout(rig, { under: [...mountNamespace(), 'bash', '-c', script, 'bash'] });
    expect(error).toMatch(/not run.*bwrap\) is not installed.*Install it/s);
    expect(rig.exists('ran')).toBe(false);
  });

  it('because the kernel allows no namespaces runs nothing and says so', async () => {
    const rig = await testRig({ settings: SANDBOXED });
    const script = 'echo 0 > /proc/sys/user/max_pid_namespaces; exec "$@"';
    const error = await runWithout(rig, { under: ['unshare', '-r', 'bash', '-c', script, 'bash'] });
    expect(error).toMatch(/not run.*cannot be sandboxed/s);
    expect(rig.exists('ran')).toBe(false);
  });

  it('runs commands without a sandbox when sandboxing is disabled', async () => {
    const rig = await testRig();
    await runTool(rig, 'run_shell_command', { command: 'touch ran' });
    expect(rig.exists('ran')).toBe(true);
  });
});
