import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environmentOf } from '../../platform/environment.js';
import { SecretStore } from '../../platform/secrets/secret-store.js';
import { addFiles, folderWith } from '../extension-folders.test-helper.js';
import { installExtension } from '../install/install.js';
import type { InstallPorts } from '../install/ports.js';
import { readManifest } from '../manifest/read-manifest.js';
import { updateExtension } from './update.js';

const NARROW = { files: { read: ['~/notes'] }, network: ['api.example.com'] };

describe('an update', () => {
  it('asks again when it widens rights, and lists first what is new', async () => {
    const { source, ports, asked } = await installed(NARROW);
    publish(source, '2.0.0', { files: { read: ['~/notes', '~/.ssh'] }, network: ['*.example.com'] });
    await updateExtension('notes', ports);
    const [text = ''] = asked;
    expect(asked).toHaveLength(1);
    expect(text.split('\n').slice(1, 4)).toEqual([
      'It asks for more rights:',
      expect.stringMatching(/^ {2}\* It reads \S*\/\.ssh$/),
      '  * It connects to *.example.com',
    ]);
    expect(text).toContain('Everything else is denied to its hooks and MCP servers');
  });

  it('says that a version without capabilities is not restricted any more', async () => {
    const { source, ports, asked } = await installed(NARROW);
    publish(source, '2.0.0', undefined);
    await updateExtension('notes', ports);
    expect(asked[0]).toContain('  * It no longer declares capabilities');
  });

  it('leaves the old version in place when the user refuses the new rights', async () => {
    const { source, ports, home } = await installed(NARROW);
    publish(source, '2.0.0', { network: ['evil.example'] });
    await expect(updateExtension('notes', { ...ports, consent: async () => false })).rejects.toThrow();
    const folder = join(home, '.gemini', 'extensions', 'notes');
    expect(readManifest(folder, { workspacePath: home }).manifest?.version).toBe('1.0.0');
  });

  it('does not ask when the rights and all else are the same', async () => {
    const { source, ports, asked } = await installed(NARROW);
    publish(source, '2.0.0', NARROW);
    await updateExtension('notes', ports);
    expect(asked).toEqual([]);
  });

  it('lists nothing as new when it asks for less', async () => {
    const { source, ports, asked } = await installed(NARROW);
    publish(source, '2.0.0', { network: ['api.example.com'] });
    await updateExtension('notes', ports);
    expect(asked[0]).not.toContain('It asks for more rights');
  });
});

async function installed(capabilities: object) {
  const home = folderWith();
  const source = folderWith();
  publish(source, '1.0.0', capabilities);
  const asked: string[] = [];
  const env = { HOME: home, GEMINI_CLI_HOME: home, GEMINI_FORCE_FILE_STORAGE: 'true' };
  const ports: InstallPorts = {
    environment: environmentOf(env, home),
    globalDir: join(home, '.gemini'),
    settings: {},
    secrets: new SecretStore({ env }),
    trust: { isTrusted: () => true, setTrusted: async () => {} },
    consent: async (text) => {
      asked.push(text);
      return true;
    },
    notice: () => {},
  };
  await installExtension({ source }, ports);
  asked.length = 0;
  return { home, source, ports, asked };
}

function publish(source: string, version: string, capabilities: object | undefined): void {
  addFiles(source, {
    'gemini-extension.json': { name: 'notes', version, ...(capabilities && { capabilities }) },
  });
}
