import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import { createContainer } from '../create-container.js';
import { readableBeside } from '../landlock/grants.js';
import { readDirectory } from '../paths/hidden-paths.js';
import { cachingReader } from './directory-cache.js';
import { containedEnvironment } from './environment.js';
import { containedProfile } from './mac-profile.js';
import { missingContainment } from './missing-containment.js';

const temps: ReturnType<typeof tempDir>[] = [];
const newFolder = () => {
  const temp = tempDir('gemini-contain-pure-');
  temps.push(temp);
  return temp.path;
};
afterEach(() => {
  for (const temp of temps.splice(0)) temp.cleanup();
});

describe('the profile of a contained command on macOS', () => {
  const profile = (kind: 'read-only' | 'workspace') =>
    containedProfile(
      {
        kind,
        workspace: ['/w'],
        visiblePaths: ['/h/.gemini/tmp/p'],
        hiddenPaths: ['/h/.gemini/tmp/p/inbox'],
      },
      { home: '/h', own: ['/h/.gemini'] },
    );

  it('allows writing only to terminals, and no network', () => {
    expect(profile('read-only')).not.toContain('(subpath "/w")');
    expect(profile('read-only')).toContain('(deny network*)');
    expect(profile('read-only')).toContain('(subpath "/h/.pgpass")');
  });

  it('allows writing the workspace except for protected names, in any case and at any depth', () => {
    const text = profile('workspace');
    expect(text).toContain('(subpath "/w")');
    const [, source = ''] = /deny file-write\*\s+\(regex #"(.+)"\)\)/.exec(text) ?? [];
    const held = new RegExp(source);
    for (const path of [
      '/w/.git/x',
      '/w/a/.GIT/hooks/x',
      '/w/.env',
      '/w/a/.env.local',
      '/w/node_modules/x',
      '/w/.vscode',
    ])
      expect(held.test(path), path).toBe(true);
    for (const path of ['/w/.gitignore', '/w/a.env', '/w/environment', '/w/src/git/x'])
      expect(held.test(path), path).toBe(false);
  });

  it('hides our directory, shows the project temporary directory in it, and hides the inbox in that', () => {
    const text = profile('read-only');
    const places = [
      '(subpath "/h/.gemini")',
      '(subpath "/h/.gemini/tmp/p")',
      '(subpath "/h/.gemini/tmp/p/inbox")',
    ];
    const order = places.map((place) => text.indexOf(place));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order).not.toContain(-1);
  });
});

it('Landlock grants every path beside the hidden ones', () => {
  const folder = newFolder();
  for (const name of ['a/x', 'a/secret/y', 'b']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'c'), '');
  const hidden = [join(folder, 'a/secret'), join(folder, 'c')];
  const grants = readableBeside(hidden, readDirectory);
  expect(grants.filter((path) => path.startsWith(folder)).sort()).toEqual([
    join(folder, 'a/x'),
    join(folder, 'b'),
  ]);
  expect(grants).not.toContain('/');
});

it('the directory cache keeps a listing only after the directory has not changed for a while', () => {
  const folder = newFolder();
  let now = Date.now();
  const read = cachingReader(() => now);
  const names = () => read(folder).map(({ name }) => name);
  expect(names()).toEqual([]);
  writeFileSync(join(folder, '.env'), '');
  expect(names()).toEqual(['.env']);
  now += 1000;
  expect([names(), names()]).toEqual([['.env'], ['.env']]);
  writeFileSync(join(folder, '.env.local'), '');
  expect(names()).toHaveLength(2);
});

it('a contained command gets no variable that looks like a key, unless the call sets it', () => {
  const env = { PATH: '/bin', GEMINI_API_KEY: 'a', DB_PASSWORD: 'b', NPM_TOKEN: 'c', LANG: 'C' };
  expect(containedEnvironment(env, { NPM_TOKEN: 'c', DB_PASSWORD: 'other' })).toEqual({
    PATH: '/bin',
    LANG: 'C',
    NPM_TOKEN: 'c',
    GIT_OPTIONAL_LOCKS: '0',
  });
});

describe('the line about missing containment', () => {
  interface Case {
    programs?: string[];
    settings?: Record<string, string>;
    release?: string;
    isRoot?: boolean;
  }
  const line = ({ programs = [], settings = {}, release = '6.1.0-generic', isRoot = false }: Case) => {
    const [bin, proc] = [newFolder(), newFolder()];
    for (const name of programs) writeFileSync(join(bin, name), '', { mode: 0o755 });
    for (const [name, value] of Object.entries(settings)) {
      mkdirSync(join(proc, name, '..'), { recursive: true });
      writeFileSync(join(proc, name), `${value}\n`);
    }
    const machine = {
      platform: 'linux' as const,
      release,
      isRoot,
      settings: proc,
      programDirectories: [bin],
    };
    return missingContainment({}, machine);
  };
  const APPARMOR = { 'kernel/apparmor_restrict_unprivileged_userns': '1' };
  const ALL_OPEN = {
    'kernel/apparmor_restrict_unprivileged_userns': '0',
    'kernel/unprivileged_userns_clone': '1',
    'user/max_user_namespaces': '31000',
  };

  it.each<Case>([
    { programs: ['bwrap'] },
    { programs: ['bwrap'], settings: ALL_OPEN },
    { programs: ['bwrap'], settings: APPARMOR, isRoot: true },
  ])('is absent when bubblewrap can work: %j', (machine) => {
    expect(line(machine)).toBeUndefined();
  });

  it.each<Case>([
    { programs: ['bwrap'], settings: APPARMOR },
    { programs: ['bwrap', 'perl'], settings: APPARMOR, release: '6.14.0' },
    { programs: ['bwrap'], settings: { 'user/max_user_namespaces': '0' } },
    { programs: ['bwrap'], settings: { 'kernel/unprivileged_userns_clone': '0' } },
  ])('says that commands may run without a sandbox when the kernel restricts bubblewrap: %j', (machine) => {
    expect(line(machine)).toContain('may run without a sandbox: the kernel restricts user namespaces');
  });

  it('says what Landlock may contain when bubblewrap is missing', () => {
    const text = line({ programs: ['perl'], release: '6.12.3' });
    expect(text).toContain('may run without a sandbox; edits by redirection do: install bubblewrap');
  });

  it.each<Case>([{}, { release: '6.12.0' }, { programs: ['perl'], release: '6.11.9' }])(
    'says that commands run without a sandbox when neither is available: %j',
    (machine) => {
      expect(line(machine)).toContain('harmless run without a sandbox: install bubblewrap');
    },
  );

  it('names docker on platforms without a sandbox for single commands', async () => {
    const windows = { platform: 'win32' as const, release: '10.0', isRoot: false, settings: newFolder() };
    expect(missingContainment({}, windows)).toContain('--sandbox');
    expect(await createContainer({ variables: {}, platform: 'win32' })).toBeUndefined();
  });
});
