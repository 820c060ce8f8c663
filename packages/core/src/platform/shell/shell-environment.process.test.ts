import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shellEnvironment } from './shell-environment.js';
import { DEFAULT_SHELL_SETTINGS } from './shell-settings.test-helper.js';

const FIXED = {
  GEMINI_CLI: '1',
  TERM: 'xterm-256color',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  SSH_ASKPASS: '',
  GH_PROMPT_DISABLED: '1',
  GCM_INTERACTIVE: 'never',
  DISPLAY: '',
  DBUS_SESSION_BUS_ADDRESS: '',
};
const settings = DEFAULT_SHELL_SETTINGS;

function gitConfig(environment: Record<string, string>): [string, string][] {
  return Array.from({ length: Number(environment['GIT_CONFIG_COUNT']) }, (_, index) => [
    environment[`GIT_CONFIG_KEY_${index}`] ?? '',
    environment[`GIT_CONFIG_VALUE_${index}`] ?? '',
  ]);
}

describe('shellEnvironment', () => {
  it('adds exactly the fixed variables, which nothing overrides', () => {
    const parent = { PATH: '/bin', TERM: 'dumb', DISPLAY: ':0' };
    const extra = { MINE: 'yes', PAGER: 'less', GEMINI_CLI: '0' };
    const environment = shellEnvironment({ parent, settings, extra, isTrustedFolder: true });
    const rest = Object.fromEntries(
      Object.entries(environment).filter(([name]) => !name.startsWith('GIT_CONFIG_')),
    );
    expect(rest).toEqual({ PATH: '/bin', MINE: 'yes', ...FIXED });
    expect(gitConfig(environment)).toEqual([
      ['core.pager', 'cat'],
      ['core.editor', ''],
      ['sequence.editor', ''],
      ['credential.helper', ''],
      ['core.fsmonitor', ''],
      ['safe.bareRepository', 'explicit'],
    ]);
  });

  it('appends to existing git settings, and starts at 0 after an invalid count', () => {
    const parent = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'user.name', GIT_CONFIG_VALUE_0: 'Me' };
    const environment = shellEnvironment({ parent, settings, isTrustedFolder: true });
    expect(gitConfig(environment).slice(0, 2)).toEqual([
      ['user.name', 'Me'],
      ['core.pager', 'cat'],
    ]);
    const broken = shellEnvironment({ parent: { GIT_CONFIG_COUNT: 'x' }, settings, isTrustedFolder: true });
    expect(gitConfig(broken)[0]).toEqual(['core.pager', 'cat']);
  });

  it('uses the pager and the redaction of the settings', () => {
    const environment = shellEnvironment({
      parent: { MY_TOKEN: 'x', GEMINI_API_KEY: 'k', KEPT: 'y' },
      settings: {
        pager: 'less',
        environmentRedaction: { enabled: true, allowed: ['MY_TOKEN'], blocked: [] },
      },
      isTrustedFolder: true,
    });
    expect(environment).toMatchObject({ PAGER: 'less', GIT_PAGER: 'less', MY_TOKEN: 'x', KEPT: 'y' });
    expect(environment).not.toHaveProperty('GEMINI_API_KEY');
  });

  it('keeps our own credentials from commands of an untrusted folder, unless allowed', () => {
    const parent = { GEMINI_API_KEY: 'a', GOOGLE_API_KEY: 'b', GEMINI_CLI_IDE_AUTH_TOKEN: 'c' };
    const keys = (isTrustedFolder: boolean, allowed: string[] = []) => {
      const environmentRedaction = { enabled: false, allowed, blocked: [] };
      const environment = shellEnvironment({
        parent,
        settings: { ...settings, environmentRedaction },
        isTrustedFolder,
      });
      return Object.keys(environment).filter((name) => name in parent);
    };
    expect(keys(true)).toEqual(Object.keys(parent));
    expect(keys(false)).toEqual([]);
    expect(keys(false, ['google_api_key'])).toEqual(['GOOGLE_API_KEY']);
  });
});

describe('git under this environment', () => {
  let temp: ReturnType<typeof tempDir>;
  beforeEach(() => {
    temp = tempDir();
  });
  afterEach(() => temp.cleanup());

  function repository(): { git: (isTrustedFolder: boolean, ...args: string[]) => string } {
    const { path } = temp;
    const home = join(path, 'home');
    mkdirSync(home);
    writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.org\n');
    const run = (env: Record<string, string | undefined>, args: string[]) =>
      execFileSync('git', args, { cwd: path, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    const plain = { PATH: process.env['PATH'], HOME: home };
    run(plain, ['init', '-q']);
    writeFileSync(join(path, 'f'), 'one\n');
    run(plain, ['add', 'f']);
    run(plain, ['commit', '-qm', 'first']);
    writeFileSync(join(path, 'f'), 'two\n');
    // What a hostile project could contain.
    writeFileSync(join(path, 'evil'), '#!/bin/sh\necho EVIL\n', { mode: 0o755 });
    writeFileSync(join(path, '.git/hooks/pre-commit'), '#!/bin/sh\necho HOOK >hooked\n', { mode: 0o755 });
    return {
      git: (isTrustedFolder, ...args) =>
        run(shellEnvironment({ parent: plain, settings, isTrustedFolder }), args),
    };
  }

  it('shows diffs, knows the user, and runs hooks in a trusted folder', () => {
    const { git } = repository();
    expect(git(true, 'diff')).toContain('-one\n+two\n');
    expect(git(true, 'config', 'user.name')).toBe('Ada\n');
    git(true, 'commit', '-qam', 'second');
    expect(git(true, 'status', '--short')).toContain('?? hooked');
  });

  it('runs no program of an untrusted project, and still shows diffs', () => {
    const { git } = repository();
    for (const key of ['diff.external', 'core.fsmonitor', 'core.sshCommand']) {
      execFileSync('git', ['config', key, './evil'], { cwd: temp.path });
    }
    expect(git(false, 'diff')).toBe('diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-one\n+two\n');
    git(false, 'commit', '-qam', 'second');
    expect(git(false, 'status', '--short')).toBe('?? evil\n?? home/\n');
    expect(() => git(false, 'ls-remote', 'ssh://git@127.0.0.1:1/x')).toThrow(/127\.0\.0\.1/);
  });
});
