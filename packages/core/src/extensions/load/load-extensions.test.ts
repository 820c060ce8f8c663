import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FileContents, folderWith } from '../extension-folders.test-helper.js';
import { INSTALL_METADATA_FILE, MANIFEST_FILE } from '../types.js';
import { type LoadOptions, loadExtensions } from './load-extensions.js';

/** The home folder of extensions with these files, each below `extensions/`. */
function homeWith(files: FileContents): string {
  return folderWith(
    Object.fromEntries(Object.entries(files).map(([name, content]) => [join('extensions', name), content])),
  );
}

function manifest(name: string, more: object = {}) {
  return { [join(name, MANIFEST_FILE)]: { name, version: '1.0.0', ...more } };
}

function load(globalDir: string, more: Partial<LoadOptions> = {}) {
  return loadExtensions({
    globalDir,
    home: '/home/me',
    workspacePath: '/home/me/work',
    isTrusted: true,
    variables: {},
    settings: {},
    ...more,
  });
}

const activeIn = (globalDir: string, more: Partial<LoadOptions> = {}) =>
  load(globalDir, more)
    .extensions.filter(({ isActive }) => isActive)
    .map(({ name }) => name);

describe('the installed extensions', () => {
  it('are none without a folder', () => {
    expect(load(folderWith())).toEqual({ extensions: [], problems: [] });
  });

  it('are sorted, and files and unfinished installs beside them are ignored', () => {
    const dir = homeWith({ ...manifest('b'), ...manifest('a'), '.tmp-x/file': '', 'notes.txt': '' });
    const { extensions, problems } = load(dir);
    expect(extensions.map(({ name, isActive, path }) => ({ name, isActive, path }))).toEqual([
      { name: 'a', isActive: true, path: join(dir, 'extensions', 'a') },
      { name: 'b', isActive: true, path: join(dir, 'extensions', 'b') },
    ]);
    expect(problems).toEqual([]);
  });

  it('load when one beside them is broken, which is named with its file', () => {
    const dir = homeWith({ ...manifest('good'), [join('bad', MANIFEST_FILE)]: '{', 'empty/readme.md': '' });
    const { extensions, problems } = load(dir);
    expect(extensions.map(({ name }) => name)).toEqual(['good']);
    expect(problems.map(({ level, file }) => ({ level, file }))).toEqual([
      { level: 'error', file: join(dir, 'extensions', 'bad', MANIFEST_FILE) },
      { level: 'error', file: join(dir, 'extensions', 'empty', MANIFEST_FILE) },
    ]);
  });

  it('skip the second of two with the same name, whatever its case', () => {
    const dir = homeWith({
      [join('one', MANIFEST_FILE)]: { name: 'demo', version: '1' },
      [join('two', MANIFEST_FILE)]: { name: 'Demo', version: '2' },
    });
    const { extensions, problems } = load(dir);
    expect(extensions.map(({ version }) => version)).toEqual(['1']);
    expect(problems[0]?.message).toContain(join(dir, 'extensions', 'one'));
  });

  it('are none when the administrator disables them', () => {
    expect(
      load(homeWith(manifest('a')), { settings: { admin: { extensions: { enabled: false } } } }),
    ).toEqual({
      extensions: [],
      problems: [],
    });
  });
});

