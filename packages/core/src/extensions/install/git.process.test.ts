import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addFiles, folderWith } from '../extension-folders.test-helper.js';
import { checkForUpdate } from '../update/check.js';
import { updateExtension } from '../update/update.js';
import { GithubServer } from './github/github-server.test-helper.js';
import { installExtension } from './install.js';
import { InstallLab } from './install-lab.test-helper.js';

let lab: InstallLab;
let repository: string;
let url: string;
beforeEach(() => {
  lab = new InstallLab();
  lab.variables['GIT_CONFIG_GLOBAL'] = '/dev/null';
  repository = folderWith();
  url = `file://${repository}`;
  git('init', '-q', '-b', 'main');
  git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  commit('1.0.0');
});
afterEach(() => lab.remove());

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
  const env = {
    PATH: process.env['PATH'],
    HOME: lab.home,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  };
  return execFileSync('git', [...identity, ...args], { cwd: repository, encoding: 'utf8', env }).trim();
}

function commit(version: string): string {
  addFiles(repository, { 'gemini-extension.json': { name: 'demo', version } });
  git('add', '-A');
  git('commit', '-q', '-m', version);
  return git('rev-parse', 'HEAD');
}

const install = (more: object = {}) => installExtension({ source: url, ...more }, lab.ports());
const check = () => checkForUpdate(lab.only(), lab.ports());

describe('a git repository', () => {
  it('is cloned without its history, and updated when its branch moves', async () => {
    await install();
    expect(lab.only()).toMatchObject({ version: '1.0.0', installMetadata: { source: url, type: 'git' } });
    expect(existsSync(join(lab.root, 'demo/.git/shallow'))).toBe(true);
    expect(await check()).toEqual({ status: 'up to date' });
    const newer = commit('2.0.0');
    expect(await check()).toEqual({ status: 'update available', newer });
    await updateExtension('demo', lab.ports());
    expect(lab.only().version).toBe('2.0.0');
    expect(await check()).toEqual({ status: 'up to date' });
  });

  it('is taken at a branch, a tag, an annotated tag or a commit', async () => {
    const first = git('rev-parse', 'HEAD');
    git('tag', 'light');
    git('tag', '-a', '-m', 'x', 'heavy');
    git('branch', 'side');
    commit('2.0.0');
    for (const ref of ['side', 'light', 'heavy', first]) {
      const home = new InstallLab();
      home.variables['GIT_CONFIG_GLOBAL'] = '/dev/null';
      await installExtension({ source: url, ref }, home.ports());
      expect(home.only(), ref).toMatchObject({ version: '1.0.0', installMetadata: { ref } });
      expect(await checkForUpdate(home.only(), home.ports()), ref).toEqual({ status: 'up to date' });
      home.remove();
    }
  });

  it('can hold the extension in a folder', async () => {
    addFiles(repository, { 'packages/x/gemini-extension.json': { name: 'inner', version: '3' } });
    git('add', '-A');
    git('commit', '-q', '-m', 'inner');
    await install({ path: 'packages/x' });
    expect(lab.only()).toMatchObject({ name: 'inner', installMetadata: { path: 'packages/x' } });
    expect(await check()).toEqual({ status: 'up to date' });
    git('commit', '-q', '--allow-empty', '-m', 'next');
    await updateExtension('inner', lab.ports());
    expect(await check()).toEqual({ status: 'up to date' });
  });

  it('that brings hooks and filters runs nothing', async () => {
    const mark = join(lab.base, 'ran');
    mkdirSync(join(repository, 'githooks'));
    writeFileSync(join(repository, 'githooks/post-checkout'), `#!/bin/sh\ntouch '${mark}'\n`, {
      mode: 0o755,
    });
    addFiles(repository, { '.gitattributes': '* filter=evil\n' });
    git('config', 'core.hooksPath', 'githooks');
    commit('1.0.1');
    await install();
    expect(existsSync(mark)).toBe(false);
  });

  it.each([
    ['that is not there', 'file:///nowhere/at/all', undefined],
    ['without the ref', undefined, 'missing'],
    ['with an option as ref', undefined, '--upload-pack=touch /tmp/x'],
    ['of a transport that runs programs', 'ssh://-oProxyCommand=x/y', undefined],
  ])('%s is an error, and nothing is changed', async (_what, source = url, ref) => {
    const before = lab.state();
    const request = { source, ...(ref !== undefined && { ref }) };
    await expect(installExtension(request, lab.ports())).rejects.toThrow(/Cannot fetch|Not a source/);
    expect(lab.state()).toEqual(before);
  });

  it('on GitHub is cloned without a question if it has no release, and after one if GitHub fails', async () => {
    const github = await GithubServer.start('owner/demo');
    const config = join(lab.base, 'gitconfig');
    writeFileSync(config, `[url "${url}"]\n\tinsteadOf = https://github.com/owner/demo\n`);
    Object.assign(lab.variables, { GIT_CONFIG_GLOBAL: config, GEMINI_CLI_GITHUB_API_URL: github.address });
    const source = 'https://github.com/owner/demo';
    github.publish();
    await installExtension({ source }, lab.ports());
    expect(lab.questions).toEqual([]);
    expect(lab.only().installMetadata).toEqual({ source, type: 'git' });
    github.on('/repos/owner/demo/releases/latest', (response) => response.writeHead(502).end());
    await expect(updateExtension('demo', lab.ports())).rejects.toThrow('status 502');
    commit('2.0.0');
    await updateExtension('demo', lab.ports({ ask: async () => true }));
    expect(lab.only().version).toBe('2.0.0');
    await github.close();
  });

  it('on GitHub with a plugin is cloned, whatever it releases', async () => {
    const github = await GithubServer.start('owner/demo');
    const config = join(lab.base, 'gitconfig');
    writeFileSync(config, `[url "${url}"]\n\tinsteadOf = https://github.com/owner/demo\n`);
    Object.assign(lab.variables, { GIT_CONFIG_GLOBAL: config, GEMINI_CLI_GITHUB_API_URL: github.address });
    github.on('/repos/owner/demo/releases/latest', (response) => response.writeHead(502).end());
    const source = 'https://github.com/owner/demo';
    const convertPlugin = async (plugin: string, into: string) =>
      cpSync(join(plugin, 'gemini-extension.json'), join(into, 'gemini-extension.json'));
    await installExtension({ source, convertedFrom: 'claude-plugin' }, lab.ports({ convertPlugin }));
    expect(lab.questions).toEqual([]);
    expect(lab.only().installMetadata).toEqual({ source, type: 'git', convertedFrom: 'claude-plugin' });
    await github.close();
  });
});
