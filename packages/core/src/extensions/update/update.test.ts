import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setEnabled } from '../enablement/enablement.js';
import { addFiles, type FileContents, folderWith } from '../extension-folders.test-helper.js';
import { installExtension, linkExtension } from '../install/install.js';
import { InstallLab, stateBelow } from '../install/install-lab.test-helper.js';
import type { InstallPorts } from '../install/ports.js';
import { integrityStore } from '../install/records.js';
import { uninstallExtension } from '../install/uninstall.js';
import { secretService } from '../settings/read-values.js';
import { storeValue } from '../settings/store-values.js';
import { INSTALL_METADATA_FILE } from '../types.js';
import { checkForUpdate } from './check.js';
import { updateExtension } from './update.js';

const KEY = { name: 'Key', envVar: 'DEMO_KEY', sensitive: true };
const ADDRESS = { name: 'Address', envVar: 'DEMO_URL' };
const manifest = (version: string, more: object = {}): FileContents => ({
  'gemini-extension.json': { name: 'demo', version, settings: [ADDRESS, KEY], ...more },
});

let lab: InstallLab;
let source: string;
beforeEach(() => {
  lab = new InstallLab();
  source = folderWith(manifest('1.0.0'));
});
afterEach(() => lab.remove());

const answers = (values: Record<string, string>): Partial<InstallPorts> => ({
  promptSetting: async ({ setting }) => values[setting.envVar] ?? '',
});
const VALUES = answers({ DEMO_KEY: 's3cret', DEMO_URL: 'http://a b' });
const install = () => installExtension({ source }, lab.ports(VALUES));
const update = (other: Partial<InstallPorts> = {}) => updateExtension('demo', lab.ports(other));
const secret = async (envVar: string, workspace?: string) =>
  (await lab.secrets().get(secretService(lab.only(), workspace), envVar))?.value;
const envFile = () => readFileSync(join(lab.root, 'demo/.env'), 'utf8');

describe('a check', () => {
  it('compares the version of a local source', async () => {
    await install();
    expect(await checkForUpdate(lab.only(), lab.ports())).toEqual({ status: 'up to date' });
    addFiles(source, manifest('1.1.0'));
    expect(await checkForUpdate(lab.only(), lab.ports())).toEqual({
      status: 'update available',
      newer: '1.1.0',
    });
    rmSync(source, { recursive: true });
    expect(await checkForUpdate(lab.only(), lab.ports())).toMatchObject({ status: 'not updatable' });
  });

  it('of a link says that it cannot be updated', async () => {
    await linkExtension(source, lab.ports());
    expect(await checkForUpdate(lab.only(), lab.ports())).toEqual({ status: 'not updatable' });
    await expect(update()).rejects.toThrow('it is a link or was copied by hand');
  });

  it('ignores a new source that is not an address', async () => {
    addFiles(source, manifest('1.0.0', { migratedTo: '-nowhere' }));
    await install();
    expect(await checkForUpdate(lab.only(), lab.ports())).toEqual({ status: 'up to date' });
  });
});

describe('an update', () => {
  it('keeps values and rules, and asks only for settings that are new', async () => {
    await install();
    expect(envFile()).toBe('DEMO_URL="http://a b"\n');
    await storeValue(KEY, 'of the workspace', {
      extension: lab.only(),
      scope: 'workspace',
      workspacePath: lab.work,
      secrets: lab.secrets(),
    });
    const rule = { enabled: false, scope: 'workspace' as const, path: lab.work, home: lab.home };
    await setEnabled(lab.globalDir, 'demo', rule);
    addFiles(source, manifest('2.0.0', { settings: [ADDRESS, KEY, { name: 'New', envVar: 'DEMO_NEW' }] }));
    const asked: string[] = [];
    await update({ promptSetting: async ({ setting }) => `${asked.push(setting.envVar)}` });
    expect(asked).toEqual(['DEMO_NEW']);
    expect(envFile()).toBe('DEMO_URL="http://a b"\nDEMO_NEW=1\n');
    expect([await secret('DEMO_KEY'), await secret('DEMO_KEY', lab.work)]).toEqual([
      's3cret',
      'of the workspace',
    ]);
    expect(lab.only()).toMatchObject({ version: '2.0.0', isActive: false });
  });

  it('moves a value that became secret out of the file, and removes settings that are gone', async () => {
    await install();
    addFiles(source, manifest('2.0.0', { settings: [{ ...ADDRESS, sensitive: true }] }));
    const service = secretService(lab.only());
    await update();
    expect(stateBelow(join(lab.root, 'demo'))['.env']).toBeUndefined();
    expect(await lab.secrets().get(service, 'DEMO_URL')).toMatchObject({ value: 'http://a b' });
    expect(await lab.secrets().get(service, 'DEMO_KEY')).toBeUndefined();
  });

  it('under a new name takes values and rules along, and leaves none behind', async () => {
    await install();
    const old = secretService(lab.only());
    const rule = { enabled: false, scope: 'workspace' as const, path: lab.work, home: lab.home };
    await setEnabled(lab.globalDir, 'demo', rule);
    addFiles(source, manifest('2.0.0', { name: 'renamed' }));
    await update();
    expect(lab.only()).toMatchObject({ name: 'renamed', isActive: false });
    expect(await secret('DEMO_KEY')).toBe('s3cret');
    expect(await lab.secrets().get(old, 'DEMO_KEY')).toBeUndefined();
    await uninstallExtension('renamed', lab.ports());
    expect(lab.state()).toEqual({ '.gemini': '700/' });
  });

  it('that asks for more rights needs a yes, and a no keeps the old version', async () => {
    const rights = (hosts: string[]) => ({
      capabilities: { files: { read: [], write: [] }, network: hosts, executables: [] },
    });
    addFiles(source, manifest('1.0.0', rights(['a.example'])));
    await install();
    addFiles(source, manifest('1.1.0', rights(['a.example'])));
    await update();
    expect(lab.consents).toHaveLength(1);
    addFiles(source, manifest('2.0.0', rights(['a.example', 'evil.example'])));
    const before = lab.state();
    await expect(update({ consent: async () => false })).rejects.toThrow('you did not agree');
    const { consent: _, ...silent } = lab.ports();
    await expect(updateExtension('demo', silent)).rejects.toThrow('add --consent');
    expect(lab.state()).toEqual(before);
    await update();
    expect(lab.consents.at(-1)).toMatch(/What it brings has changed:[\s\S]*evil\.example/);
  });

  it('of an extension that another process changed meanwhile is given up', async () => {
    await install();
    addFiles(source, manifest('2.0.0', { excludeTools: ['x'] }));
    const consent = async () => (await update()) !== undefined;
    await expect(update({ consent })).rejects.toThrow('was changed by another process');
    expect(lab.only().version).toBe('2.0.0');
  });

  it('from a source that is not allowed any more is refused', async () => {
    await install();
    const settings = { security: { allowedExtensions: ['https://good\\.example/.*'] } };
    await expect(update({ settings })).rejects.toThrow('not in security.allowedExtensions');
  });

  it('to something broken keeps the old version', async () => {
    await install();
    const before = lab.state();
    addFiles(source, { 'gemini-extension.json': '{' });
    await expect(update()).rejects.toThrow('is not valid JSON');
    expect(lab.state()).toEqual(before);
  });
});

