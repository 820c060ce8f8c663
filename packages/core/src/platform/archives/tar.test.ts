import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ArchiveLimits } from './extraction.js';
import { extractTar } from './tar.js';
import { type TarEntry, tarGzOf, tarOf } from './tar.test-helper.js';

const MB = 1024 * 1024;
const LIMITS: ArchiveLimits = {
  archiveBytes: 10 * MB,
  totalBytes: 20 * MB,
  entries: 50,
  ratio: 100,
  ratioFromBytes: MB,
};

let dir: { path: string; cleanup: () => void };
let into: string;
beforeEach(() => {
  dir = tempDir();
  into = join(dir.path, 'into');
  mkdirSync(into);
});
afterEach(() => dir.cleanup());

function extractBytes(bytes: Buffer, limits = LIMITS, allowsLinks = true): Promise<void> {
  const file = join(dir.path, 'a.tar.gz');
  writeFileSync(file, bytes);
  return extractTar(file, into, { limits, what: 'extension', allowsLinks });
}

const extract = (entries: readonly TarEntry[], limits = LIMITS) => extractBytes(tarGzOf(entries), limits);
const FIRST: TarEntry = { name: './first.txt', data: 'first' };
const read = (name: string) => readFileSync(join(into, name), 'utf8');

describe('a tar archive', () => {
  it('is extracted with folders, programs, long names, links and second names', async () => {
    const long = `deep/${'d'.repeat(90)}/${'e'.repeat(90)}.txt`;
    await extract([
      { name: './', type: '5' },
      FIRST,
      { name: 'bin/', type: '5' },
      { name: 'bin/run', data: '#!', mode: 0o4755 },
      { name: long, data: 'long' },
      { name: 'bin/alias', type: '2', link: '../first.txt' },
      { name: 'bin/copy', type: '1', link: 'first.txt' },
    ]);
    expect(read('first.txt')).toBe('first');
    expect(read(long)).toBe('long');
    expect(read('bin/copy')).toBe('first');
    expect(readlinkSync(join(into, 'bin/alias'))).toBe('../first.txt');
    expect(statSync(join(into, 'bin/run')).mode & 0o7777).toBe(0o755);
  });

  it('is also read uncompressed and without its final blocks', async () => {
    await extractBytes(tarOf([FIRST]).subarray(0, 1024));
    expect(readdirSync(into)).toEqual(['first.txt']);
  });

  it.each<[string, TarEntry[]]>([
    ['leads up', [{ name: '../evil', data: 'x' }]],
    ['leads up from below', [{ name: 'a/../../evil', data: 'x' }]],
    ['is absolute', [{ name: '/tmp/evil', data: 'x' }]],
    ['has backslashes', [{ name: '..\\evil', data: 'x' }]],
    ['is a device', [{ name: 'device', type: '3' }]],
    ['is a pipe', [{ name: 'pipe', type: '6' }]],
    ['is there twice', [{ name: 'FIRST.TXT', data: 'x' }]],
    ['is a link out', [{ name: 'link', type: '2', link: '../evil' }]],
    ['is an absolute link', [{ name: 'link', type: '2', link: '/etc/passwd' }]],
    ['is a second name of a file outside', [{ name: 'copy', type: '1', link: '../secret' }]],
    [
      'is a second name of a link',
      [
        { name: 'l', type: '2', link: 'first.txt' },
        { name: 'copy', type: '1', link: 'l' },
      ],
    ],
    [
      'is a link out through another link',
      [
        { name: 'sub/back', type: '2', link: '..' },
        { name: 'out', type: '2', link: 'sub/back/..' },
      ],
    ],
    [
      'is written through a link',
      [
        { name: 'door', type: '2', link: '..' },
        { name: 'door/evil', data: 'x' },
      ],
    ],
    ['claims to be larger than the archive', [{ name: 'big', data: 'x', claimedSize: 10_000 }]],
  ])('is refused when an entry %s', async (_what, entries) => {
    writeFileSync(join(dir.path, 'secret'), 'secret');
    await expect(extract([FIRST, ...entries])).rejects.toMatchObject({ code: 'archive' });
    expect(existsSync(join(dir.path, 'evil'))).toBe(false);
  });

  it('is refused with every link where links are not wanted', async () => {
    const bytes = tarGzOf([FIRST, { name: 'link', type: '2', link: 'first.txt' }]);
    await expect(extractBytes(bytes, LIMITS, false)).rejects.toThrow('"link" is a link or special file');
  });

  it('is refused when it is a bomb: by size, by ratio, by entries', async () => {
    const zeros = { name: 'zeros', data: Buffer.alloc(4 * MB) };
    await expect(extract([FIRST, zeros])).rejects.toThrow('more than 100 times its size');
    await expect(extract([{ ...zeros, name: 'z' }], { ...LIMITS, totalBytes: MB })).rejects.toThrow(
      'more than 1 MB',
    );
    const many = Array.from({ length: 60 }, (_, index) => ({ name: `f${index}`, data: '' }));
    await expect(extract(many)).rejects.toThrow('more than 50 entries');
    const hidden = Array.from({ length: 60 }, () => ({ name: 'x', type: 'g', data: '' }));
    await expect(extract(hidden)).rejects.toThrow('more than 50 entries');
  });

  it('is refused with a message when it is no archive, empty, damaged or cut off', async () => {
    const whole = tarGzOf([FIRST, { name: 'second', data: 'x'.repeat(5000) }]);
    await expect(extractBytes(Buffer.from('not an archive'))).rejects.toThrow(
      'cannot be read as an archive of the extension',
    );
    await expect(extractBytes(Buffer.alloc(0))).rejects.toThrow(
      'cannot be read as an archive of the extension',
    );
    await expect(extractBytes(whole.subarray(0, whole.length - 20))).rejects.toThrow('cannot be extracted');
    const damaged = tarOf([FIRST]);
    damaged[3] = 0x41;
    await expect(extractBytes(damaged)).rejects.toThrow('is damaged');
  });
});
