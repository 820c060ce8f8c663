import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSandboxManager } from './create-manager.js';
import { LinuxSandboxManager } from './linux/linux-manager.js';
import { MacOsSandboxManager } from './macos/macos-manager.js';
import { commandProfile } from './macos/macos-profile.js';
import { HOME_SECRETS, MAC_HOME_SECRETS } from './paths/secret-files.js';
import { DEFAULT_LIMITS, type SandboxPolicy } from './types.js';
import { openLxc } from './whole-program/lxc.js';
import { openSeatbelt, seatbeltArguments } from './whole-program/seatbelt.js';
import { SEATBELT_PROFILES, seatbeltProfile } from './whole-program/seatbelt-profiles.js';
import type { WholeProcessSources } from './whole-program/whole-process.js';
import { WindowsSandboxManager } from './windows-manager.js';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'platforms-')));
  for (const name of ['bin', 'tmp']) mkdirSync(join(base, name));
});
afterEach(() => rmSync(base, { recursive: true }));

const policy: SandboxPolicy = {
  workspace: ['/w'],
  readOnlyPaths: ['/h/.ssh'],
  writablePaths: ['/cache'],
  forbiddenPaths: ['/w/"secret"'],
  network: 'off',
  workspaceWritable: true,
  allowGitWrites: false,
  limits: DEFAULT_LIMITS,
};
const sources = (rest: Partial<WholeProcessSources> = {}): WholeProcessSources => ({
  env: {},
  cwd: base,
  home: '/h',
  temporaryDirectory: join(base, 'tmp'),
  args: ['-p', 'x'],
  self: ['/node', '/gemini.cjs'],
  isTerminal: false,
  platform: 'darwin',
  uid: 1,
  gid: 1,
  allowedPaths: [],
  includeDirectories: [],
  projectDirectories: [],
  keyVariables: [],
  notify: () => {},
  ...rest,
});

it('createSandboxManager returns a manager for every platform', () => {
  expect(createSandboxManager({ platform: 'linux', variables: {} })).toBeInstanceOf(LinuxSandboxManager);
  expect(createSandboxManager({ platform: 'darwin', variables: {} })).toBeInstanceOf(MacOsSandboxManager);
  expect(createSandboxManager({ platform: 'win32', variables: {} })).toBeInstanceOf(WindowsSandboxManager);
  expect(createSandboxManager({ platform: 'freebsd', variables: {} })).toBeInstanceOf(WindowsSandboxManager);
});

it('the Windows manager refuses every command and says why', async () => {
  const manager = new WindowsSandboxManager();
  expect(await manager.check()).toMatchObject({ ok: false, remedy: expect.stringContaining('docker') });
  await expect(manager.wrap()).rejects.toThrow('cannot be sandboxed');
});

