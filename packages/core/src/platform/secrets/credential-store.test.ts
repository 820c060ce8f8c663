import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DamagedFileError } from '../files/private-file.js';
import { CredentialStore } from './credential-store.js';

describe('CredentialStore', () => {
  let dir: { path: string; cleanup: () => void };
  let path: string;
  beforeEach(() => {
    dir = tempDir();
    path = join(dir.path, '.gemini', 'gemini-credentials.json');
  });
  afterEach(() => dir.cleanup());

  it('returns what was stored, also to another process of the same user', async () => {
    const store = new CredentialStore(path);
    await store.set('service', 'a', 'sécret 🔑');
    await store.set('service', 'b', '');
    await store.set('constructor', '__proto__', 'odd names');
    const other = new CredentialStore(path);
    expect(await other.get('service', 'a')).toBe('sécret 🔑');
    expect(await other.get('service', 'b')).toBe('');
    expect(await other.get('constructor', '__proto__')).toBe('odd names');
    expect(await other.get('toString', 'name')).toBeUndefined();
    expect(await other.get('service', 'c')).toBeUndefined();
  });

  it('writes iv:tag:data in hex, private to the owner, and never the same twice', async () => {
    const store = new CredentialStore(path);
    await store.set('service', 'key', 'AIza-very-secret');
    const first = readFileSync(path, 'utf8');
    expect(first).toMatch(/^[0-9a-f]{24}:[0-9a-f]{32}:[0-9a-f]+$/);
    expect([statSync(path).mode & 0o777, statSync(join(path, '..')).mode & 0o777]).toEqual([0o600, 0o700]);
    await store.set('service', 'key', 'AIza-very-secret');
    expect(readFileSync(path, 'utf8')).not.toBe(first);
    expect(readdirSync(join(path, '..'))).toEqual(['gemini-credentials.json']);
  });

  it('deletes a secret, and with the last one the file', async () => {
    const store = new CredentialStore(path);
    await store.set('s', 'a', '1');
    await store.set('s', 'b', '2');
    expect(await store.delete('s', 'a')).toBe(true);
    expect(await store.delete('s', 'a')).toBe(false);
    expect([await store.get('s', 'a'), await store.get('s', 'b')]).toEqual([undefined, '2']);
    expect(await store.delete('s', 'b')).toBe(true);
    expect(existsSync(path)).toBe(false);
  });

  it('cannot be read on another host or by another user', async () => {
    await new CredentialStore(path, 'host\0ada').set('s', 'a', '1');
    await expect(new CredentialStore(path, 'host\0bob').get('s', 'a')).rejects.toThrow(DamagedFileError);
    expect(await new CredentialStore(path, 'host\0ada').get('s', 'a')).toBe('1');
  });

  it.each([0, 1, 2])('notices a changed byte in part %i', async (part) => {
    const store = new CredentialStore(path);
    await store.set('s', 'a', '1');
    const parts = readFileSync(path, 'utf8').split(':');
    const old = parts[part] ?? '';
    parts[part] = (old.startsWith('0') ? '1' : '0') + old.slice(1);
    writeFileSync(path, parts.join(':'));
    await expect(store.get('s', 'a')).rejects.toThrow(`${path} cannot be decrypted`);
  });

  it.each([
    ['empty', ''],
    ['JSON', '{"a":{"b":"c"}}'],
    ['binary', '\u0000\u0001\u0002'],
    ['a short tag', `${'00'.repeat(12)}:00:00`],
  ])('renames a file that is %s before it writes', async (_name, content) => {
    const store = new CredentialStore(path);
    await store.set('s', 'a', '1');
    writeFileSync(path, content);
    await expect(store.delete('s', 'a')).rejects.toThrow(DamagedFileError);
    expect(readFileSync(path, 'utf8')).toBe(content);
    await store.set('s', 'b', '2');
    expect([await store.get('s', 'a'), await store.get('s', 'b')]).toEqual([undefined, '2']);
    const aside = readdirSync(join(path, '..')).filter((name) => name.includes('.damaged-'));
    expect(aside.map((name) => readFileSync(join(path, '..', name), 'utf8'))).toEqual([content]);
  });

  it('names the file when its path is a directory', async () => {
    // Not the temporary folder itself: the folder around the file becomes private, and other tests need theirs.
    mkdirSync(path, { recursive: true });
    const store = new CredentialStore(path);
    await expect(store.get('s', 'a')).rejects.toThrow(/is a directory/);
    await expect(store.set('s', 'a', '1')).rejects.toThrow(path);
  });
});
