import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tarGzOf } from '../../../platform/archives/tar.test-helper.js';
import { PageServer } from '../../../platform/net/page-server.test-helper.js';
import { zipOf } from '../../../skills/install/zip.test-helper.js';
import { checkForUpdate } from '../../update/check.js';
import { updateExtension } from '../../update/update.js';
import { installExtension } from '../install.js';
import { InstallLab } from '../install-lab.test-helper.js';
import type { InstallPorts } from '../ports.js';
import { chooseFile } from './assets.js';
import type { GithubLimits } from './github-http.js';
import { GithubServer } from './github-server.test-helper.js';

const SOURCE = 'https://github.com/owner/demo';
const OWN = `${process.platform}.${process.arch}.demo.tar.gz`;

const archive = (version: string, mark = version, prefix = '') =>
  tarGzOf([
    { name: `${prefix}gemini-extension.json`, data: JSON.stringify({ name: 'demo', version }) },
    { name: `${prefix}mark`, data: mark },
  ]);

let lab: InstallLab;
let github: GithubServer;
beforeEach(async () => {
  lab = new InstallLab();
  github = await GithubServer.start('owner/demo');
  lab.variables['GEMINI_CLI_GITHUB_API_URL'] = github.address;
});
afterEach(async () => {
  lab.remove();
  await github.close();
});

const install = (more: object = {}, other: Partial<InstallPorts> = {}) =>
  installExtension({ source: SOURCE, ...more }, lab.ports(other));
const mark = () => readFileSync(join(lab.root, 'demo/mark'), 'utf8');

describe('a release', () => {
  it('is installed from the archive for this machine', async () => {
    const other = process.platform === 'linux' ? 'darwin' : 'linux';
    github.publish({
      tag: 'v1.0.0',
      assets: { [`${other}.x64.demo.tar.gz`]: archive('1.0.0', 'other'), [OWN]: archive('1.0.0', 'own') },
    });
    await install({ autoUpdate: true });
    expect(mark()).toBe('own');
    expect(lab.only().installMetadata).toEqual({
      source: SOURCE,
      type: 'github-release',
      releaseTag: 'v1.0.0',
      autoUpdate: true,
    });
    expect(existsSync(join(lab.root, '.staging'))).toBe(false);
  });

  it('is installed from its only archive, a zip or a tar', async () => {
    const data = JSON.stringify({ name: 'demo', version: '1.0.0' });
    const zip = zipOf([
      { name: 'demo/gemini-extension.json', data },
      { name: 'demo/mark', data: 'zip' },
    ]);
    github.publish({ tag: 'v1.0.0', assets: { 'demo.zip': zip, SHA256SUMS: Buffer.from('x') } });
    await install();
    expect(mark()).toBe('zip');
  });

  it('without archives is installed from its source, which has a folder around it', async () => {
    github.publish({ tag: 'v1.0.0', tarball: archive('1.0.0', 'source', 'owner-demo-abc1234/') });
    await installExtension({ source: 'owner/demo' }, lab.ports());
    expect(mark()).toBe('source');
  });

  it('is the one with the tag of --ref, the latest, or with --pre-release the newest', async () => {
    const release = (tag: string, more: object = {}) => ({
      tag,
      assets: { 'demo.tar.gz': archive(tag.slice(1)) },
      ...more,
    });
    const draft = release('v4.0.0', { isDraft: true });
    github.publish(
      draft,
      release('v3.0.0-beta', { isPreRelease: true }),
      release('v2.0.0'),
      release('v1.0.0'),
    );
    for (const [more, version] of [
      [{ ref: 'v1.0.0' }, '1.0.0'],
      [{}, '2.0.0'],
      [{ allowPreRelease: true }, '3.0.0-beta'],
    ] as const) {
      const home = new InstallLab();
      home.variables['GEMINI_CLI_GITHUB_API_URL'] = github.address;
      await installExtension({ source: SOURCE, ...more }, home.ports());
      expect(home.only().version).toBe(version);
      home.remove();
    }
  });

  it('is the newest when none is marked as the latest', async () => {
    github.publish({ tag: 'v0.1.0', isPreRelease: true, assets: { 'demo.tar.gz': archive('0.1.0') } });
    await install();
    expect(lab.only().version).toBe('0.1.0');
  });
});