describe('a command on macOS', () => {
  it('gets the documented profile', () => {
    expect(commandProfile(policy, { home: '/h', temporary: ['/private/tmp'] })).toBe(`(version 1)
(allow default)
(deny file-write*)
(allow file-write*
  (literal "/dev/null")
  (literal "/dev/zero")
  (literal "/dev/tty")
  (literal "/dev/stdout")
  (literal "/dev/stderr")
  (literal "/dev/dtracehelper")
  (regex #"^/dev/(ttys[0-9]+|fd/[0-9]+)$")
  (subpath "/private/tmp")
  (subpath "/w"))
(deny file-write*
  (subpath "/w/.gemini")
  (subpath "/w/.vscode")
  (subpath "/w/.git"))
(deny file-write-unlink
  (literal "/w/.git"))
(deny file-read* file-write*
${[...HOME_SECRETS, ...MAC_HOME_SECRETS].map((name) => `  (subpath "/h/${name}")`).join('\n')}
  (regex #"^/w/([^/]+/){0,5}\\.env(\\..+)?$"))
(allow file-read*
  (subpath "/h/.ssh")
  (subpath "/cache"))
(allow file-write*
  (subpath "/cache"))
(deny file-read* file-write*
  (subpath "/w/\\"secret\\""))
(deny network*)
(deny system-socket)
(deny mach-lookup (global-name "com.apple.SecurityServer") (global-name "com.apple.pasteboard.1"))
(deny process-info* (target others))
(deny signal (target others))
(allow signal (target same-sandbox))
(deny mach-priv-task-port)
`);
  });

  it('may write less in plan mode and more of .git for git, and has a network if granted', () => {
    const profile = (rest: Partial<SandboxPolicy>) =>
      commandProfile({ ...policy, ...rest }, { home: '/h', temporary: [] });
    expect(profile({ workspaceWritable: false })).not.toContain('\n  (subpath "/w"))');
    expect(profile({ allowGitWrites: true })).toContain(
      '(subpath "/w/.git/hooks")\n  (subpath "/w/.git/config")',
    );
    expect(profile({ allowGitWrites: true })).not.toContain('(subpath "/w/.git")');
    expect(profile({ network: 'on' })).not.toContain('network');
  });

  it('is not run when sandbox-exec is missing, fails or does not isolate', async () => {
    const manager = (text: string | undefined) => {
      const program = join(base, 'bin/sandbox-exec');
      if (text !== undefined) writeFileSync(program, text, { mode: 0o755 });
      return new MacOsSandboxManager({ program, variables: { HOME: base } });
    };
    expect(await manager(undefined).check()).toMatchObject({
      ok: false,
      reason: expect.stringContaining('is missing'),
    });
    const failing = await manager('#!/bin/sh\necho no profile >&2; exit 1\n').check();
    expect(failing).toMatchObject({
      ok: false,
      reason: expect.stringContaining('does not isolate (no profile)'),
    });
    const liar = manager('#!/bin/sh\nshift 2; exec "$@"\n');
    expect(await liar.check()).toMatchObject({
      ok: false,
      reason: expect.stringContaining('does not isolate'),
    });
    await expect(liar.wrap({ command: 'true', args: [], cwd: base, env: {}, policy })).rejects.toThrow(
      'does not isolate',
    );
  });
});

describe('the whole program under Seatbelt', () => {
  it('gets the parameters, the profile and the same arguments', () => {
    const args = seatbeltArguments(sources({ includeDirectories: ['/inc'] }), '/cache');
    expect(args).toEqual([
      '-D',
      `TARGET_DIR=${base}`,
      '-D',
      `TMP_DIR=${base}/tmp`,
      '-D',
      'HOME_DIR=/h',
      '-D',
      'CACHE_DIR=/cache',
      '-D',
      'INCLUDE_DIR_0=/inc',
      '-D',
      'INCLUDE_DIR_1=/dev/null',
      '-D',
      'INCLUDE_DIR_2=/dev/null',
      '-D',
      'INCLUDE_DIR_3=/dev/null',
      '-D',
      'INCLUDE_DIR_4=/dev/null',
      '-p',
      seatbeltProfile('permissive-open'),
      '/node',
      '/gemini.cjs',
      '-p',
      'x',
    ]);
  });

  it('has six built-in profiles', () => {
    expect(seatbeltProfile('permissive-open')).toBe(`(version 1)
(allow default)
(deny file-write*)
(allow file-write*
  (subpath (param "TARGET_DIR"))
  (subpath (param "TMP_DIR"))
  (subpath (param "CACHE_DIR"))
  (subpath (string-append (param "HOME_DIR") "/.gemini"))
  (subpath (string-append (param "HOME_DIR") "/.npm"))
  (subpath (string-append (param "HOME_DIR") "/.cache"))
  (subpath (param "INCLUDE_DIR_0"))
  (subpath (param "INCLUDE_DIR_1"))
  (subpath (param "INCLUDE_DIR_2"))
  (subpath (param "INCLUDE_DIR_3"))
  (subpath (param "INCLUDE_DIR_4"))
  (literal "/dev/stdout")
  (literal "/dev/stderr")
  (literal "/dev/null")
  (literal "/dev/ptmx")
  (regex #"^/dev/(tty|ttys[0-9]+)$")
)
(allow network*)
`);
    for (const name of SEATBELT_PROFILES) {
      const text = seatbeltProfile(name);
      expect(text.split('(').length).toBe(text.split(')').length);
      expect(text.includes('(deny default)')).toBe(!name.startsWith('permissive'));
      expect(text.includes('(allow file-read*)')).toBe(name.startsWith('restrictive'));
      expect(text.includes('"localhost:8877"')).toBe(name.endsWith('proxied'));
      expect(text.includes('(allow network*)')).toBe(name.endsWith('open'));
    }
  });

  it('accepts a profile of the project, and names a missing one', () => {
    const env = { SEATBELT_PROFILE: 'mine' };
    expect(() => seatbeltArguments(sources({ env }), '/c')).toThrow(/no profile mine .*permissive-open/);
    const file = join(base, '.gemini/sandbox-macos-mine.sb');
    mkdirSync(join(base, '.gemini'));
    writeFileSync(file, '(version 1)');
    expect(seatbeltArguments(sources({ env }), '/c')).toContain(file);
    const outside = { SEATBELT_PROFILE: '../x' };
    expect(() => seatbeltArguments(sources({ env: outside }), '/c')).toThrow(/not the name of a profile/);
  });

  it('builds no image', async () => {
    await expect(openSeatbelt(sources({ env: { BUILD_SANDBOX: '1' } }))).rejects.toThrow('BUILD_SANDBOX');
  });

  it('has SANDBOX set inside', async () => {
    const env = { PATH: process.env['PATH'] };
    const session = await openSeatbelt(sources({ env }));
    expect(session).toMatchObject({ command: 'sandbox-exec', env: { SANDBOX: 'sandbox-exec' } });
    await session.close();
  });
});

