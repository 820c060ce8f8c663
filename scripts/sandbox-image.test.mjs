// The sandbox image: a docker on PATH that records its arguments stands in for the real one.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const image = manifest.config.sandboxImageUri;

const RECORDER = `#!/bin/sh
here="$(dirname "$0")"
printf '%s' "$(basename "$0")" >> "$here/calls"; for word in "$@"; do printf '\\t%s' "$word" >> "$here/calls"; done; echo >> "$here/calls"
if test -e "$here/no-daemon"; then echo "Cannot connect to the daemon" >&2; exit 1; fi
if test "$1 $2" = "image inspect"; then test -e "$here/has-image"; exit $?; fi
if test "$1" = build; then exit "$(cat "$here/build-code" 2>/dev/null || echo 0)"; fi
`;

let bin;
beforeEach(() => {
  bin = mkdtempSync(join(tmpdir(), 'sandbox-image-'));
});
afterEach(() => rmSync(bin, { recursive: true }));

const put = (name, text) => {
  writeFileSync(join(bin, name), text);
  chmodSync(join(bin, name), 0o755);
};
const calls = () => (existsSync(join(bin, 'calls')) ? readFileSync(join(bin, 'calls'), 'utf8') : '');

/** Only the programs of `bin` are found, besides those a shell script needs. */
function run(script, args = [], env = {}) {
  for (const name of ['sh', 'basename', 'dirname', 'cat']) put(name, `#!/bin/sh\nexec /bin/${name} "$@"\n`);
  return spawnSync(process.execPath, [join(root, 'scripts', script), ...args], {
    encoding: 'utf8',
    env: { PATH: bin, ...env },
  });
}

it('the image is named after the version, and in no registry', () => {
  expect(image).toBe(`localhost/gemini-cli-sandbox:${manifest.version}`);
});

it('build:sandbox builds the Dockerfile of the repository under that name', () => {
  put('docker', RECORDER);
  const { status, stderr } = run('build-sandbox.mjs');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const words = ['docker', 'build', '--file', join(root, 'Dockerfile'), '--tag', image, root];
  expect(calls().trim().split('\n').at(-1)).toBe(words.join('\t'));
});

it('build:sandbox takes podman where docker does not answer, or as GEMINI_SANDBOX says', () => {
  put('podman', RECORDER);
  expect(run('build-sandbox.mjs').status).toBe(0);
  expect(calls()).toContain('podman\tbuild');
  put('docker', RECORDER);
  rmSync(join(bin, 'calls'));
  expect(run('build-sandbox.mjs', [], { GEMINI_SANDBOX: 'podman' }).status).toBe(0);
  expect(calls()).not.toContain('docker');
});

it('build:sandbox says what is missing', () => {
  const nothing = run('build-sandbox.mjs');
  expect(nothing.status).toBe(1);
  expect(nothing.stderr).toContain('docker is not installed');
  expect(nothing.stderr).toContain('podman is not installed');
  put('docker', RECORDER);
  put('no-daemon', '');
  const silent = run('build-sandbox.mjs');
  expect(silent.status).toBe(1);
  expect(silent.stderr).toContain('docker does not answer: Cannot connect to the daemon. Start it');
});

it('build:sandbox ends with the exit code of a failed build', () => {
  put('docker', RECORDER);
  put('build-code', '7');
  expect(run('build-sandbox.mjs').status).toBe(7);
});

it('test:integration:sandbox says what is missing and runs nothing', () => {
  put('podman', RECORDER);
  const { status, stdout, stderr } = run('test-sandbox.mjs', ['docker']);
  expect(status).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toContain('docker is not installed');
  expect(calls()).toBe('');
  expect(run('test-sandbox.mjs', ['chroot']).stderr).toContain('docker, podman, none');
});

it('test:integration:sandbox builds a missing image first, and stops if that fails', () => {
  put('docker', RECORDER);
  put('build-code', '7');
  const { status, stdout } = run('test-sandbox.mjs', ['docker']);
  expect(status).toBe(7);
  expect(stdout).toContain(`Building ${image}`);
});

it.each(['docker', 'podman', 'none'])('package.json has test:integration:sandbox:%s', (kind) => {
  expect(manifest.scripts[`test:integration:sandbox:${kind}`]).toBe(`node scripts/test-sandbox.mjs ${kind}`);
});

it('the Dockerfile installs the packed program, and its context leaves out what is built', () => {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8');
  expect(text).toContain('npm run pack -- /packages');
  expect(text).toContain('npm install --global /packages/gemini-cli-cli-');
  // `su`, `useradd` and `bash` start the program inside as the user outside.
  expect(text).toMatch(/FROM node:20\S*\n/);
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  for (const name of ['**/node_modules', '**/dist', '.git', '*.tgz']) expect(ignored).toContain(name);
});
