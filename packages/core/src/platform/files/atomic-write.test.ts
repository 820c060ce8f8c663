import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replaceFile } from './atomic-write.js';
import { inspectFile } from './safe-read.js';

const NOBODY = 65534;
const isRoot = process.geteuid?.() === 0;

describe('replaceFile', () => {
  let dir: ReturnType<typeof tempDir>;
  beforeEach(() => {
    dir = tempDir();
  });
  afterEach(() => dir.cleanup());
  const at = (name: string) => join(dir.path, name);
  const write = (name: string, text: string, options?: Parameters<typeof replaceFile>[2]) =>
    replaceFile(at(name), Buffer.from(text), options);
  const problemOf = (action: () => void) => {
    try {
      action();
    } catch (error) {
      return error;
    }
    return undefined;
  };

  it('creates a file and its folders, with the modes of the umask', () => {
    const umask = process.umask(0o027);
    try {
      write('a/b/c.txt', 'new');
    } finally {
      process.umask(umask);
    }
    expect(readFileSync(at('a/b/c.txt'), 'utf8')).toBe('new');
    expect(statSync(at('a/b/c.txt')).mode & 0o7777).toBe(0o640);
    expect(readdirSync(at('a/b'))).toEqual(['c.txt']);
  });

  it('keeps mode and owner', () => {
    writeFileSync(at('script'), 'old');
    if (isRoot) chownSync(at('script'), 1234, 2345);
    chmodSync(at('script'), 0o4751);
    const before = statSync(at('script'));
    write('script', 'new');
    const after = statSync(at('script'));
    expect(readFileSync(at('script'), 'utf8')).toBe('new');
    expect([after.mode, after.uid, after.gid]).toEqual([before.mode, before.uid, before.gid]);
    expect(after.ino).not.toBe(before.ino);
  });

  it('replaces the target of a link and keeps the link', () => {
    mkdirSync(at('real'));
    writeFileSync(at('real/file'), 'old');
    symlinkSync('real/file', at('link'));
    write('link', 'new');
    expect(lstatSync(at('link')).isSymbolicLink()).toBe(true);
    expect(readFileSync(at('real/file'), 'utf8')).toBe('new');
    expect(readdirSync(dir.path).sort()).toEqual(['link', 'real']);
  });

  it('authorizes the target of a dangling link, and creates the file there', () => {
    mkdirSync(at('elsewhere'));
    symlinkSync('elsewhere/new', at('link'));
    const authorize = (path: string) => (path === at('elsewhere/new') ? 'outside' : null);
    expect(problemOf(() => write('link', 'x', { authorize }))).toMatchObject({
      problem: 'refused',
      message: 'outside',
    });
    expect(readdirSync(at('elsewhere'))).toEqual([]);
    write('link', 'x');
    expect(readFileSync(at('elsewhere/new'), 'utf8')).toBe('x');
  });

  it('does not overwrite a file that changed since it was read', () => {
    writeFileSync(at('file'), 'read');
    const { version } = inspectFile(at('file'));
    writeFileSync(at('file'), 'another program');
    expect(problemOf(() => write('file', 'mine', { expect: version }))).toMatchObject({ problem: 'changed' });
    expect(readFileSync(at('file'), 'utf8')).toBe('another program');
    expect(problemOf(() => write('file', 'mine', { expect: 'absent' }))).toMatchObject({
      problem: 'changed',
    });
    expect(readdirSync(dir.path)).toEqual(['file']);
    write('file', 'mine', { expect: inspectFile(at('file')).version });
    expect(readFileSync(at('file'), 'utf8')).toBe('mine');
  });

  it('writes nothing through a folder that becomes a link after the access check', () => {
    mkdirSync(at('inside'));
    mkdirSync(at('outside'));
    writeFileSync(at('outside/file'), 'precious');
    const authorize = () => {
      renameSync(at('inside'), at('moved'));
      symlinkSync('outside', at('inside'));
      return null;
    };
    expect(problemOf(() => write('inside/file', 'x', { authorize }))).toMatchObject({ problem: 'changed' });
    expect(readFileSync(at('outside/file'), 'utf8')).toBe('precious');
    expect(readdirSync(at('outside'))).toEqual(['file']);
  });

  it('creates no temporary file in the target of such a link', () => {
    mkdirSync(at('inside'));
    mkdirSync(at('outside'));
    const before = statSync(at('outside'), { bigint: true }).mtimeNs;
    const authorize = () => {
      renameSync(at('inside'), at('moved'));
      symlinkSync('outside', at('inside'));
      return null;
    };
    expect(problemOf(() => write('inside/new', 'x', { authorize }))).toMatchObject({ problem: 'changed' });
    expect(statSync(at('outside'), { bigint: true }).mtimeNs).toBe(before);
  });

  it('creates no folders in the target of such a link', () => {
    mkdirSync(at('inside'));
    mkdirSync(at('outside'));
    const authorize = () => {
      renameSync(at('inside'), at('moved'));
      symlinkSync('outside', at('inside'));
      return null;
    };
    expect(problemOf(() => write('inside/a/b/new', 'x', { authorize }))).toMatchObject({
      problem: 'changed',
    });
    expect([readdirSync(at('outside')), readdirSync(at('moved'))]).toEqual([[], []]);
  });

  it('writes nothing through a link that takes the place of the file after the access check', () => {
    mkdirSync(at('inside'));
    writeFileSync(at('inside/file'), 'old');
    writeFileSync(at('precious'), 'precious');
    const authorize = () => {
      rmSync(at('inside/file'));
      symlinkSync('../precious', at('inside/file'));
      return null;
    };
    expect(() => write('inside/file', 'x', { authorize })).toThrow();
    expect(readFileSync(at('precious'), 'utf8')).toBe('precious');
  });

  describe('as an ordinary user', () => {
    const asNobody = (action: () => void) => {
      if (!isRoot) return action();
      process.setegid?.(NOBODY);
      process.seteuid?.(NOBODY);
      try {
        action();
      } finally {
        process.seteuid?.(0);
        process.setegid?.(0);
      }
    };
    const nobodys = (name: string, text: string, mode: number) => {
      writeFileSync(at(name), text);
      if (isRoot) chownSync(at(name), NOBODY, NOBODY);
      chmodSync(at(name), mode);
    };

    it('does not replace a read-only file, although the folder would allow it', () => {
      chmodSync(dir.path, 0o777);
      nobodys('locked', 'old', 0o444);
      asNobody(() => expect(problemOf(() => write('locked', 'new'))).toMatchObject({ problem: 'denied' }));
      expect(readFileSync(at('locked'), 'utf8')).toBe('old');
      expect(readdirSync(dir.path)).toEqual(['locked']);
    });

    it('writes into the file itself when the folder is read-only', () => {
      nobodys('file', 'old content', 0o640);
      chmodSync(dir.path, 0o555);
      const before = statSync(at('file'));
      asNobody(() => write('file', 'short'));
      expect(readFileSync(at('file'), 'utf8')).toBe('short');
      asNobody(() => write('file', 'and now a longer one'));
      expect(readFileSync(at('file'), 'utf8')).toBe('and now a longer one');
      const after = statSync(at('file'));
      expect([after.ino, after.mode, after.uid]).toEqual([before.ino, before.mode, before.uid]);
      chmodSync(dir.path, 0o755);
    });

    it('reports that a new file cannot be created in a read-only folder', () => {
      chmodSync(dir.path, 0o555);
      asNobody(() => expect(problemOf(() => write('new', 'x'))).toMatchObject({ problem: 'denied' }));
      chmodSync(dir.path, 0o755);
      expect(readdirSync(dir.path)).toEqual([]);
    });
  });
});
