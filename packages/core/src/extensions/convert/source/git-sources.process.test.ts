import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { convertPlugin } from '../convert-plugin.js';
import { type Files, temporaryFolder, writeFiles } from '../plugins.test-helper.js';
import { readPlugin } from '../read/read-plugin.js';
import { openPlugins, type PluginRequest } from './open-plugins.js';

const MARKET = '.claude-plugin/marketplace.json';
const PLUGIN = '.claude-plugin/plugin.json';

/** A repository with two versions of a plugin at its root, the first tagged v1, and one in a folder. */
function repository() {
  const root = temporaryFolder();
  const repo = join(root, 'repo');
  mkdirSync(repo);
  mkdirSync(join(root, 'tmp'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: repo,
      encoding: 'utf8',
    }).trim();
  const commit = (files: Files) => {
    writeFiles(repo, files);
    git('add', '.');
    git('commit', '-qm', 'x');
    return git('rev-parse', 'HEAD');
  };
  git('init', '-q', '-b', 'main');
  git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  const first = commit({
    [PLUGIN]: { name: 'root', version: '1.0.0' },
    'commands/a.md': 'A',
    'kit/inner/commands/b.md': 'B',
    'node_modules/x/index.js': '',
  });
  git('tag', 'v1');
  const second = commit({ [PLUGIN]: { name: 'root', version: '2.0.0' } });
  const variables = { PATH: process.env['PATH'], HOME: root, TMPDIR: join(root, 'tmp') };
  const environment = { variables, cwd: root, home: root };
  const open = async (request: Partial<PluginRequest> & { source: string }) => {
    const opened = await openPlugins({ environment, ...request });
    try {
      const [location] = opened.plugins;
      if (!location) throw new Error('no plugin');
      const { name, version, files } = await convertPlugin(
        await readPlugin(location, {}),
        {},
        { kind: 'extension' },
      );
      return { name, version, files: [...files.keys()] };
    } finally {
      opened.close();
      expect(readdirSync(join(root, 'tmp'))).toEqual([]);
    }
  };
  /** A marketplace beside the repository that lists it with this source. */
  const openListed = (source: unknown) => {
    const market = writeFiles(temporaryFolder(), { [MARKET]: { plugins: [{ name: 'listed', source }] } });
    return open({ source: market });
  };
  return { root, url: pathToFileURL(repo).href, first, second, open, openListed };
}

describe('a plugin in a git repository', () => {
  it('is fetched as it is now, at a tag, or at a commit, and from a folder inside', async () => {
    const { url, first, open } = repository();
    expect(await open({ source: url })).toEqual({
      name: 'root',
      version: '2.0.0',
      files: ['commands/a.toml', 'gemini-extension.json', 'kit/inner/commands/b.md'],
    });
    expect((await open({ source: url, ref: 'v1' })).version).toBe('1.0.0');
    expect((await open({ source: url, ref: first })).version).toBe('1.0.0');
    const inner = await open({ source: url, path: 'kit/inner' });
    expect(inner).toEqual({
      name: 'inner',
      version: '0.0.0',
      files: ['commands/b.toml', 'gemini-extension.json'],
    });
  });

  it('leaves nothing behind when it has no such tag or folder, or does not exist', async () => {
    const { root, url, open } = repository();
    await expect(open({ source: url, ref: 'nope' })).rejects.toThrow(/nope/);
    await expect(open({ source: url, path: '../..' })).rejects.toThrow(/no folder/);
    await expect(open({ source: `${url}-missing` })).rejects.toThrow(/missing/);
    await expect(open({ source: '--upload-pack=touch x' })).rejects.toThrow(/Not found/);
    await expect(open({ source: 'repo', ref: 'v1' })).rejects.toThrow(/--ref is for git/);
    expect(readdirSync(join(root, 'tmp'))).toEqual([]);
  });

  it('is found through every kind of source that a marketplace has', async () => {
    const { url, first, openListed } = repository();
    expect((await openListed({ source: 'url', url })).version).toBe('2.0.0');
    expect((await openListed({ source: 'url', url, ref: 'v1' })).version).toBe('1.0.0');
    expect((await openListed({ source: 'url', url, path: 'kit/inner' })).files).toContain('commands/b.toml');
    expect((await openListed({ source: 'git-subdir', url, path: 'kit/inner' })).name).toBe('listed');
    expect((await openListed({ source: 'url', url, ref: 'main', sha: first })).version).toBe('1.0.0');
    await expect(openListed({ source: 'git-subdir', url, path: '../x' })).rejects.toThrow(/no folder/);
    await expect(openListed({ source: 'url' })).rejects.toThrow(/"url" is missing/);
    await expect(openListed({ source: 'github', repo: 'a/b/../c' })).rejects.toThrow(/owner\/name/);
    await expect(openListed({ source: 'npm', package: '@x/y' })).rejects.toThrow(/npm package @x\/y/);
    await expect(openListed(undefined)).rejects.toThrow(/source is not known/);
  });

  it('is refused when the commit is another one than the marketplace pins', async () => {
    const { url, first, openListed } = repository();
    const other = first.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    await expect(openListed({ source: 'url', url, sha: other })).rejects.toThrow();
    await expect(openListed({ source: 'url', url, sha: first.slice(0, 10) })).rejects.toThrow(
      /the commit is/,
    );
    await expect(openListed({ source: 'url', url, sha: 'main' })).rejects.toThrow(/is not a commit/);
  });
});