describe('the archive of a release', () => {
  const choose = (names: string[], machine = { platform: 'linux', arch: 'arm64' }) =>
    chooseFile(
      {
        tag: 'v1',
        assets: names.map((name) => ({ name, url: `https://h/${name}` })),
        tarball: 'https://h/source',
      },
      machine,
    ).url.slice('https://h/'.length);

  it.each<[string[], string]>([
    [['linux.arm64.x.tar.gz', 'linux.x.tar.gz', 'linux.x64.x.tar.gz'], 'linux.arm64.x.tar.gz'],
    [['linux.x.tar.gz', 'linux.x64.x.tar.gz'], 'linux.x.tar.gz'],
    [['any.zip'], 'any.zip'],
    [['darwin.arm64.x.tar.gz'], 'source'],
    [['one.zip', 'two.zip'], 'source'],
    [['notes.txt'], 'source'],
    [[], 'source'],
  ])('among %j is %s', (names, chosen) => {
    expect(choose(names)).toBe(chosen);
  });

  it('is never one for another architecture', () => {
    expect(() => choose(['linux.x64.x.tar.gz', 'darwin.arm64.x.tar.gz'])).toThrow(
      'no archive for linux on arm64, only: linux.x64.x.tar.gz',
    );
  });
});

describe('the token of the user', () => {
  it('opens a private repository, and is not sent to the host that a redirect names', async () => {
    const storage = await PageServer.start();
    const given: (string | undefined)[] = [];
    storage.on('/repos/owner/demo/releases/assets/v1-demo.tar.gz', (request, response) => {
      given.push(request.headers.authorization);
      response.writeHead(200).end(archive('1.0.0'));
    });
    github.token = 'secret-token';
    github.storage = storage.url('');
    github.publish({ tag: 'v1', assets: { 'demo.tar.gz': archive('1.0.0') } });
    lab.variables['GITHUB_TOKEN'] = 'secret-token';
    await install();
    expect(github.seen.map(({ authorization }) => authorization)).toEqual([
      'Bearer secret-token',
      'Bearer secret-token',
    ]);
    expect(given).toEqual([undefined]);
    expect(JSON.stringify(lab.state())).not.toContain('secret-token');
    await storage.close();
  });

  it('of a project is not used, nor an API address of it', async () => {
    github.publish({ tag: 'v1', assets: { 'demo.tar.gz': archive('1.0.0') } });
    lab.variables['GITHUB_TOKEN'] = 'of-the-project';
    const environment = { ...lab.ports().environment, fromProject: ['GITHUB_TOKEN'] };
    await install({}, { environment });
    expect(github.seen.every(({ authorization }) => authorization === undefined)).toBe(true);
  });
});

