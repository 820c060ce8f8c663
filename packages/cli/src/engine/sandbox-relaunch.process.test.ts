/** A fake docker on PATH records what it is asked and runs the inner command; everything else is real. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { tomlPlugin } from '../../../../scripts/toml-plugin.mjs';
import { bundleDriver, RELAUNCH } from './sandbox-relaunch.test-helper.js';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

/** Says which images and networks there are by files beside it. */
const FAKE_DOCKER = `#!/bin/sh
log="$(dirname "$0")/calls"
printf '%s' "docker" >> "$log"; for word in "$@"; do printf '\\t%s' "$word" >> "$log"; done; printf '\\n' >> "$log"
here="$(dirname "$0")"
case "$1 $2" in
  "image inspect") test -e "$here/has-image"; exit $?;;
  "network inspect") exit 1;;
esac
if test -e "$here/no-daemon"; then echo "Cannot connect to the Docker daemon" >&2; exit 1; fi
case "$1" in
  pull) if test -e "$here/no-pull"; then echo "pull access denied" >&2; exit 1; fi;;
  ps) echo default-image-1-0;;
  run)
    if test "$2" = -d; then exit 0; fi
    for word in "$@"; do
      if test "$previous" = --env-file; then cp -p "$word" "$here/env-file"; set -a; . "$word"; set +a; fi
      previous="$word"
    done
    exec bash --norc -c "$previous";;
esac
`;
const FAKE_GEMINI = `#!/bin/sh
echo "inside $SANDBOX: $*"
case "$1" in
  exit) exit "$2";;
  cat) cat;;
  wait) trap 'echo got term; exit 9' TERM; echo ready; while :; do sleep 0.05; done;;
  die) kill -KILL $$;;
esac
`;

let bundle: string;
let base: string;
beforeAll(async () => {
  bundle = await bundleDriver(RELAUNCH, tomlPlugin);
});
afterAll(() => rmSync(bundle, { recursive: true }));
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'relaunch-')));
  for (const name of ['bin', 'work', 'home', 'tmp']) mkdirSync(join(base, name));
  for (const [name, text] of [
    ['docker', FAKE_DOCKER],
    ['gemini', FAKE_GEMINI],
  ] as const) {
    writeFileSync(join(base, 'bin', name), text);
    chmodSync(join(base, 'bin', name), 0o755);
  }
  writeFileSync(join(base, 'bin/has-image'), '');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

interface Job {
  flag?: boolean | string;
  setting?: unknown;
  args?: string[];
  input?: string;
  env?: Record<string, string>;
  /** Called with each piece of output. */
  onOutput?: (text: string, child: ChildProcess) => void;
}

