import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  readPrivateFile,
  readSmallFile,
  removePrivateFile,
  setAside,
  writePrivateFile,
} from './private-file.js';

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('private files', () => {
  let dir: { path: string; cleanup: () => void };
  beforeEach(() => {
    dir = tempDir();
  });
  afterEach(() => dir.cleanup());

  it('are created private, in a private directory', () => {
    const path = join(dir.path, '.gemini', 'deep', 'secret.json');
    writePrivateFile(path, '{"a":1}');
    expect(readPrivateFile(path)).toBe('{"a":1}');
    expect([modeOf(path), modeOf(join(path, '..'))]).toEqual([0o600, 0o700]);
    expect(readdirSync(join(path, '..'))).toEqual(['secret.json']);
  });

  it('become private when they are written, with their directory', () => {
    const folder = join(dir.path, '.gemini');
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    const path = join(folder, 'x');
    writeFileSync(path, 'old');
    chmodSync(path, 0o644);
    writePrivateFile(path, 'new');
    expect([readFileSync(path, 'utf8'), modeOf(path), modeOf(folder)]).toEqual(['new', 0o600, 0o700]);
  });

  it('do not change the mode of a shared directory like /tmp', () => {
    const shared = join(dir.path, 'shared');
    mkdirSync(shared);
    chmodSync(shared, 0o1777);
    writePrivateFile(join(shared, 'file'), 'x');
    expect(statSync(shared).mode & 0o7777).toBe(0o1777);
  });

  it('become private when they are read', () => {
    const path = join(dir.path, 'x');
    writeFileSync(path, '\ufeffsecret');
    chmodSync(path, 0o664);
    expect(readPrivateFile(path)).toBe('secret');
    expect(modeOf(path)).toBe(0o600);
  });

  it('keep the mode of files that are not ours', () => {
    const path = join(dir.path, 'x');
    writeFileSync(path, 'text');
    chmodSync(path, 0o644);
    expect(readSmallFile(path)?.text).toBe('text');
    expect(modeOf(path)).toBe(0o644);
  });

  it('are written through a link, which stays', () => {
    const real = join(dir.path, 'dotfiles');
    mkdirSync(real);
    chmodSync(real, 0o755);
    writeFileSync(join(real, 'creds'), 'old');
    const link = join(dir.path, '.gemini', 'creds');
    mkdirSync(join(dir.path, '.gemini'));
    symlinkSync(join(real, 'creds'), link);
    writePrivateFile(link, 'new');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(real, 'creds'), 'utf8')).toBe('new');
    expect(modeOf(real)).toBe(0o755);
  });

  it('are named when they cannot be written, and nothing is left behind', () => {
    const folder = join(dir.path, 'folder');
    mkdirSync(join(folder, 'inside'), { recursive: true });
    expect(() => writePrivateFile(folder, 'x')).toThrow(`Cannot write ${folder}`);
    expect(readdirSync(dir.path)).toEqual(['folder']);
    const file = join(dir.path, 'file');
    writeFileSync(file, '');
    expect(() => writePrivateFile(join(file, 'x'), 'x')).toThrow(`Cannot write ${join(file, 'x')}`);
  });

  it('are renamed when damaged, and removing a missing one is not an error', () => {
    const path = join(dir.path, 'x');
    expect(setAside(path)).toBeUndefined();
    writeFileSync(path, 'odd');
    const aside = setAside(path);
    expect(readFileSync(aside ?? '', 'utf8')).toBe('odd');
    removePrivateFile(path);
    expect(readPrivateFile(path)).toBeUndefined();
  });
});
