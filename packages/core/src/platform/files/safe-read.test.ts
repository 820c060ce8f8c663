import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inspectFile, MAX_FILE_BYTES, readFileBytes } from './safe-read.js';

describe('readFileBytes', () => {
  let dir: ReturnType<typeof tempDir>;
  beforeEach(() => {
    dir = tempDir();
  });
  afterEach(() => dir.cleanup());
  const at = (name: string) => join(dir.path, name);
  const problemOf = (path: string) => {
    try {
      readFileBytes(path);
    } catch (error) {
      return error;
    }
    return undefined;
  };

  it('reads a file, also through links', () => {
    writeFileSync(at('a'), 'content');
    symlinkSync('a', at('b'));
    symlinkSync('b', at('c'));
    const read = readFileBytes(at('c'));
    expect(read.bytes.toString()).toBe('content');
    expect(read.realPath).toBe(at('a'));
    expect(read.version).toEqual(inspectFile(at('a')).version);
  });

  it('refuses devices and sockets', async () => {
    symlinkSync('/dev/zero', at('zero'));
    expect(problemOf('/dev/zero')).toMatchObject({ problem: 'special' });
    expect(problemOf(at('zero'))).toMatchObject({
      message: `Not a regular file (character device): ${at('zero')}`,
    });
    const server = createServer().listen(at('socket'));
    await once(server, 'listening');
    expect(problemOf(at('socket'))).toMatchObject({
      message: `Not a regular file (socket): ${at('socket')}`,
    });
    server.close();
  });

  it('refuses a sparse file of 1 GB without reading it', () => {
    const descriptor = openSync(at('huge'), 'w');
    ftruncateSync(descriptor, 1024 ** 3);
    closeSync(descriptor);
    const before = process.memoryUsage().arrayBuffers;
    expect(problemOf(at('huge'))).toMatchObject({
      problem: 'too_large',
      message: expect.stringContaining('has 1024.0 MB or more, the limit is 20 MB.'),
    });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(MAX_FILE_BYTES);
  });

  it('reads a file of exactly the limit and refuses one byte more', () => {
    writeFileSync(at('full'), Buffer.alloc(1000, 'a'));
    expect(readFileBytes(at('full'), { limit: 1000 }).bytes.length).toBe(1000);
    writeFileSync(at('full'), Buffer.alloc(1001, 'a'));
    expect(() => readFileBytes(at('full'), { limit: 1000 })).toThrow('File is too large');
  });

  it('reads files that report size 0, within the limit', () => {
    expect(readFileBytes('/proc/self/cmdline').bytes.length).toBeGreaterThan(0);
    expect(() => readFileBytes('/proc/self/maps', { limit: 100 })).toThrow('File is too large');
  });

  it('names the problem of missing, unreadable, looping and too long paths and of folders', () => {
    mkdirSync(at('folder'));
    symlinkSync('gone', at('dangling'));
    symlinkSync('loop', at('loop'));
    writeFileSync(at('plain'), '');
    expect(problemOf(at('gone'))).toMatchObject({
      problem: 'missing',
      message: `File not found: ${at('gone')}`,
    });
    expect(problemOf(at('dangling'))).toMatchObject({ problem: 'missing' });
    expect(problemOf(at('plain/below'))).toMatchObject({ problem: 'missing' });
    expect(problemOf(at('folder'))).toMatchObject({ problem: 'directory' });
    expect(problemOf(at('loop'))).toMatchObject({ problem: 'io', message: expect.stringContaining('loop') });
    expect(problemOf(at('x'.repeat(300)))).toMatchObject({
      problem: 'io',
      message: expect.stringContaining('too long'),
    });
  });

  it('says that permission is missing', () => {
    writeFileSync(at('closed'), 'secret');
    chmodSync(at('closed'), 0o000);
    chmodSync(dir.path, 0o755);
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65534);
    try {
      expect(problemOf(at('closed'))).toMatchObject({ problem: 'denied' });
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  it('authorizes the real path', () => {
    writeFileSync(at('target'), 'x');
    symlinkSync('target', at('link'));
    const asked: string[] = [];
    const authorize = (path: string) => {
      asked.push(path);
      return 'not this one';
    };
    expect(() => readFileBytes(at('link'), { authorize })).toThrow('not this one');
    expect(asked).toEqual([at('target')]);
  });

  it('reports a file that is removed between check and read', () => {
    writeFileSync(at('going'), 'x');
    const vanish = () => {
      unlinkSync(at('going'));
      return null;
    };
    expect(() => readFileBytes(at('going'), { authorize: vanish })).toThrow('File not found');
  });

  it('reads nothing through a folder that becomes a link after the check', () => {
    mkdirSync(at('inside'));
    mkdirSync(at('outside'));
    writeFileSync(at('inside/file'), 'open');
    writeFileSync(at('outside/file'), 'secret');
    const authorize = () => {
      renameSync(at('inside'), at('moved'));
      symlinkSync('outside', at('inside'));
      return null;
    };
    expect(() => readFileBytes(at('inside/file'), { authorize })).toThrow(/led elsewhere/);
  });

  it('does not follow a link that replaces the file after the check', () => {
    writeFileSync(at('file'), 'mine');
    writeFileSync(at('other'), 'secret');
    const swap = () => {
      renameSync(at('file'), at('moved'));
      symlinkSync('other', at('file'));
      return null;
    };
    expect(() => readFileBytes(at('file'), { authorize: swap })).toThrow('Not a regular file');
  });
});
