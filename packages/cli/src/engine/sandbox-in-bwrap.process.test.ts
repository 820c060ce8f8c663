/** The program in real bubblewrap, as the user of this run and as an ordinary user. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { tomlPlugin } from '../../../../scripts/toml-plugin.mjs';
import { bundleDriver, RELAUNCH } from './sandbox-relaunch.test-helper.js';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

/** Inside, the driver does what its arguments say; outside, it starts itself in the sandbox. */
const DRIVER = `
import { createContainer } from '../../../core/src/platform/sandbox/create-container.js';
import { createSandboxManager } from '../../../core/src/platform/sandbox/create-manager.js';
const [what, ...rest] = process.argv.slice(2);
const fs = require('node:fs');
const net = require('node:net');
const attempt = (work) => { try { work(); return 'ok'; } catch (error) { return error.code; } };
const inside = {
  exit: () => process.exit(Number(rest[0])),
  cat: () => process.stdin.pipe(process.stdout),
  die: () => process.kill(process.pid, 'SIGKILL'),
  wait: () => {
    process.on('SIGTERM', () => { console.log('got term'); process.exit(9); });
    setInterval(() => {}, 1000);
    console.log('ready');
  },
  env: () => console.log(JSON.stringify(process.env)),
  write: () => console.log(JSON.stringify(rest.map((path) => attempt(() => fs.writeFileSync(path, 'new'))))),
  read: () => console.log(JSON.stringify(rest.map((path) => attempt(() => fs.readFileSync(path))))),
  list: () => console.log(JSON.stringify(fs.readdirSync(rest[0]))),
  processes: () => console.log(JSON.stringify(fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)))),
  connect: () => {
    const socket = net.connect(Number(rest[0]), '127.0.0.1');
    socket.on('connect', () => { console.log('connected'); socket.end(); });
    socket.on('error', (error) => console.log(error.code));
  },
  contain: async () => {
    const container = await createContainer({ variables: process.env });
    const sandbox = createSandboxManager({ variables: process.env });
    console.log(JSON.stringify([await container.check(), await sandbox.check()]));
  },
};
if (process.env.SANDBOX) void inside[what]();
else void start();
async function start() {
${RELAUNCH.replace("import { requestedSandbox } from './sandbox-relaunch.js';", "const { requestedSandbox } = await import('./sandbox-relaunch.js');")}
}
`;

const ORDINARY = 65534;
const users = process.getuid?.() === 0 ? [0, ORDINARY] : [process.getuid?.() ?? 0];

let bundle: string;
beforeAll(async () => {
  bundle = await bundleDriver(DRIVER, tomlPlugin);
});
afterAll(() => rmSync(bundle, { recursive: true }));