async function relaunch({ env = {}, onOutput, ...job }: Job) {
  const child = spawn(process.execPath, [join(bundle, 'driver.cjs'), JSON.stringify({ args: [], ...job })], {
    cwd: join(base, 'work'),
    env: {
      PATH: `${join(base, 'bin')}:/usr/bin:/bin`,
      GEMINI_CLI_HOME: join(base, 'home'),
      TMPDIR: join(base, 'tmp'),
      SANDBOX_SET_UID_GID: 'false',
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
const calls = () =>
  existsSync(join(base, 'bin/calls')) ? readFileSync(join(base, 'bin/calls'), 'utf8').trim().split('\n') : [];

it('requestedSandbox runs the program with the same arguments and returns its exit code', async () => {
  const { stdout, stderr, exitCode } = await relaunch({ flag: 'docker', args: ['exit', '7', "a 'b"] });
  expect(stderr).toBe('');
  expect(stdout).toBe("inside default-image-1-1: exit 7 a 'b\n");
  expect(exitCode).toBe(7);
  expect(calls().map((line) => line.split('\t').slice(1, 3).join(' '))).toEqual([
    'ps -a',
    'image inspect',
    'run -i',
  ]);
});

it('requestedSandbox passes on stdin, or what was already read from it', async () => {
  expect((await relaunch({ flag: 'docker', args: ['cat'] })).stdout).toContain('typed text');
  expect((await relaunch({ flag: 'docker', args: ['cat'], input: 'read before' })).stdout).toContain(
    'read before',
  );
});

it('requestedSandbox forwards a signal and reports that a signal ended the child', async () => {
  let isSent = false;
  const { stdout, exitCode } = await relaunch({
    flag: 'docker',
    args: ['wait'],
    onOutput: (text, child) => {
      if (isSent || !text.includes('ready')) return;
      isSent = true;
      child.kill('SIGTERM');
    },
  });
  expect(stdout).toContain('got term');
  expect(exitCode).toBe(9);
  expect((await relaunch({ flag: 'docker', args: ['die'] })).exitCode).toBe(137);
});

it('requestedSandbox passes secrets in a private file that is removed afterwards, not in arguments', async () => {
  const { exitCode } = await relaunch({ setting: { image: 'mine' }, env: { GEMINI_API_KEY: 'very-secret' } });
  expect(exitCode).toBe(0);
  expect(calls().join()).not.toContain('very-secret');
  const passed = readFileSync(join(base, 'bin/env-file'), 'utf8').split('\n');
  expect(passed).toContain('GEMINI_API_KEY=very-secret');
  expect(passed).toContain('SANDBOX=mine-0');
  expect(readdirSync(join(base, 'tmp'))).toEqual([]);
});

it('requestedSandbox pulls a missing image, and reports why it cannot', async () => {
  rmSync(join(base, 'bin/has-image'));
  const fetched = await relaunch({ flag: 'docker' });
  expect(fetched.exitCode).toBe(0);
  expect(fetched.stderr).toBe('Downloading the sandbox image: default-image:1\n');
  writeFileSync(join(base, 'bin/no-pull'), '');
  const refused = await relaunch({ flag: 'docker' });
  expect(refused.exitCode).toBe(44);
  expect(refused.stderr).toContain('could not be downloaded: pull access denied');
});

it('requestedSandbox says how to build our own image, which no registry has', async () => {
  rmSync(join(base, 'bin/has-image'));
  const env = { GEMINI_SANDBOX_IMAGE: 'localhost/gemini-cli-sandbox:1' };
  const { exitCode, stderr } = await relaunch({ flag: true, env });
  expect(exitCode).toBe(44);
  expect(stderr).toContain(
    'localhost/gemini-cli-sandbox:1 is not on this machine. Build it: npm run build:sandbox',
  );
  expect(calls().join()).not.toContain('pull');
});

it('requestedSandbox says that docker does not answer before it asks for an image', async () => {
  writeFileSync(join(base, 'bin/no-daemon'), '');
  const { exitCode, stderr } = await relaunch({ flag: 'docker' });
  expect(exitCode).toBe(44);
  expect(stderr).toContain('docker does not answer: Cannot connect to the Docker daemon');
  expect(stderr).toContain('Start it');
});

it('requestedSandbox limits memory, processors and processes of the container', async () => {
  await relaunch({ flag: 'docker' });
  const run = calls().at(-1)?.split('\t') ?? [];
  expect(run[run.indexOf('--memory') + 1]).toBe('4g');
  expect(run[run.indexOf('--pids-limit') + 1]).toBe('2048');
  expect(Number(run[run.indexOf('--cpus') + 1])).toBeGreaterThanOrEqual(1);
  await relaunch({ flag: 'docker', env: { SANDBOX_FLAGS: '-m=8g --cpu-quota 1000' } });
  const other = calls().at(-1)?.split('\t') ?? [];
  expect(other).not.toContain('--memory');
  expect(other).not.toContain('--cpus');
  expect(other).toContain('--pids-limit');
});

it('requestedSandbox builds the image of the project on request', async () => {
  const missing = await relaunch({ flag: 'docker', env: { BUILD_SANDBOX: '1' } });
  expect(missing.exitCode).toBe(44);
  expect(missing.stderr).toContain('sandbox.Dockerfile does not exist');
  const file = join(base, 'work/.gemini/sandbox.Dockerfile');
  mkdirSync(dirname(file));
  writeFileSync(file, 'FROM x');
  expect((await relaunch({ flag: 'docker', env: { BUILD_SANDBOX: '1' } })).exitCode).toBe(0);
  expect(calls()).toContain(
    ['docker', 'build', '-f', file, '-t', 'gemini-sandbox-work', join(base, 'work')].join('\t'),
  );
});

it('requestedSandbox sets up an internal network and a proxy, and removes the proxy', async () => {
  await relaunch({ flag: 'docker', env: { GEMINI_SANDBOX_PROXY_COMMAND: 'run-proxy' } });
  const short = calls().map((line) => line.split('\t').slice(1, 5).join(' '));
  expect(short).toContain('network create --internal gemini-sandbox');
  expect(short).toContain('network create gemini-sandbox-proxy');
  expect(short).toContain('network connect gemini-sandbox gemini-sandbox-proxy');
  expect(short.at(-1)).toBe('rm -f gemini-sandbox-proxy');
});

it('requestedSandbox does nothing without a request, or inside a sandbox', async () => {
  expect((await relaunch({})).exitCode).toBe(99);
  expect((await relaunch({ flag: 'docker', env: { SANDBOX: 'box' } })).exitCode).toBe(99);
  expect(calls()).toEqual([]);
});

it('requestedSandbox fails with exit code 44 when the sandbox is not available', async () => {
  rmSync(join(base, 'bin/docker'));
  const { exitCode, stderr } = await relaunch({ env: { GEMINI_SANDBOX: 'runsc', PATH: join(base, 'bin') } });
  expect(exitCode).toBe(44);
  expect(stderr).toMatch(
    /^FatalSandboxError: GEMINI_SANDBOX asks for the sandbox runsc, but (docker|runsc) is not installed/,
  );
});
