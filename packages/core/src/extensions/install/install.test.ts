import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type TarEntry, tarGzOf } from '../../platform/archives/tar.test-helper.js';
import { withFileLock } from '../../platform/locks/file-lock.js';
import { zipOf } from '../../skills/install/zip.test-helper.js';
import { addFiles, type FileContents, folderWith } from '../extension-folders.test-helper.js';
import { secretService } from '../settings/read-values.js';
import { INSTALL_METADATA_FILE } from '../types.js';
import { installExtension, linkExtension } from './install.js';
import { InstallLab, stateBelow } from './install-lab.test-helper.js';
import { integrityStore } from './records.js';
import { uninstallExtension } from './uninstall.js';
import { watchingDisk } from './watched-disk.test-helper.js';

const MANIFEST = { name: 'demo', version: '1.0.0' };
const FILES: FileContents = { 'gemini-extension.json': MANIFEST, 'GEMINI.md': 'Be kind.\n' };

let lab: InstallLab;
beforeEach(() => {
  lab = new InstallLab();
});
afterEach(() => lab.remove());

const install = (source: string, more: object = {}) => installExtension({ source, ...more }, lab.ports());

/** The reason is given, and the home folder is as it was. */
async function expectRefused(work: () => Promise<unknown>, reason: RegExp | string): Promise<void> {
  const before = lab.state();
  await expect(work()).rejects.toThrow(reason);
  expect(lab.state()).toEqual(before);
}