describe.each(users)('the program in bubblewrap as user %i', (uid) => {
  let base: string;
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'in-bwrap-')));
    for (const name of ['', 'work', 'home', 'home/.gemini', 'home/.ssh', 'tmp']) {
      mkdirSync(join(base, name), { recursive: true });
      chmodSync(join(base, name), 0o700);
      chownSync(join(base, name), uid, uid);
    }
    for (const file of ['home/.gemini/settings.json', 'home/.ssh/key', 'beside']) {
      writeFileSync(join(base, file), '{}');
      chownSync(join(base, file), uid, uid);
    }
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  interface Job {
    args: string[];
    setting?: unknown;
    input?: string;
    keyVariables?: string[];
    env?: Record<string, string>;
    onOutput?: (text: string, child: ChildProcess) => void;
  }

  async function run({ env = {}, onOutput, ...job }: Job) {
    const request = JSON.stringify({ flag: true, ...job });
    const child = spawn(process.execPath, [join(bundle, 'driver.cjs'), request], {
      cwd: join(base, 'work'),
      uid,
      gid: uid,
      env: {
        PATH: '/usr/bin:/bin',
        HOME: join(base, 'home'),
        TMPDIR: join(base, 'tmp'),
        SSH_AUTH_SOCK: '/somewhere',
        ...env,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      onOutput?.(stdout, child);
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.stdin.end('typed text');
    const exitCode = await new Promise((resolve) => child.once('close', resolve));
    return { stdout, stderr, exitCode };
  }
  const answer = async (job: Job) => {
    const { stdout, stderr } = await run(job);
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  };

  it('passes exit codes, stdin and signals, and leaves nothing behind', async () => {
    expect((await run({ args: ['exit', '7'] })).exitCode).toBe(7);
    expect((await run({ args: ['cat'] })).stdout).toBe('typed text');
    expect((await run({ args: ['cat'], input: 'read before' })).stdout).toBe('read before');
    expect((await run({ args: ['die'] })).exitCode).toBe(137);
    let isSent = false;
    const ended = await run({
      args: ['wait'],
      onOutput: (text, child) => {
        if (isSent || !text.includes('ready')) return;
        isSent = true;
        child.kill('SIGTERM');
      },
    });
    expect(ended).toEqual({ stdout: 'ready\ngot term\n', stderr: '', exitCode: 9 });
    expect(readdirSync(join(base, 'tmp'))).toEqual([]);
  });

  it('knows the sandbox, and gets the environment without ways to other programs', async () => {
    const env = await answer({ args: ['env'], env: { GEMINI_API_KEY: 'k', SANDBOX_ENV: 'A=1' } });
    expect(env).toMatchObject({ SANDBOX: 'bwrap', GEMINI_API_KEY: 'k', A: '1', TMPDIR: '/tmp' });
    expect(env).not.toHaveProperty('SSH_AUTH_SOCK');
  });

  it('gets no secrets but those that it needs to reach a model, and those of SANDBOX_ENV', async () => {
    const kept = {
      GEMINI_API_KEY: `AIzaSy${'a'.repeat(33)}`,
      GEMINI_DEFAULT_AUTH_TYPE: 'gemini-api-key',
      OPENAI_API_KEY: 'k',
      GOOGLE_CLOUD_PROJECT: 'p',
      GOOGLE_CLOUD_ACCESS_TOKEN: 't',
      OWN_PROVIDER_KEY: 'k',
      https_proxy: 'http://me:word@proxy:80',
      NODE_EXTRA_CA_CERTS: '/etc/hosts',
      GIT_AUTHOR_NAME: 'Me',
      EDITOR: 'vi',
    };
    const dropped = {
      AWS_SECRET_ACCESS_KEY: 'x',
      DATABASE_URL: 'postgres://db',
      NOTE: `ghp_${'a'.repeat(36)}`,
      NPM_TOKEN: 'x',
    };
    const env = await answer({
      args: ['env'],
      keyVariables: ['OPENAI_API_KEY', 'OWN_PROVIDER_KEY'],
      env: { ...kept, ...dropped, GITHUB_TOKEN: 'x', SANDBOX_ENV: 'GITHUB_TOKEN=x' },
    });
    expect(env).toMatchObject({ ...kept, GITHUB_TOKEN: 'x' });
    for (const name of Object.keys(dropped)) expect(env).not.toHaveProperty(name);
  });

  it('writes the project, its own state and a temporary directory of its own, and nothing else', async () => {
    const state = join(base, 'home/.gemini');
    await run({ args: ['exit', '0'] });
    const [id = ''] = readdirSync(join(state, 'history'));
    const writable = [join(base, 'work/a'), '/tmp/a', `${state}/tmp/${id}/a`, `${state}/history/${id}/a`];
    const closed = [
      `${state}/settings.json`,
      `${state}/trustedFolders.json`,
      `${state}/tmp/compile-cache`,
      '/etc/hosts',
    ];
    const results = await answer({ args: ['write', ...writable, ...closed] });
    expect(results.slice(0, 4)).toEqual(['ok', 'ok', 'ok', 'ok']);
    for (const code of results.slice(4)) expect(['EROFS', 'EACCES']).toContain(code);
    expect(readFileSync(join(base, 'work/a'), 'utf8')).toBe('new');
    expect(existsSync('/tmp/a')).toBe(false);
    await run({ args: ['write', join(base, 'home/x')] });
    expect(existsSync(join(base, 'home/x'))).toBe(false);
    // Hidden with the rest of the temporary directory.
    expect(await answer({ args: ['read', join(base, 'beside'), join(base, 'home/.ssh/key')] })).toEqual([
      'ENOENT',
      'ENOENT',
    ]);
  });

  it('mounts what SANDBOX_MOUNTS and the settings name', async () => {
    const files = [join(base, 'beside'), join(base, 'home/.ssh/key')];
    const setting = { enabled: true, allowedPaths: [join(base, 'home/.ssh')] };
    const env = { SANDBOX_MOUNTS: `${base}/beside::rw` };
    expect(await answer({ args: ['read', ...files], setting, env })).toEqual(['ok', 'ok']);
    const [beside, key] = await answer({ args: ['write', ...files], setting, env });
    expect([beside, key]).toEqual(['ok', 'EROFS']);
  });

  it('sees no processes outside', async () => {
    const processes: string[] = await answer({ args: ['processes'] });
    expect(processes.length).toBeLessThan(6);
    expect(processes).not.toContain(String(process.pid));
  });

  it('contains and sandboxes its own commands in turn, or says why not', async () => {
    const [contained, sandboxed] = await answer({ args: ['contain'] });
    if (uid !== 0) {
      expect(contained).toEqual({ ok: true, notes: [] });
      expect(sandboxed).toMatchObject({ ok: true });
      return;
    }
    // The kernel gives root no further user namespace without capabilities; Landlock may do.
    expect(contained.ok || typeof contained.remedy === 'string').toBe(true);
    expect(sandboxed).toMatchObject({ ok: false, reason: expect.stringContaining('user namespaces') });
  });

  describe('and the network', () => {
    let server: Server;
    let port: string;
    beforeEach(async () => {
      server = createServer((socket) => socket.end());
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = server.address();
      port = String(typeof address === 'object' ? address?.port : '');
    });
    afterEach(() => new Promise((resolve) => server.close(resolve)));

    it('is that of the machine, or none with networkAccess: false', async () => {
      expect((await run({ args: ['connect', port] })).stdout).toBe('connected\n');
      const setting = { enabled: true, networkAccess: false };
      expect((await run({ args: ['connect', port], setting })).stdout).toBe('ECONNREFUSED\n');
    });
  });
});

it('a bubblewrap that does not isolate is not used', async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'in-bwrap-')));
  try {
    const fake = join(base, 'bwrap');
    writeFileSync(fake, '#!/bin/sh\nwhile test "$1" != --; do shift; done; shift; exec "$@"\n');
    chmodSync(fake, 0o755);
    const request = JSON.stringify({ flag: 'bwrap', args: ['exit', '0'] });
    const child = spawn(process.execPath, [join(bundle, 'driver.cjs'), request], {
      cwd: base,
      env: { PATH: `${base}:/usr/bin:/bin`, HOME: base },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(44);
    expect(stderr).toContain('it does not isolate');
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
});