describe('a host that fails', () => {
  const failure = async (limits: GithubLimits = { silenceMs: 200, totalMs: 2000 }) => {
    const before = lab.state();
    const error: unknown = await install({}, { limits }).catch((caught: unknown) => caught);
    expect(lab.state()).toEqual(before);
    return String(error);
  };

  it('leads to the question whether to clone, and a no changes nothing', async () => {
    github.on('/repos/owner/demo/releases/latest', (response) => response.writeHead(500).end());
    expect(await failure()).toContain('answered with status 500');
    expect(lab.questions[0]).toContain('Clone the repository with git instead?');
  });

  it('by its limit of requests is named with what to do', async () => {
    github.on('/repos/owner/demo/releases/latest', (response) =>
      response.writeHead(403, { 'x-ratelimit-remaining': '0' }).end(),
    );
    expect(await failure()).toContain('set GITHUB_TOKEN or wait an hour');
  });

  it('by silence is given up', async () => {
    github.on('/repos/owner/demo/releases/latest', () => {});
    expect(await failure()).toContain('Cannot read from 127.0.0.1');
  });

  it('by an answer that never ends is given up', async () => {
    github.on('/repos/owner/demo/releases/latest', (response) => {
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
      response.writeHead(200);
    });
    expect(await failure({ silenceMs: 2000, totalMs: 60_000, answerMs: 200 })).toContain(
      'Cannot read from 127.0.0.1',
    );
  });

  it('in the middle of a file is given up, and the user is asked', async () => {
    github.publish({ tag: 'v1', assets: { 'demo.tar.gz': archive('1.0.0') } });
    github.on('/owner/demo/releases/download/v1/demo.tar.gz', (response) =>
      response.writeHead(200, { 'content-length': '1000' }).write('half'),
    );
    expect(await failure()).toContain('Cannot read from 127.0.0.1');
    expect(lab.questions).toHaveLength(1);
  });

  it('by not being there is named', async () => {
    await github.close();
    expect(await failure()).toContain('Cannot read from 127.0.0.1');
  });

  it('by redirecting forever is given up', async () => {
    github.on('/repos/owner/demo/releases/latest', (response, { url = '' }) =>
      response.writeHead(302, { location: url }).end(),
    );
    expect(await failure()).toContain('redirects too often');
  });

  it('by an answer that is not a release is named', async () => {
    github.on('/repos/owner/demo/releases/latest', (response) => response.writeHead(200).end('[1]'));
    expect(await failure()).toContain('not a release');
  });

  it('by a hostile archive is refused without a clone', async () => {
    const evil = tarGzOf([{ name: '../../evil', data: 'x' }]);
    github.publish({ tag: 'v1', assets: { 'demo.tar.gz': evil } });
    expect(await failure()).toContain('would leave the folder');
    expect(lab.questions).toEqual([]);
  });
});

describe('an update', () => {
  it('is there when the tag differs, and brings the new release', async () => {
    github.publish({ tag: 'v1', assets: { 'demo.tar.gz': archive('1.0.0') } });
    await install();
    expect(await checkForUpdate(lab.only(), lab.ports())).toEqual({ status: 'up to date' });
    github.publish({ tag: 'v2', assets: { 'demo.tar.gz': archive('2.0.0') } });
    expect(await checkForUpdate(lab.only(), lab.ports())).toEqual({
      status: 'update available',
      newer: 'v2',
    });
    expect(await updateExtension('demo', lab.ports())).toMatchObject({
      previousVersion: '1.0.0',
      version: '2.0.0',
    });
    expect(lab.only()).toMatchObject({ version: '2.0.0', installMetadata: { releaseTag: 'v2' } });
    expect(lab.consents).toHaveLength(1);
  });

  it('that cannot be checked is an error, with the reason', async () => {
    github.publish({ tag: 'v1', assets: { 'demo.tar.gz': archive('1.0.0') } });
    await install();
    github.on('/repos/owner/demo/releases/latest', () => {});
    const limits = { silenceMs: 5000, totalMs: 150 };
    expect(await checkForUpdate(lab.only(), lab.ports({ limits }))).toEqual({
      status: 'error',
      message: 'the source did not answer in time',
    });
  });

  it('follows an extension to its new source if that answers', async () => {
    const moved = (version: string, name: string, migratedTo?: string) =>
      tarGzOf([{ name: 'gemini-extension.json', data: JSON.stringify({ name, version, migratedTo }) }]);
    const first = moved('1.0.0', 'demo', 'https://github.com/owner/next');
    github.publish({ tag: 'v1', assets: { 'demo.tar.gz': first } });
    await install();
    lab.variables['GIT_CONFIG_GLOBAL'] = '/dev/null';
    const next = await GithubServer.start('owner/next');
    next.publish({ tag: 'n1', assets: { 'next.tar.gz': moved('5.0.0', 'next') } });
    lab.variables['GEMINI_CLI_GITHUB_API_URL'] = next.address;
    expect(await checkForUpdate(lab.only(), lab.ports())).toEqual({
      status: 'update available',
      newer: 'n1',
    });
    expect(await updateExtension('demo', lab.ports())).toMatchObject({ previousName: 'demo', name: 'next' });
    expect(lab.consents.at(-1)).toContain(
      'which is called "next" now from its new source https://github.com/owner/next',
    );
    expect(lab.only()).toMatchObject({
      name: 'next',
      installMetadata: { source: 'https://github.com/owner/next' },
    });
    await next.close();
  });
});