describe('a local folder', () => {
  it('is copied with everything it needs, and with no file that only the program writes', async () => {
    const source = folderWith({
      ...FILES,
      'bin/run': '#!/bin/sh\n',
      '.env': 'DEMO_URL=https://elsewhere.example\n',
      [INSTALL_METADATA_FILE]: { source: 'https://elsewhere.example/x', type: 'git' },
      '.gemini-extension-workspaces.json': { workspaces: ['/elsewhere'] },
      '.git/config': 'x',
      'node_modules/a/.git/config': 'x',
      'node_modules/a/index.js': '1',
    });
    const { installPath } = await install(source);
    expect(installPath).toBe(join(lab.root, 'demo'));
    expect(Object.keys(stateBelow(installPath))).toEqual([
      INSTALL_METADATA_FILE,
      'GEMINI.md',
      'bin',
      'bin/run',
      'gemini-extension.json',
      'node_modules',
      'node_modules/a',
      'node_modules/a/index.js',
    ]);
    expect(lab.only()).toMatchObject({
      ...MANIFEST,
      isActive: true,
      installMetadata: { source, type: 'local' },
      contextFiles: [join(installPath, 'GEMINI.md')],
    });
    const metadata = { source, type: 'local' as const };
    expect(await integrityStore(lab.ports()).verify('demo', metadata)).toBe('verified');
    expect(existsSync(join(lab.root, '.staging'))).toBe(false);
    const rules = JSON.parse(readFileSync(join(lab.root, 'extension-enablement.json'), 'utf8'));
    expect(rules).toEqual({ demo: { overrides: [`${lab.home}/*`] } });
  });

  it('can be below the repository, with --path', async () => {
    const source = folderWith({ 'packages/demo/gemini-extension.json': MANIFEST, 'README.md': 'x' });
    await install(source, { path: 'packages/demo' });
    expect(lab.only().installMetadata).toEqual({ source, type: 'local', path: 'packages/demo' });
    expect(existsSync(join(lab.root, 'demo/README.md'))).toBe(false);
  });

  it.each(['../outside', '/etc', 'link', 'missing', 'gemini-extension.json'])(
    'is refused when --path is %s',
    async (path) => {
      const source = folderWith(FILES);
      symlinkSync('/etc', join(source, 'link'));
      await expectRefused(() => install(source, { path }), /--path must stay inside|no folder|not a folder/);
    },
  );

  it('takes neither --ref nor --auto-update', async () => {
    const source = folderWith(FILES);
    await expectRefused(() => install(source, { ref: 'main' }), '--ref and --auto-update are for git');
    await expectRefused(() => install(source, { autoUpdate: true }), '--ref and --auto-update are for git');
  });

  it('keeps links that stay inside, and absolute ones become relative', async () => {
    const source = folderWith({ ...FILES, 'lib/a.js': '1' });
    mkdirSync(join(source, 'bin'));
    symlinkSync('../lib/a.js', join(source, 'bin/a'));
    symlinkSync(join(source, 'lib/a.js'), join(source, 'bin/b'));
    await install(source);
    rmSync(source, { recursive: true });
    expect(readlinkSync(join(lab.root, 'demo/bin/a'))).toBe('../lib/a.js');
    expect(readFileSync(join(lab.root, 'demo/bin/b'), 'utf8')).toBe('1');
  });

  it.each([
    ['to a file outside', '/etc/passwd'],
    ['to a folder above', '..'],
    ['to a file that does not exist outside', '../../nothing'],
  ])('with a link %s is refused', async (_what, target) => {
    const source = folderWith(FILES);
    symlinkSync(target, join(source, 'link'));
    await expectRefused(() => install(source), 'link is a link that leaves the extension');
  });

  it('is installed without the links out that a package manager made, which are named', async () => {
    const source = folderWith({
      ...FILES,
      '.venv/pyvenv.cfg': 'home = /usr/bin',
      'node_modules/a/i.js': '1',
    });
    mkdirSync(join(source, '.venv/bin'));
    symlinkSync('/usr/bin/env', join(source, '.venv/bin/python3'));
    symlinkSync('../../elsewhere', join(source, 'node_modules/b'));
    await install(source);
    expect(existsSync(join(lab.root, 'demo/node_modules/a/i.js'))).toBe(true);
    expect(Object.values(lab.state()).filter((state) => state.startsWith('->'))).toEqual([]);
    expect(lab.notices.join('\n')).toMatch(/left out: (?=.*\.venv\/bin\/python3).*node_modules\/b/);
  });

  it('with a socket is refused', async () => {
    const source = folderWith(FILES);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(source, 's'), resolve));
    onTestFinished(() => void server.close());
    await expectRefused(() => install(source), 'is neither a file nor a folder');
  });

  it('that holds the home folder is refused', async () => {
    addFiles(lab.base, FILES);
    await expectRefused(() => install(lab.base), 'contains the folder of the installed extensions');
  });

  it('that cannot be written to by its owner becomes writable', async () => {
    const source = folderWith(FILES);
    writeFileSync(join(source, 'locked'), 'x', { mode: 0o400 });
    await install(source);
    expect(statSync(join(lab.root, 'demo/locked')).mode & 0o777).toBe(0o644);
  });
});

describe('a source that changes while it is installed', () => {
  it('is installed as it was when the user agreed', async () => {
    const source = folderWith(FILES);
    const consent = async () => {
      addFiles(source, { 'gemini-extension.json': { name: 'evil', version: '6' }, 'GEMINI.md': 'Be evil.' });
      return true;
    };
    await installExtension({ source }, lab.ports({ consent }));
    expect(lab.only()).toMatchObject(MANIFEST);
    expect(readFileSync(join(lab.root, 'demo/GEMINI.md'), 'utf8')).toBe('Be kind.\n');
  });

  it('cannot make the program copy a file from elsewhere', async () => {
    const source = folderWith(FILES);
    const secret = join(folderWith({ key: 'PRIVATE' }), 'key');
    const path = join(source, 'GEMINI.md');
    const replaceOnce = (_change: string, args: readonly unknown[]) => {
      if (!String(args[0]).endsWith('new/GEMINI.md')) return;
      rmSync(path);
      symlinkSync(secret, path);
    };
    await watchingDisk(replaceOnce, () => install(source));
    expect(JSON.stringify(lab.state())).not.toContain('PRIVATE');
    expect(readFileSync(join(lab.root, 'demo/GEMINI.md'), 'utf8')).toBe('Be kind.\n');
  });

  it('cannot make the program copy a folder from elsewhere', async () => {
    const source = folderWith({ ...FILES, 'lib/a.js': '1' });
    const secrets = folderWith({ key: 'PRIVATE' });
    const before = lab.state();
    const replaceOnce = (change: string, [target]: readonly unknown[]) => {
      if (change !== 'mkdirSync' || !String(target).endsWith('new/lib')) return;
      rmSync(join(source, 'lib'), { recursive: true });
      symlinkSync(secrets, join(source, 'lib'));
    };
    await expect(watchingDisk(replaceOnce, () => install(source))).rejects.toThrow(/changed|link/);
    expect(lab.state()).toEqual(before);
  });
});

