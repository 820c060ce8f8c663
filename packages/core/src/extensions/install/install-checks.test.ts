import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { convertPluginFolder } from '../convert/convert-folder.js';
import { addFiles, type FileContents, folderWith } from '../extension-folders.test-helper.js';
import { installExtension, linkExtension } from './install.js';
import { InstallLab } from './install-lab.test-helper.js';
import { uninstallExtension } from './uninstall.js';

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

describe('the user', () => {
  it('is told everything, and nothing is installed without a yes', async () => {
    const source = folderWith(FILES);
    const refuse = lab.ports({ consent: async () => false });
    await expectRefused(() => installExtension({ source }, refuse), 'you did not agree');
    const { consent: _, ...silent } = lab.ports();
    await expectRefused(() => installExtension({ source }, silent), 'add --consent');
  });

  it('must trust the workspace and the source folder, which is not part of the consent', async () => {
    const source = folderWith({ ...FILES, 'commands/a.toml': 'prompt = "x"', 'agents/b.md': 'x' });
    const trusted = new Set<string>();
    const trust = {
      isTrusted: (folder: string) => trusted.has(folder),
      setTrusted: async (folder: string) => void trusted.add(folder),
    };
    const ports = lab.ports({ trust });
    await expectRefused(() => installExtension({ source }, ports), `${lab.work} is not trusted`);
    trusted.add(lab.work);
    await expectRefused(() => installExtension({ source }, ports), `${source} is not trusted`);
    expect(lab.questions.at(-1)).toMatch(/is not trusted yet\. It contains commands: 1, agents: 1\./);
    await installExtension({ source }, { ...ports, ask: async () => true });
    expect(trusted.has(source)).toBe(true);
  });

  it('is told that the name is taken, whatever its case, and from where', async () => {
    const first = folderWith(FILES);
    await install(first);
    const second = folderWith({ 'gemini-extension.json': { name: 'DEMO', version: '2' } });
    await expectRefused(() => install(second), `"demo" is already installed from ${first}`);
  });
});

describe('rules about sources', () => {
  const installWith = (settings: object, source: string) =>
    installExtension({ source }, lab.ports({ settings }));

  it('refuse git repositories, and everything that is not on the list', async () => {
    const source = folderWith(FILES);
    const noGit = { security: { blockGitExtensions: true } };
    await expectRefused(
      () => installWith(noGit, 'https://git.example/a'),
      'disabled by security.blockGitExtensions',
    );
    await expectRefused(
      () => installWith(noGit, 'owner/repository'),
      'disabled by security.blockGitExtensions',
    );
    const list = { security: { allowedExtensions: ['https://good\\.example/.*'] } };
    for (const bad of [source, 'https://bad.example/?https://good.example/x', 'https://good.example.evil/a'])
      await expectRefused(() => installWith(list, bad), 'is not in security.allowedExtensions');
    await expectRefused(
      () => installWith({ admin: { extensions: { enabled: false } } }, source),
      'administrator',
    );
    await expectRefused(() => linkExtension(source, lab.ports({ settings: list })), 'not in security');
    await installWith(noGit, source);
  });

  it('allow what is on the list', async () => {
    const source = folderWith(FILES);
    await installWith({ security: { allowedExtensions: [`^${source}$`], blockGitExtensions: true } }, source);
    expect(lab.only().name).toBe('demo');
  });
});

describe('a plugin of another program', () => {
  const plugin: FileContents = {
    '.claude-plugin/plugin.json': { name: 'helper', version: '3.1.0' },
    'commands/go.md': 'Go $ARGUMENTS',
  };

  it('is converted when that was asked for, and named otherwise', async () => {
    const source = folderWith(plugin);
    await expectRefused(() => install(source), 'gemini extensions import converts it');
    const convertPlugin = async (dir: string, into: string) => {
      await convertPluginFolder({ folder: dir, into, environment: lab.ports().environment });
    };
    await installExtension({ source, convertedFrom: 'claude-plugin' }, lab.ports({ convertPlugin }));
    expect(lab.only()).toMatchObject({
      name: 'helper',
      version: '3.1.0',
      installMetadata: { source, type: 'local', convertedFrom: 'claude-plugin' },
    });
    expect(readFileSync(join(lab.root, 'helper/commands/go.toml'), 'utf8')).toContain('{{args}}');
  });
});

