import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLock, tryLock } from './lock-file.js';
import { isOwnerGone, lockSignature, ownerName } from './lock-owner.js';

const MINUTE = 60_000;
let directory: ReturnType<typeof tempDir>;
let path: string;
beforeEach(() => {
  directory = tempDir();
  path = join(directory.path, 'x.lock');
});
afterEach(() => directory.cleanup());

describe('a lock file', () => {
  it('is held by one owner until it is released', () => {
    const first = tryLock(path, 'one', () => false);
    expect(tryLock(path, 'two', () => false)).toBeUndefined();
    first?.release();
    expect(tryLock(path, 'two', () => false)).toBeDefined();
  });

  it('is taken over when it is abandoned, and its old owner then deletes nothing', () => {
    const first = tryLock(path, 'one', () => false);
    expect(tryLock(path, 'two', ({ content }) => content === 'one')).toBeDefined();
    first?.release();
    expect(readFileSync(path, 'utf8')).toBe('two');
    expect(readdirSync(directory.path)).toEqual(['x.lock']);
  });

  it('is put back when another process replaced it after the check', () => {
    writeFileSync(path, 'dead');
    const isAbandoned = ({ content }: { content: string }) => {
      if (content !== 'dead') return false;
      writeFileSync(path, 'fresh');
      return true;
    };
    expect(tryLock(path, 'ours', isAbandoned)).toBeUndefined();
    expect(readFileSync(path, 'utf8')).toBe('fresh');
    expect(readdirSync(directory.path)).toEqual(['x.lock']);
  });

  it('does not exist when its directory is missing or a file', () => {
    writeFileSync(path, '');
    expect(readLock(join(directory.path, 'none/x'))).toBeUndefined();
    expect(readLock(join(path, 'x'))).toBeUndefined();
    mkdirSync(join(directory.path, 'folder.lock'));
    expect(readLock(join(directory.path, 'folder.lock'))).toMatchObject({ content: '' });
  });
});

describe('the owner of a signed lock', () => {
  it('is not gone while its process runs', () => {
    expect(isGone(lockSignature())).toBe(false);
    expect(isGone(lockSignature(), 90 * MINUTE)).toBe(false);
  });

  it('is gone when its process ended', () => {
    expect(isGone(lockSignature().replace(/^\d+/, '4194999'))).toBe(true);
  });

  it.runIf(process.platform === 'linux')('is gone when its process id belongs to another process now', () => {
    expect(isGone(`${ownerName()} 1 aabbcc`)).toBe(true);
    expect(isGone(`${ownerName()} - aabbcc`)).toBe(false);
  });

  it('counts as gone by the age of the lock when it is on another machine', () => {
    expect(isGone('1 elsewhere/4026531836 7 aabbcc', MINUTE / 2)).toBe(false);
    expect(isGone('1 elsewhere/4026531836 7 aabbcc', 2 * MINUTE)).toBe(true);
  });

  it('has two seconds to sign', () => {
    expect(isGone('', 500)).toBe(false);
    expect(isGone('', 3_000)).toBe(true);
  });

  function isGone(content: string, ageMs = 0): boolean {
    writeFileSync(path, content);
    const time = new Date(Date.now() - ageMs);
    utimesSync(path, time, time);
    const found = readLock(path);
    return found !== undefined && isOwnerGone(found, MINUTE);
  }
});