it('touches no unfinished file while another process writes it', async () => {
  const { globalDir } = lab.ports();
  const file = join(globalDir, 'extension_integrity.json');
  const half = join(globalDir, '.extension_integrity.json.0123456789abcdef.tmp');
  const store = integrityStore(lab.ports());
  let removed: Promise<void> | undefined;
  await withFileLock(file, async () => {
    writeFileSync(half, 'x');
    removed = store.remove('demo');
    await new Promise((resolve) => setImmediate(resolve));
    expect(existsSync(half)).toBe(true);
  });
  await removed;
  expect(existsSync(half)).toBe(false);
});

it('leaves nothing behind that an earlier, killed process had not finished writing', async () => {
  const source = folderWith(FILES);
  const before = lab.state();
  const half = (name: string) => writeFileSync(join(lab.globalDir, name), '{');
  half('.extension_integrity.json.0123456789abcdef.tmp');
  await install(source);
  half('.extension_integrity.json.0123456789abcdee.tmp');
  await uninstallExtension('demo', lab.ports());
  expect(lab.state()).toEqual(before);
});

describe('an archive', () => {
  const tarEntries = (prefix: string): TarEntry[] => [
    { name: 'pax', type: 'g', data: '' },
    { name: `${prefix}gemini-extension.json`, data: JSON.stringify(MANIFEST) },
    { name: `${prefix}bin/run`, data: '#!', mode: 0o755 },
  ];
  const write = (name: string, bytes: Buffer) => {
    const file = join(folderWith(), name);
    writeFileSync(file, bytes);
    return file;
  };

  it.each([
    ['a.tar.gz', tarGzOf(tarEntries(''))],
    ['b.tgz', tarGzOf(tarEntries('./'))],
    ['c.tar.gz', tarGzOf(tarEntries('demo-1.0.0/'))],
    [
      'd.zip',
      zipOf([{ name: 'gemini-extension.json', data: JSON.stringify(MANIFEST) }, { name: 'bin/run' }]),
    ],
    [
      'e.zip',
      zipOf([
        { name: 'demo/gemini-extension.json', data: JSON.stringify(MANIFEST) },
        { name: 'demo/bin/run' },
      ]),
    ],
  ])('%s is extracted, with or without a folder around everything', async (name, bytes) => {
    const file = write(name, bytes);
    await install(file);
    expect(lab.only()).toMatchObject({ ...MANIFEST, installMetadata: { source: file, type: 'local' } });
    expect(existsSync(join(lab.root, 'demo/bin/run'))).toBe(true);
  });

  const first: TarEntry = { name: 'gemini-extension.json', data: JSON.stringify(MANIFEST) };
  it.each<[string, TarEntry[], RegExp]>([
    ['leads up', [{ name: '../../x', data: 'x' }], /would leave the folder/],
    ['is absolute', [{ name: '/tmp/x', data: 'x' }], /not a plain relative path/],
    ['is a link out', [{ name: 'l', type: '2', link: '../..' }], /link that leaves/],
    ['is an absolute link', [{ name: 'l', type: '2', link: '/etc/passwd' }], /link that leaves/],
    ['is a second name of a file elsewhere', [{ name: 'l', type: '1', link: '/etc/passwd' }], /refused/],
    ['is a device', [{ name: 'd', type: '3' }], /special file/],
    ['is a pipe', [{ name: 'p', type: '6' }], /special file/],
    ['is there twice', [{ name: 'GEMINI-extension.json', data: '{}' }], /is there twice/],
    ['explodes', [{ name: 'zeros', data: Buffer.alloc(32 * 1024 * 1024) }], /100 times its size/],
    [
      'leaves through two links',
      [
        { name: 'a', type: '2', link: 'b/..' },
        { name: 'b', type: '2', link: '.' },
      ],
      /link that leaves/,
    ],
  ])('with an entry that %s is refused', async (_what, entries, reason) => {
    const file = write('bad.tar.gz', tarGzOf([first, ...entries]));
    await expectRefused(() => install(file), reason);
  });

  it('that is cut off, or is none, is refused', async () => {
    const whole = tarGzOf([first, { name: 'b', data: 'x'.repeat(4000) }]);
    await expectRefused(
      () => install(write('cut.tar.gz', whole.subarray(0, whole.length - 20))),
      /cut\.tar\.gz/,
    );
    await expectRefused(() => install(write('no.zip', Buffer.from('hello'))), /no\.zip/);
    await expectRefused(() => install(write('no.tar.gz', Buffer.from('hello'))), /no\.tar\.gz/);
  });
});