describe('which extensions are active', () => {
  const files = { ...manifest('a'), ...manifest('b'), ...manifest('c') };

  it('are those that -e names, without regard to case', () => {
    expect(activeIn(homeWith(files), { only: ['B'] })).toEqual(['b']);
    expect(activeIn(homeWith(files), { only: ['none'] })).toEqual([]);
  });

  it('names an extension after -e that is not installed', () => {
    const { problems } = load(homeWith(files), { only: ['a', 'other'] });
    expect(problems).toMatchObject([{ level: 'error' }]);
    expect(problems[0]?.message).toContain('Extension not found: other.');
  });

  it('decide which problems are told at a start: also of one that cannot be read', () => {
    const dir = homeWith({ ...manifest('a', { excludeTools: 1 }), [join('bad', MANIFEST_FILE)]: '{' });
    const told = (more: Partial<LoadOptions>) =>
      load(dir, more).problems.map(({ level, isInactive }) => (isInactive ? `${level} (inactive)` : level));
    expect(told({})).toEqual(['warning', 'error']);
    expect(told({ only: ['none'] })).toEqual(['warning (inactive)', 'error (inactive)']);
    expect(told({ only: ['Bad', 'none'] })).toEqual(['warning (inactive)', 'error', 'error']);
    expect(told({ settings: { extensions: { disabled: ['A'] } } })).toEqual(['warning (inactive)', 'error']);
    const none = homeWith({ [join('bad', MANIFEST_FILE)]: '{' });
    expect(load(none, { only: ['none'] }).problems).toMatchObject([{ isInactive: true }]);
  });

  it('follow the settings and the rules of enablement', () => {
    const dir = homeWith({ ...files, 'extension-enablement.json': { a: { overrides: ['!/home/me/*'] } } });
    expect(activeIn(dir, { settings: { extensions: { disabled: ['C'] } } })).toEqual(['b']);
    expect(activeIn(dir, { workspacePath: '/elsewhere' })).toEqual(['a', 'b', 'c']);
    expect(activeIn(dir, { only: ['a'] })).toEqual(['a']);
  });

  it('are none while the rules of enablement cannot be read', () => {
    const dir = homeWith({ ...files, 'extension-enablement.json': '{' });
    expect(activeIn(dir)).toEqual([]);
    expect(activeIn(dir, { only: ['a'] })).toEqual([]);
    expect(load(dir).problems).toHaveLength(1);
  });
});

describe('where an extension comes from', () => {
  it('decides its folder when it is a link, by metadata or by a symbolic link', () => {
    const source = folderWith({ [MANIFEST_FILE]: { name: 'linked', version: '1' }, 'GEMINI.md': 'hi' });
    const byMetadata = homeWith({ [join('linked', INSTALL_METADATA_FILE)]: { source, type: 'link' } });
    const bySymlink = homeWith({ 'notes.txt': '' });
    symlinkSync(source, join(bySymlink, 'extensions', 'linked'));
    for (const dir of [byMetadata, bySymlink])
      expect(load(dir).extensions).toMatchObject([
        {
          path: source,
          installPath: join(dir, 'extensions', 'linked'),
          installMetadata: { source, type: 'link' },
          contextFiles: [join(source, 'GEMINI.md')],
        },
      ]);
  });

  it.each(['{', '[]', '{"source": 5, "type": "git"}', '{"source": "x", "type": "ftp"}'])(
    'must be readable: %s',
    (text) => {
      const dir = homeWith({ ...manifest('a'), [join('a', INSTALL_METADATA_FILE)]: text, ...manifest('b') });
      const { extensions, problems } = load(dir);
      expect(extensions.map(({ name }) => name)).toEqual(['b']);
      expect(problems[0]?.file).toBe(join(dir, 'extensions', 'a', INSTALL_METADATA_FILE));
    },
  );

  it('is checked at every load against the settings', () => {
    const source = 'https://github.com/owner/repo';
    const dir = homeWith({ ...manifest('a'), [join('a', INSTALL_METADATA_FILE)]: { source, type: 'git' } });
    const withRules = (security: object) => load(dir, { settings: { security } });
    expect(withRules({ blockGitExtensions: true }).extensions).toEqual([]);
    expect(withRules({ blockGitExtensions: true }).problems[0]?.message).toContain('blockGitExtensions');
    expect(withRules({ allowedExtensions: ['https://github\\.com/other/.*'] }).extensions).toEqual([]);
    const both = { blockGitExtensions: true, allowedExtensions: ['https://github\\.com/owner/.*'] };
    expect(withRules(both).extensions).toHaveLength(1);
  });
});
