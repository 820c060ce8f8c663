import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DiscoveryFile } from './discovery-file.js';

const CONTENT = {
  port: 1234,
  workspacePath: '/work',
  authToken: 'secret',
  ideInfo: { name: 'vscode', displayName: 'VS Code' },
};

describe('DiscoveryFile', () => {
  let folder: string;
  let file: DiscoveryFile;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'companion-'));
    file = new DiscoveryFile(folder, 42, 1234);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const mode = (path: string) => statSync(path).mode & 0o777;

  it('is readable by its owner only, in a folder of its owner only', () => {
    file.write(CONTENT);
    expect(file.path).toBe(join(folder, 'gemini/ide/gemini-ide-server-42-1234.json'));
    expect(JSON.parse(readFileSync(file.path, 'utf8'))).toEqual(CONTENT);
    expect(mode(file.path)).toBe(0o600);
    expect(mode(join(folder, 'gemini/ide'))).toBe(0o700);
  });

  it('closes a folder that was open to others', () => {
    mkdirSync(join(folder, 'gemini/ide'), { recursive: true });
    chmodSync(join(folder, 'gemini/ide'), 0o777);
    file.write(CONTENT);
    expect(mode(join(folder, 'gemini/ide'))).toBe(0o700);
  });

  it('is not written through a link', () => {
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(folder, 'gemini'));
    expect(() => file.write(CONTENT)).toThrow('not a folder of yours');
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('is replaced as a whole and leaves no draft', () => {
    file.write(CONTENT);
    file.write({ ...CONTENT, workspacePath: '' });
    expect(JSON.parse(readFileSync(file.path, 'utf8')).workspacePath).toBe('');
    expect(readdirSync(join(folder, 'gemini/ide'))).toHaveLength(1);
  });

  it('is gone after it was removed, and may be removed twice', () => {
    file.write(CONTENT);
    file.remove();
    file.remove();
    expect(existsSync(file.path)).toBe(false);
  });
});