describe('a manifest with a mistake', () => {
  it.each<[string, string | Buffer | object, RegExp]>([
    ['is empty', '', /not valid JSON/],
    ['is cut off', '{"name": "demo", "version', /not valid JSON.*line 1/],
    ['is a list', [], /must hold a JSON object/],
    ['is a text', '"demo"', /must hold a JSON object|not valid JSON/],
    ['has no name', { version: '1' }, /name is missing/],
    ['has no version', { name: 'demo' }, /version is missing/],
    ['has a number as name', { name: 7, version: '1' }, /name must be a text/],
    ['has a name that leads up', { name: '../demo', version: '1' }, /"\.\.\/demo" is not allowed/],
    ['has a name with a separator', { name: 'a/b', version: '1' }, /is not allowed/],
    ['has a name with a backslash', { name: 'a\\b', version: '1' }, /is not allowed/],
    ['has a hidden name', { name: '.staging', version: '1' }, /is not allowed/],
    ['has a variable as name', { name: '${extensionPath}', version: '1' }, /is not allowed/],
    ['has control characters in its name', { name: 'a\u001b[2J', version: '1' }, /"a\?\[2J" is not allowed/],
    ['is UTF-16', Buffer.from('\ufeff{"name":"demo","version":"1"}', 'utf16le'), /UTF-16/],
    ['holds a path', '../other/gemini-extension.json', /symbolic link that was checked out as text/],
    ['is too large', `{"name":"demo","version":"1","x":"${'x'.repeat(5 * 1024 * 1024)}"}`, /cannot be read/],
  ])('that %s is refused', async (_what, manifest, reason) => {
    const source = folderWith({ 'gemini-extension.json': manifest });
    await expectRefused(() => install(source), reason);
  });

  it('that is a folder, a link out or absent is refused', async () => {
    await expectRefused(
      () => install(folderWith({ 'gemini-extension.json/x': '' })),
      /cannot be read|not found/,
    );
    const linked = folderWith();
    symlinkSync(join(folderWith(FILES), 'gemini-extension.json'), join(linked, 'gemini-extension.json'));
    await expectRefused(() => install(linked), 'is a link that leaves the extension');
    await expectRefused(() => install(folderWith()), 'Configuration file not found');
  });

  it('is named with the path of the author, not of the copy', async () => {
    const source = folderWith({ 'gemini-extension.json': { name: 'demo' } });
    await expectRefused(
      () => install(source),
      `version is missing in ${join(source, 'gemini-extension.json')}`,
    );
  });

  it('in one part is installed, and the part is named', async () => {
    const source = folderWith({
      'gemini-extension.json': `\ufeff// comment\n${JSON.stringify({ ...MANIFEST, mcpServers: 7, settings: 'x' })}`,
    });
    await install(source);
    expect(lab.notices.join('\n')).toMatch(/mcpServers[\s\S]*settings/);
  });
});

describe('what is written as the source', () => {
  it.each(['', '  ', '-c', '--upload-pack=x', 'a\nb', 'nowhere-at-all', './nowhere', '/etc/passwd'])(
    'is refused when it is "%s"',
    async (source) => {
      await expectRefused(() => install(source), /Not a source|no such folder|is not a folder/);
    },
  );

  it('can be a path from the workspace or the home folder', async () => {
    addFiles(join(lab.work, 'mine'), FILES);
    await install('mine');
    await uninstallExtension('demo', lab.ports());
    addFiles(join(lab.home, 'mine'), FILES);
    await install('~/mine');
    expect(lab.only().installMetadata?.source).toBe(join(lab.home, 'mine'));
  });
});
