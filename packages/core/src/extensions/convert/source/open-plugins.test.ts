import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { convertPlugin } from '../convert-plugin.js';
import { type Files, temporaryFolder, writeFiles } from '../plugins.test-helper.js';
import { readPlugin } from '../read/read-plugin.js';
import { entrySource } from './marketplace.js';
import { openPlugins, type PluginRequest } from './open-plugins.js';

const MARKET = '.claude-plugin/marketplace.json';

async function open(files: Files, request: Partial<PluginRequest> = {}) {
  const dir = writeFiles(temporaryFolder(), files);
  const environment = { variables: {}, cwd: dir, home: dir };
  const opened = await openPlugins({ source: dir, environment, ...request });
  const convert = async (at = 0) => {
    const location = opened.plugins[at];
    if (!location) throw new Error('no plugin');
    return convertPlugin(await readPlugin(location, {}), {}, { kind: 'extension' });
  };
  return { dir, opened, convert };
}

const two: Files = {
  [MARKET]: {
    plugins: [
      { name: 'a', source: './plugins/a' },
      { name: 'b', source: 'plugins/b' },
    ],
    renames: { old: 'b' },
  },
  'plugins/a/commands/x.md': 'X',
  'plugins/b/commands/y.md': 'Y',
};

describe('a marketplace', () => {
  it('with several plugins wants one to be chosen, by its name or its old one', async () => {
    await expect(open(two)).rejects.toThrow(/--plugin.*--all: a, b/);
    await expect(open(two, { plugin: 'c' })).rejects.toThrow('lists no plugin "c". It has: a, b');
    const { convert } = await open(two, { plugin: 'old' });
    expect([...(await convert()).files.keys()]).toEqual(['commands/y.toml', 'gemini-extension.json']);
    expect((await open(two, { all: true })).opened.plugins).toHaveLength(2);
  });

  it('decides alone about a plugin with strict false', async () => {
    const files: Files = {
      [MARKET]: {
        plugins: [
          { name: 'one', source: './', strict: false, skills: ['./skills/one'] },
          { name: 'two', source: './', strict: false, skills: ['./skills/two'] },
        ],
      },
      'skills/one/SKILL.md': '---\nname: one\ndescription: One\n---\n1\n',
      'skills/two/SKILL.md': '---\nname: two\ndescription: Two\n---\n2\n',
    };
    const { convert } = await open(files, { plugin: 'two' });
    const { name, skills } = await convert();
    expect([name, skills]).toEqual(['two', ['two']]);
  });

  it('cannot lead out of its folder, and npm packages are not fetched', async () => {
    for (const source of ['../other', '/etc', { source: 'npm', package: 'x' }, { source: 'what' }])
      await expect(open({ [MARKET]: { plugins: [{ name: 'a', source }] } })).rejects.toThrow(
        /marketplace\.json: a/,
      );
    const dir = writeFiles(temporaryFolder(), { [MARKET]: { plugins: [{ name: 'a', source: './out' }] } });
    symlinkSync(temporaryFolder(), join(dir, 'out'));
    const environment = { variables: {}, cwd: dir, home: dir };
    await expect(openPlugins({ source: dir, environment })).rejects.toThrow(/leaves the marketplace/);
    await expect(open({ [MARKET]: { plugins: [] } })).rejects.toThrow(/lists no plugins/);
  });
});

describe('sources inside a marketplace', () => {
  const market = (entry: object, more: object = {}) => ({
    [MARKET]: { plugins: [{ name: 'a', ...entry }], ...more },
    'plugins/a/commands/x.md': 'X',
    'commands/root.md': 'R',
  });

  it.each([
    ['./plugins/a', {}],
    ['plugins/a', {}],
    ['a', { metadata: { pluginRoot: './plugins' } }],
    ['./plugins/a', { metadata: { pluginRoot: './elsewhere' } }],
    ['.\\plugins\\a', {}],
  ])('are folders, written as %s', async (source, more) => {
    const { convert } = await open(market({ source }, more));
    expect([...(await convert()).files.keys()]).toEqual(['commands/x.toml', 'gemini-extension.json']);
  });

  it('may be written as path, and may be the repository itself', async () => {
    expect((await (await open(market({ path: './plugins/a' }))).convert()).name).toBe('a');
    for (const source of ['.', './'])
      expect([...(await (await open(market({ source }))).convert()).files.keys()]).toContain(
        'commands/root.toml',
      );
  });

  it('name what is not fetched, and read owner/repository as one of GitHub', () => {
    const of = (source: object) =>
      entrySource(
        { file: 'm.json', root: '/', plugins: [], renames: {}, pluginRoot: '' },
        { name: 'a', source },
      );
    expect(of({ source: 'git-subdir', url: 'me/tools', path: 'p' })).toEqual({
      kind: 'git',
      url: 'https://github.com/me/tools.git',
      path: 'p',
    });
    expect(of({ source: 'url', url: 'git@host:me/tools.git' })).toMatchObject({
      url: 'git@host:me/tools.git',
    });
    expect(() => of({ source: 'archive', url: 'https://x.example/a.zip' })).toThrow(
      /m\.json: a: it is the archive https:\/\/x\.example\/a\.zip, which is not fetched/,
    );
    expect(() => of({ source: 'command', command: 'tool path' })).toThrow(
      /printed by the command "tool path", which is not run/,
    );
  });

  it('name missing folders, and with --all fail alone', async () => {
    await expect(open(market({ source: './nope' }))).rejects.toThrow(/there is no folder nope\.$/);
    await expect(open(market({ source: 'me/tools' }))).rejects.toThrow(
      /address: https:\/\/github\.com\/me\/tools$/,
    );
    const { opened } = await open(
      {
        [MARKET]: {
          plugins: [
            { name: 'a', source: './a' },
            { name: 'b', source: './b' },
          ],
        },
        'b/commands/x.md': 'X',
      },
      { all: true },
    );
    expect(opened.plugins).toHaveLength(1);
    expect(opened.failures.map(({ plugin }) => plugin)).toEqual(['a']);
  });
});
