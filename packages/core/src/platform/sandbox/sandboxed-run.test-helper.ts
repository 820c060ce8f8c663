/** For tests: runs commands in the real sandbox, as root or as an ordinary user, from a process of that user. */
import { spawn } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Containment } from '../../protocol/confirmation.js';
import type { LinuxSandboxOptions } from './linux/linux-manager.js';
import { DEFAULT_LIMITS, type SandboxPolicy } from './types.js';

export interface TestUser {
  name: string;
  /** Undefined: the user who runs the tests. */
  uid?: number;
}

/** Only root can switch to another user. */
export const TEST_USERS: readonly TestUser[] =
  process.getuid?.() === 0
    ? [{ name: 'root' }, { name: 'an ordinary user', uid: 65534 }]
    : [{ name: 'this user' }];

export interface SandboxFixture {
  user: TestUser;
  base: string;
  workspace: string;
  home: string;
  /** Creates a file owned by the user. */
  write(path: string, text: string): string;
  remove(): void;
}

/** @param prefix of its directory; not below /tmp, which is private inside */
export function makeSandboxFixture(user: TestUser, prefix = '/var/tmp/gemini-sandbox-test-'): SandboxFixture {
  const base = realpathSync(mkdtempSync(prefix));
  const own = (path: string) => {
    if (user.uid !== undefined) chownSync(path, user.uid, user.uid);
    return path;
  };
  own(base);
  const makeDirectory = (path: string): string => {
    const first = mkdirSync(path, { recursive: true });
    for (let at = path; first && at.length >= first.length; at = dirname(at)) own(at);
    return path;
  };
  return {
    user,
    base,
    workspace: makeDirectory(join(base, 'work')),
    home: makeDirectory(join(base, 'home')),
    write: (path, text) => {
      makeDirectory(dirname(path));
      writeFileSync(path, text);
      return own(path);
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

export interface RunAnswer {
  stdout: string;
  stderr: string;
  exitCode: number | null;
  /** Set when the sandbox refused. */
  refused?: string;
}

export interface RunRequest {
  command: string;
  args?: readonly string[];
  cwd?: string;
  policy?: Partial<SandboxPolicy>;
  env?: Record<string, string>;
  options?: Partial<LinuxSandboxOptions> & { landlock?: boolean };
  /** Contain it like a command that runs unasked, instead of using `policy`. */
  containment?: Containment;
  /** The process that started the sandbox is killed as soon as the command has printed this. */
  killAt?: string;
}

/** Checks, wraps, runs and cleans up, in a process of that user. */
export async function runSandboxed(fixture: SandboxFixture, request: RunRequest): Promise<RunAnswer> {
  const { home, workspace, user } = fixture;
  const policy: SandboxPolicy = {
    workspace: [workspace],
    readOnlyPaths: [],
    writablePaths: [],
    forbiddenPaths: [],
    network: 'off',
    workspaceWritable: true,
    allowGitWrites: false,
    limits: DEFAULT_LIMITS,
    ...request.policy,
  };
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: home, ...request.env };
  const job = {
    options: request.options ?? {},
    containment: request.containment,
    request: {
      command: request.command,
      args: request.args ?? [],
      cwd: request.cwd ?? workspace,
      env,
      policy,
    },
  };
  const driver = fixture.write(join(fixture.base, 'driver.cjs'), await driverText());
  const child = spawn(process.execPath, [driver, JSON.stringify(job)], {
    cwd: fixture.base,
    env: { ...env, HOME: home },
    uid: user.uid,
    gid: user.uid,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    return chunks;
  });
  if (request.killAt) {
    child.stdout.on('data', () => {
      if (Buffer.concat(stdout ?? []).includes(request.killAt ?? '')) child.kill('SIGKILL');
    });
  }
  // Closed when no process holds the other ends any more, inside the sandbox or outside.
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const text = (chunks: Buffer[] = []) => Buffer.concat(chunks).toString('utf8');
  const refused = exitCode === REFUSED ? text(stderr) : undefined;
  return { stdout: text(stdout), stderr: text(stderr), exitCode, ...(refused ? { refused } : {}) };
}

/** A script for bash. */
export function runScript(
  fixture: SandboxFixture,
  script: string,
  rest: Omit<RunRequest, 'command' | 'args'> = {},
) {
  return runSandboxed(fixture, { command: 'bash', args: ['-c', script], ...rest });
}

const REFUSED = 44;

const DRIVER = `
import { spawn } from 'node:child_process';
import { containedEnvironment } from './containment/environment.js';
import { LinuxContainer } from './containment/linux-container.js';
import { LandlockContainer } from './landlock/landlock-container.js';
import { LinuxSandboxManager } from './linux/linux-manager.js';
const { options, request, containment } = JSON.parse(process.argv[2]);
function wrap() {
  const all = { variables: process.env, ...options };
  if (!containment) return new LinuxSandboxManager(all).wrap(request);
  const { policy, ...invocation } = request;
  const Container = options.landlock ? LandlockContainer : LinuxContainer;
  return new Container(all).contain({
    ...invocation,
    env: containedEnvironment(request.env),
    kind: containment,
    workspace: policy.workspace,
    visiblePaths: policy.readOnlyPaths,
    hiddenPaths: policy.forbiddenPaths,
    trackedEnvFiles: async () => [],
  });
}
async function run() {
  const wrapped = await wrap();
  const { command, args, env } = wrapped;
  const child = spawn(command, args, { cwd: request.cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
  wrapped.watch?.(child.pid);
  const code = await new Promise((resolve) => child.once('exit', (exitCode, signal) => resolve(signal ? 200 : exitCode)));
  await wrapped.cleanup();
  process.exitCode = code;
}
run().catch((error) => {
  process.stderr.write(error.message);
  process.exitCode = ${REFUSED};
});
`;

let bundled: Promise<string> | undefined;

function driverText(): Promise<string> {
  bundled ??= build({
    stdin: { contents: DRIVER, resolveDir: dirname(fileURLToPath(import.meta.url)) },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
  }).then((result) => result.outputFiles[0]?.text ?? '');
  return bundled;
}