describe('a link', () => {
  it('has a folder with only the metadata, and uses the source as it is', async () => {
    const source = folderWith(FILES);
    await linkExtension(source, lab.ports());
    expect(Object.keys(stateBelow(join(lab.root, 'demo')))).toEqual([INSTALL_METADATA_FILE]);
    expect(lab.consents[0]).toContain('Linking extension "demo" (1.0.0)');
    addFiles(source, { 'gemini-extension.json': { ...MANIFEST, version: '2.0.0' } });
    expect(lab.only()).toMatchObject({ version: '2.0.0', path: source, installMetadata: { type: 'link' } });
  });

  it('is removed without its source', async () => {
    const source = folderWith(FILES);
    const [before, files] = [lab.state(), stateBelow(source)];
    await linkExtension(source, lab.ports());
    await uninstallExtension('DEMO', lab.ports());
    expect([lab.state(), stateBelow(source)]).toEqual([before, files]);
  });

  it('is removed with its secrets when its source is gone', async () => {
    const source = folderWith({
      'gemini-extension.json': { ...MANIFEST, settings: [{ name: 'Key', envVar: 'KEY', sensitive: true }] },
    });
    const before = lab.state();
    await linkExtension(source, lab.ports());
    await lab.secrets().set(secretService(lab.only()), 'KEY', 'secret');
    rmSync(source, { recursive: true });
    await uninstallExtension('demo', lab.ports());
    expect(lab.state()).toEqual(before);
  });

  it('leads only to a folder with a manifest', async () => {
    await expectRefused(
      () => linkExtension('https://github.com/a/b', lab.ports()),
      'Only a folder can be linked',
    );
    const empty = folderWith();
    await expectRefused(() => linkExtension(empty, lab.ports()), `Configuration file not found at ${empty}`);
  });
});

describe('two installs at once', () => {
  it('of one extension give one whole extension and one error', async () => {
    const sources = [folderWith(FILES), folderWith({ ...FILES, 'GEMINI.md': 'Be quick.' })];
    const results = await Promise.allSettled(sources.map((source) => install(source)));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const failed = results.find((one) => one.status === 'rejected');
    expect(String(failed?.reason)).toContain('"demo" is already installed');
    const winner = sources[results.findIndex(({ status }) => status === 'fulfilled')] ?? '';
    expect(lab.only().installMetadata?.source).toBe(winner);
    expect(existsSync(join(lab.root, '.staging'))).toBe(false);
  });

  it('of different extensions both succeed', async () => {
    const names = ['one', 'two', 'three', 'four'];
    await Promise.all(
      names.map((name) => install(folderWith({ 'gemini-extension.json': { name, version: '1' } }))),
    );
    expect(lab.loaded().map(({ name }) => name)).toEqual([...names].sort());
    for (const { name, installMetadata } of lab.loaded())
      if (installMetadata)
        expect(await integrityStore(lab.ports()).verify(name, installMetadata)).toBe('verified');
  });
});
