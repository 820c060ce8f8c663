import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isInside, realPathOf } from './real-path.js';

describe('realPathOf', () => {
  let dir: ReturnType<typeof tempDir>;
  beforeEach(() => {
    dir = tempDir();
    mkdirSync(join(dir.path, 'in'));
    mkdirSync(join(dir.path, 'out'));
    writeFileSync(join(dir.path, 'out/file'), '');
  });
  afterEach(() => dir.cleanup());
  const at = (...names: string[]) => join(dir.path, ...names);

  it('follows links to existing files, missing files and through folders', () => {
    symlinkSync(at('out/file'), at('in/existing'));
    symlinkSync('../out/new', at('in/dangling'));
    symlinkSync(at('out'), at('in/folder'));
    symlinkSync('dangling', at('in/twice'));
    expect(realPathOf(at('in/existing'))).toBe(at('out/file'));
    expect(realPathOf(at('in/dangling'))).toBe(at('out/new'));
    expect(realPathOf(at('in/twice'))).toBe(at('out/new'));
    expect(realPathOf(at('in/folder/a/b'))).toBe(at('out/a/b'));
    expect(realPathOf(at('in/plain/a'))).toBe(at('in/plain/a'));
  });

  it('resolves a dangling link from its real folder', () => {
    mkdirSync(at('out/deep'));
    symlinkSync('../new', at('out/deep/link'));
    symlinkSync(at('out/deep'), at('in/folder'));
    expect(realPathOf(at('in/folder/link'))).toBe(at('out/new'));
  });

  it('places a loop of links outside every directory', () => {
    symlinkSync('b', at('in/a'));
    symlinkSync('a', at('in/b'));
    expect(isInside(realPathOf(at('in/a')), at('in'))).toBe(false);
  });
});

describe('isInside', () => {
  it('compares whole names', () => {
    expect([
      isInside('/a/b', '/a'),
      isInside('/ab', '/a'),
      isInside('/a', '/a'),
      isInside('/a', '/'),
    ]).toEqual([true, false, true, true]);
  });
});
