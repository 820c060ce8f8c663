import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processEnvironment } from '../platform/environment.js';
import { relativeToRoot, resolveToolPath, shortenPath } from './tool-path.js';

describe('resolveToolPath', () => {
  let dir: ReturnType<typeof tempDir>;
  beforeEach(() => {
    dir = tempDir();
  });
  afterEach(() => dir.cleanup());
  const host = { getTargetDir: () => dir.path, getEnvironment: processEnvironment };
  const resolved = (raw: string) => resolveToolPath(host, raw);

  it('resolves against the project root', () => {
    expect(resolved('src/a.ts')).toEqual({ path: join(dir.path, 'src/a.ts') });
    expect(resolved('/etc/passwd')).toEqual({ path: '/etc/passwd' });
    expect(resolved('../x')).toEqual({ path: join(dir.path, '../x') });
    expect(resolved('a/./b/../c/')).toEqual({ path: join(dir.path, 'a/c') });
    expect(resolved('%2e%2e/x')).toEqual({ path: join(dir.path, '%2e%2e/x') });
    expect(resolved(' spaces in name ')).toEqual({ path: join(dir.path, ' spaces in name ') });
  });

  it('drops NUL characters', () => {
    expect(resolved('a\0.txt\0')).toEqual({ path: join(dir.path, 'a.txt') });
  });

  it('expands the home directory, but not that of other users', () => {
    expect(resolved('~')).toEqual({ path: homedir() });
    expect(resolved('~/x/y')).toEqual({ path: join(homedir(), 'x/y') });
    expect(resolved('~root/x')).toEqual({ problem: expect.stringContaining('Cannot expand "~root"') });
    expect(resolved('~$letter.docx')).toEqual({ path: join(dir.path, '~$letter.docx') });
    mkdirSync(join(dir.path, '~own'));
    expect(resolved('~own/x')).toEqual({ path: join(dir.path, '~own/x') });
  });

  it('drops the @ of a reference unless a file has that name', () => {
    expect(resolved('@src/a.ts')).toEqual({ path: join(dir.path, 'src/a.ts') });
    expect(resolved('@/src/a.ts')).toEqual({ path: join(dir.path, 'src/a.ts') });
    expect(resolved('@')).toEqual({ path: dir.path });
    mkdirSync(join(dir.path, '@scope'));
    writeFileSync(join(dir.path, '@file'), '');
    expect(resolved('@scope/new.ts')).toEqual({ path: join(dir.path, '@scope/new.ts') });
    expect(resolved('@file')).toEqual({ path: join(dir.path, '@file') });
  });

  it.each([
    '',
    '  ',
    '\0',
    'a\nb',
    'a\tb',
    'AssertionError: expected 1',
    'src/FAIL test.ts',
    '✓ passes',
    '× fails',
    'TestingLibraryElementError: no',
    'the file "a.ts" of the project',
    'and then ... the rest of it',
  ])('refuses text that is not a path: %j', (raw) => {
    expect(resolved(raw)).toEqual({ problem: expect.any(String) });
  });

  it('accepts short, existing and route names with dots or quotes', () => {
    expect(resolved('a...b')).toEqual({ path: join(dir.path, 'a...b') });
    expect(resolved('app/[...catchAllSegments]/page.tsx')).toEqual({
      path: join(dir.path, 'app/[...catchAllSegments]/page.tsx'),
    });
    writeFileSync(join(dir.path, 'a file with "quotes" in it'), '');
    expect(resolved('a file with "quotes" in it')).toEqual({
      path: join(dir.path, 'a file with "quotes" in it'),
    });
  });
});

describe('relativeToRoot', () => {
  const host = { getTargetDir: () => '/srv/project' };

  it('is relative below the root and absolute elsewhere', () => {
    expect(relativeToRoot(host, '/srv/project/a/b')).toBe('a/b');
    expect(relativeToRoot(host, '/srv/project')).toBe('.');
    expect(relativeToRoot(host, '/srv/projects/a')).toBe('/srv/projects/a');
    expect(relativeToRoot(host, '/srv/project/..a')).toBe('..a');
  });
});

describe('shortenPath', () => {
  it('keeps the ends of a long path', () => {
    expect(shortenPath('a/b/c.ts')).toBe('a/b/c.ts');
    expect(shortenPath('first/second/third/fourth/file.ts', 25)).toBe('first/.../fourth/file.ts');
    expect(shortenPath('/home/user/work/project/file.ts', 22)).toBe('/home/.../file.ts');
    expect(shortenPath(`dir/${'x'.repeat(50)}.ts`, 20)).toBe(`...${'x'.repeat(14)}.ts`);
  });
});