describe('the record of the source', () => {
  it('that was changed by hand stops the update', async () => {
    await install();
    const evil = folderWith(manifest('9.0.0'));
    writeFileSync(
      join(lab.root, 'demo', INSTALL_METADATA_FILE),
      JSON.stringify({ source: evil, type: 'local' }),
    );
    await expect(update()).rejects.toThrow('the record of its source was changed. Uninstall it');
    expect(lab.only().version).toBe('1.0.0');
  });

  it('that is missing is accepted and written', async () => {
    await install();
    rmSync(join(lab.globalDir, 'extension_integrity.json'));
    addFiles(source, manifest('2.0.0'));
    await update();
    expect(await integrityStore(lab.ports()).verify('demo', { source, type: 'local' })).toBe('verified');
  });

  it.each([
    ['cut off', (text: string) => text.slice(0, 40)],
    [
      'changed in its hash',
      (text: string) => text.replace(/("hash": ")(.)/, (_, key, digit) => `${key}${digit === '0' ? 1 : 0}`),
    ],
    ['emptied', () => '{"store":{},"signature":"00"}'],
  ])('in a store that was %s stops the update and names the file', async (_what, edit) => {
    await install();
    const file = join(lab.globalDir, 'extension_integrity.json');
    writeFileSync(file, edit(readFileSync(file, 'utf8')));
    await expect(update()).rejects.toThrow(`${file} is damaged`);
    await uninstallExtension('demo', lab.ports());
    expect(lab.loaded()).toEqual([]);
    expect(lab.notices.join()).toContain('Some records of the extension "demo" are left');
  });
});

it.each([
  ['is broken', (file: string) => writeFileSync(file, '{')],
  ['is missing', (file: string) => rmSync(file)],
])('uninstalling one whose manifest %s leaves the home folder as it was, too', async (_case, damage) => {
  const before = lab.state();
  await install();
  const place = { extension: lab.only(), workspacePath: lab.work, secrets: lab.secrets() };
  await storeValue(KEY, 'own', { ...place, scope: 'user' });
  await storeValue(KEY, 'own', { ...place, scope: 'workspace' });
  damage(join(lab.root, 'demo', 'gemini-extension.json'));
  await uninstallExtension('demo', lab.ports());
  expect(lab.state()).toEqual(before);
});

it('install, settings, update, disable and uninstall leave the home folder as it was', async () => {
  addFiles(lab.home, { '.gemini/settings.json': { ui: {} }, '.bashrc': 'x' });
  const before = lab.state();
  await install();
  const place = { extension: lab.only(), workspacePath: lab.work, secrets: lab.secrets() };
  await storeValue(ADDRESS, 'changed', { ...place, scope: 'user' });
  await storeValue(KEY, 'own', { ...place, scope: 'workspace' });
  addFiles(source, manifest('2.0.0'));
  await update();
  const rule = { enabled: false, scope: 'workspace' as const, path: lab.work, home: lab.home };
  await setEnabled(lab.globalDir, 'demo', rule);
  await uninstallExtension(source, lab.ports());
  expect(lab.state()).toEqual(before);
});