describe('the whole program in an LXC container', () => {
  const open = (status: string, env: Record<string, string> = {}) => {
    const list = status
      ? JSON.stringify([
          { name: 'gemini-sandbox', status },
          { name: 'box', status },
        ])
      : '[]';
    const fake = `#!/bin/sh
echo "$*" >> ${base}/calls
case "$1 $2" in "list "*) echo '${list}';; "file push") cp "$5" ${base}/pushed;; esac\n`;
    writeFileSync(join(base, 'bin/lxc'), fake);
    chmodSync(join(base, 'bin/lxc'), 0o755);
    const path = `${join(base, 'bin')}:/usr/bin:/bin`;
    return openLxc(sources({ env: { PATH: path, GEMINI_API_KEY: "k'ey", ...env } }), 'id');
  };
  const calls = () => readFileSync(join(base, 'calls'), 'utf8').trim().split('\n');

  it('has the workspace during the session, and its variables from a private file', async () => {
    const session = await open('Running');
    expect(session.command).toBe('lxc');
    expect(session.args).toEqual([
      'exec',
      'gemini-sandbox',
      '--cwd',
      base,
      '-T',
      '--',
      'bash',
      '-c',
      'set -a; . /run/gemini-sandbox-id; rm -f /run/gemini-sandbox-id; set +a; exec gemini -p x',
    ]);
    expect(readFileSync(join(base, 'pushed'), 'utf8')).toContain(`GEMINI_API_KEY='k'\\''ey'\n`);
    await session.close();
    const [, add, push, remove] = calls();
    expect(add).toBe(`config device add gemini-sandbox gemini-workspace-id disk source=${base} path=${base}`);
    expect(push).toMatch(/^file push --mode 0600 .* gemini-sandbox\/run\/gemini-sandbox-id$/);
    expect(remove).toBe('config device remove gemini-sandbox gemini-workspace-id');
  });

  it('is refused with a remedy when the container is stopped, missing or misnamed', async () => {
    await expect(open('Stopped', { GEMINI_SANDBOX_IMAGE: 'box' })).rejects.toThrow('lxc start box');
    await expect(open('')).rejects.toThrow('missing');
    await expect(open('Running', { GEMINI_SANDBOX_IMAGE: '--x' })).rejects.toThrow('not the name');
    expect(existsSync(join(base, 'pushed'))).toBe(false);
  });
});
