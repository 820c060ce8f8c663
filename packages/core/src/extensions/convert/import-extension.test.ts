/** A plugin that is installed as an extension: the installation converts it, now and with each update. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { installExtension } from '../install/install.js';
import type { InstallPorts } from '../install/ports.js';
import { uninstallExtension } from '../install/uninstall.js';
import { loadExtensions } from '../load/load-extensions.js';
import { checkForUpdate } from '../update/check.js';
import { updateExtension } from '../update/update.js';
import { choicesOf } from './choices.js';
import { convertPluginFolder } from './convert-folder.js';
import { snapshot, temporaryFolder, writeFiles } from './plugins.test-helper.js';

function setUp() {
  const root = temporaryFolder();
  const globalDir = join(root, 'home/.gemini');
  mkdirSync(globalDir, { recursive: true });
  const environment = { variables: {}, cwd: root, home: join(root, 'home') };
  const consents: string[] = [];
  const losses: string[] = [];
  const ports: InstallPorts = {
    environment,
    globalDir,
    settings: {},
    secrets: {
      get: async () => undefined,
      set: async () => 'file',
      delete: async () => {},
      entries: async () => [],
    },
    trust: { isTrusted: () => true, setTrusted: async () => {} },
    consent: async (text) => {
      consents.push(text);
      return true;
    },
    notice: () => {},
    convertPlugin: async (folder, into, { conversion }) => {
      const { rows } = await convertPluginFolder({ folder, into, ...choicesOf(conversion), environment });
      losses.push(...rows.flatMap(({ action, reason }) => (action === 'warned' ? [reason ?? ''] : [])));
    },
  };
  const plugin = join(root, 'demo');
  const write = (version: string, agent: string) =>
    writeFiles(plugin, {
      '.claude-plugin/plugin.json': { name: 'demo', version },
      'agents/deep/a.md': `---\nname: a\ndescription: A\ntools: Read\ncolor: red\n---\n${agent}\n`,
      'hooks/hooks.json': { Stop: [{ hooks: [{ type: 'command', command: agent }] }] },
    });
  return { globalDir, ports, plugin, write, consents, losses };
}

describe('a plugin as an installed extension', () => {
  it('is converted, updated from the plugin, and uninstalled without a trace', async () => {
    const { globalDir, ports, plugin, write, consents, losses } = setUp();
    write('1.0.0', 'first');
    const before = snapshot(globalDir);
    await installExtension({ source: plugin, convertedFrom: 'claude-plugin' }, ports);
    const read = (path: string) => readFileSync(join(globalDir, 'extensions/demo', path), 'utf8');
    expect(JSON.parse(read('.gemini-extension-install.json'))).toMatchObject({
      source: plugin,
      type: 'local',
      convertedFrom: 'claude-plugin',
    });
    expect(read('agents/a.md')).toContain('first');
    expect(consents.at(-1)).toContain('first');
    expect(losses.join('\n')).toContain('hooks differ');
    write('1.1.0', 'second');
    await updateExtension('demo', ports);
    expect(read('agents/a.md')).toContain('second');
    expect(consents.at(-1)).toContain('second');
    await uninstallExtension('demo', ports);
    expect(existsSync(join(globalDir, 'extensions/demo'))).toBe(false);
    const left = Object.keys(snapshot(globalDir)).filter((path) => !/integrity/.test(path));
    expect(left).toEqual(Object.keys(before));
  });

  it('of a marketplace is updated as it was imported: the same plugin, with the same options', async () => {
    const { globalDir, ports, plugin } = setUp();
    const write = (version: string) =>
      writeFiles(plugin, {
        '.claude-plugin/marketplace.json': {
          name: 'm',
          plugins: [
            { name: 'other', source: './other', version: '9.0.0' },
            { name: 'one', source: './one', version },
          ],
        },
        'other/commands/x.md': 'X',
        'one/commands/y.md': `Y ${version}`,
        'one/skills/s/SKILL.md': '---\nname: s\ndescription: S\n---\nS\n',
        'one/hooks/hooks.json': { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] } },
      });
    write('1.0');
    const conversion = { plugin: 'one', options: { name: 'mine', excludeSkills: ['s'], hooks: false } };
    await installExtension({ source: plugin, convertedFrom: 'claude-plugin', conversion }, ports);
    const dir = join(globalDir, 'extensions/mine');
    const files = () => Object.keys(snapshot(dir)).sort();
    const expected = ['.gemini-extension-install.json', 'commands/y.toml', 'gemini-extension.json'];
    expect(files()).toEqual(expected);
    const [extension] = loadExtensions({
      ...ports,
      ...ports.environment,
      globalDir,
      workspacePath: plugin,
      isTrusted: true,
    }).extensions;
    if (!extension) throw new Error('It is not loaded.');
    expect(await checkForUpdate(extension, ports)).toEqual({ status: 'up to date' });
    write('1.1');
    expect(await checkForUpdate(extension, ports)).toMatchObject({
      status: 'update available',
      newer: '1.1.0',
    });
    await updateExtension('mine', ports);
    expect(files()).toEqual(expected);
    expect(readFileSync(join(dir, 'commands/y.toml'), 'utf8')).toContain('Y 1.1');
  });

  it('that cannot be converted changes nothing', async () => {
    const { globalDir, ports, plugin, write } = setUp();
    write('1.0.0', 'first');
    await installExtension({ source: plugin, convertedFrom: 'claude-plugin' }, ports);
    const before = snapshot(globalDir);
    writeFiles(plugin, { '.claude-plugin/plugin.json': '{"name": ' });
    await expect(updateExtension('demo', ports)).rejects.toThrow(/line 1/);
    expect(snapshot(globalDir)).toEqual(before);
  });
});
