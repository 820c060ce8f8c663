import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CredentialStore } from './credential-store.js';
import { Keychain } from './keychain.js';
import { SecretStore } from './secret-store.js';

/** Real helper processes; only the native module in them is replaced. */
describe('the keychain', () => {
  let dir: { path: string; cleanup: () => void };
  let env: NodeJS.ProcessEnv;
  beforeEach(() => {
    dir = tempDir();
    env = { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere', NODE_OPTIONS: '--bad-option' };
  });
  afterEach(() => dir.cleanup());

  const native = (source: string): string => {
    const path = join(dir.path, `native-${Math.random()}.cjs`);
    writeFileSync(path, source);
    return path;
  };
  const keychain = (source: string, more: NodeJS.ProcessEnv = {}) =>
    new Keychain({ env: { ...env, ...more }, modulePath: native(source), platform: 'linux' });
  const storage = (chain: Keychain) => {
    const file = new CredentialStore(join(dir.path, '.gemini', 'gemini-credentials.json'));
    return { file, store: new SecretStore({ env, keychain: chain, file }) };
  };

  it('stores, returns and deletes a secret', async () => {
    const chain = keychain(WORKING(dir.path));
    expect(await chain.get('s', 'e')).toBeUndefined();
    await chain.set('s', 'e', 'sécret "quoted"\n');
    expect(await chain.get('s', 'e')).toBe('sécret "quoted"\n');
    expect(await chain.delete('s', 'e')).toBe(true);
    expect(await chain.delete('s', 'e')).toBe(false);
    expect(await chain.probe()).toEqual({ state: 'available' });
  });

  it('lists the names of what is stored for a service, in keychain and file', async () => {
    const { store, file } = storage(keychain(WORKING(dir.path)));
    await store.set('s', 'b', 'v');
    await store.set('other', 'x', 'v');
    await file.set('s', 'a', 'v');
    expect(await store.entries('s')).toEqual(['a', 'b']);
    expect(await store.entries('constructor')).toEqual([]);
    expect(await storage(keychain('', { GEMINI_FORCE_FILE_STORAGE: 'true' })).store.entries('s')).toEqual([
      'a',
    ]);
    await expect(storage(keychain('throw new Error("locked")')).store.entries('s')).rejects.toThrow('locked');
  });

  it('uses the store that survives a restart, and puts no secret into arguments or environment', async () => {
    await keychain(WORKING(dir.path), { GEMINI_API_KEY: 'AIza-other' }).set('s', 'e', 'AIza-secret');
    const seen = JSON.parse(readFileSync(join(dir.path, 'seen.json'), 'utf8'));
    expect(seen.options).toEqual({ linux: { store: 'secret-service' } });
    expect(JSON.stringify([seen.argv, seen.env])).not.toMatch(/AIza/);
    expect(seen.cwd).not.toBe(process.cwd());
  });

  it.each([
    ['waits for a lock', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'],
    ['is stuck in the system', `require('fs').openSync(${JSON.stringify('FIFO')}, 'r')`],
    ['goes round and round', 'for (;;) ;'],
  ])('is given up after two seconds when it %s', async (_name, code) => {
    const fifo = join(dir.path, 'fifo');
    spawnSync('mkfifo', [fifo]);
    const pidFile = join(dir.path, 'pid');
    const source = `require('fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
      exports.Entry = class { getPassword() { ${code.replace('FIFO', fifo)} } };`;
    const chain = keychain(source);
    await expect(chain.get('s', 'e')).rejects.toThrow(/no answer within 2 s/);
    await gone(Number(readFileSync(pidFile, 'utf8')));
    // Once is enough: the next questions are answered without a helper.
    rmSync(pidFile);
    await expect(chain.set('s', 'e', 'x')).rejects.toThrow(/no answer/);
    expect((await chain.probe()).state).toBe('unreachable');
    expect(existsSync(pidFile)).toBe(false);
  });

  it.each([
    ['throws', `exports.Entry = class { constructor() { throw new Error('AccessDenied') } }`, 'AccessDenied'],
    ['is broken', 'syntax error', 'Unexpected'],
    ['kills its process', 'process.exit(7)', 'without an answer'],
    [
      'prints other things',
      `process.stdout.write('hello'); exports.Entry = class { getPassword() {} }`,
      'without',
    ],
  ])('is not usable when the module %s', async (_name, source, reason) => {
    const chain = keychain(source);
    await expect(chain.get('s', 'e')).rejects.toThrow(reason);
    expect(await chain.probe()).toMatchObject({ state: 'unreachable' });
  });

  it('is not usable without a session bus, as the real module says', async () => {
    const { state } = await new Keychain({ env }).probe();
    expect(['absent', 'unreachable']).toContain(state);
  });

  it('is not asked when there is none', async () => {
    const marker = join(dir.path, 'started');
    const source = `require('fs').writeFileSync(${JSON.stringify(marker)}, '')`;
    const forced = keychain(source, { GEMINI_FORCE_FILE_STORAGE: 'true' });
    expect(await forced.probe()).toEqual({ state: 'absent', reason: 'GEMINI_FORCE_FILE_STORAGE is set' });
    await expect(forced.get('s', 'e')).rejects.toThrow('GEMINI_FORCE_FILE_STORAGE');
    const server = keychain(source, { DBUS_SESSION_BUS_ADDRESS: '', XDG_RUNTIME_DIR: dir.path });
    expect(await server.probe()).toMatchObject({ state: 'absent' });
    expect(existsSync(marker)).toBe(false);
    mkdirSync(join(dir.path, 'run'));
    writeFileSync(join(dir.path, 'run', 'bus'), '');
    const desktop = keychain(WORKING(dir.path), {
      DBUS_SESSION_BUS_ADDRESS: '',
      XDG_RUNTIME_DIR: join(dir.path, 'run'),
    });
    expect(await desktop.probe()).toEqual({ state: 'available' });
  });

  describe('with the file as fallback', () => {
    it('is used when it works, and no file is written', async () => {
      const { store, file } = storage(keychain(WORKING(dir.path)));
      expect(await store.set('s', 'e', 'v')).toBe('keychain');
      expect(await store.get('s', 'e')).toEqual({ value: 'v', place: 'keychain' });
      expect(await store.describe()).toEqual({ place: 'keychain', keychain: { state: 'available' } });
      expect(file.exists()).toBe(false);
      await store.delete('s', 'e');
      expect(await store.get('s', 'e')).toBeUndefined();
    });

    it('is replaced by the file, whose newer secret wins until the keychain works again', async () => {
      const working = keychain(WORKING(dir.path));
      await storage(working).store.set('s', 'e', 'first');
      const broken = storage(keychain('throw new Error("locked")'));
      expect(await broken.store.set('s', 'e', 'second')).toBe('file');
      const both = storage(keychain(WORKING(dir.path)));
      expect(await both.store.get('s', 'e')).toEqual({ value: 'second', place: 'file' });
      expect(await both.store.set('s', 'e', 'third')).toBe('keychain');
      expect(both.file.exists()).toBe(false);
      expect(await both.store.get('s', 'e')).toEqual({ value: 'third', place: 'keychain' });
    });

    it('says why nothing was found', async () => {
      const { store, file } = storage(keychain('throw new Error("locked")'));
      await file.set('s', 'e', 'v');
      writeFileSync(file.path, 'damaged');
      expect(await store.get('s', 'e')).toBeUndefined();
      expect(store.problems).toEqual([
        expect.stringContaining('cannot be decrypted'),
        'The keychain is not usable: locked.',
      ]);
    });

    it('reports an error when a silent keychain may still contain a deleted secret', async () => {
      const { store, file } = storage(keychain('throw new Error("locked")'));
      await file.set('s', 'e', 'v');
      await expect(store.delete('s', 'e')).rejects.toThrow('locked');
      expect(file.exists()).toBe(false);
      const without = storage(keychain('', { GEMINI_FORCE_FILE_STORAGE: 'true' }));
      await without.store.set('s', 'e', 'v');
      await without.store.delete('s', 'e');
      expect(without.file.exists()).toBe(false);
    });
  });
});

/** A keyring in a file, with the interface of the native module. */
const WORKING = (folder: string) => `
  const fs = require('fs');
  const path = ${JSON.stringify(join(folder, 'keyring.json'))};
  const load = () => (fs.existsSync(path) ? JSON.parse(fs.readFileSync(path, 'utf8')) : {});
  exports.findCredentials = (service) =>
    Object.entries(load())
      .filter(([key]) => key.startsWith(service + '/'))
      .map(([key, password]) => ({ account: key.slice(service.length + 1), password }));
  exports.Entry = class {
    constructor(service, entry, options) {
      this.key = service + '/' + entry;
      const seen = { options, argv: process.argv, env: process.env, cwd: process.cwd() };
      fs.writeFileSync(${JSON.stringify(join(folder, 'seen.json'))}, JSON.stringify(seen));
    }
    getPassword() { return load()[this.key] ?? null; }
    setPassword(value) { fs.writeFileSync(path, JSON.stringify({ ...load(), [this.key]: value })); }
    deletePassword() {
      const { [this.key]: old, ...rest } = load();
      fs.writeFileSync(path, JSON.stringify(rest));
      return old !== undefined;
    }
  };
`;

/** Resolves when no process has this id any more. */
async function gone(pid: number): Promise<void> {
  while (existsSync(`/proc/${pid}`)) await new Promise((resolve) => setImmediate(resolve));
}
