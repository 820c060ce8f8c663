import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ARCHIVE_LIMITS, extractArchive } from './archive.js';
import { type ZipEntry, zipOf } from './zip.test-helper.js';

let dir: { path: string; cleanup: () => void };
let into: string;
beforeEach(() => {
  dir = tempDir();
  into = join(dir.path, 'into');
  mkdirSync(into);
});
afterEach(() => dir.cleanup());

const SKILL: ZipEntry = { name: 'SKILL.md', data: '---\nname: a\ndescription: d\n---\n' };

function extract(entries: readonly ZipEntry[], limits = ARCHIVE_LIMITS): Promise<void> {
  const file = join(dir.path, 'a.skill');
  writeFileSync(file, zipOf(entries));
  return extractArchive(file, into, limits);
}

describe('a skill archive', () => {
  it('is extracted with its folders and executable files', async () => {
    await extract([
      SKILL,
      { name: 'scripts/', mode: 0o040755 },
      { name: 'scripts/run.sh', data: 'x', mode: 0o104777 },
      { name: 'deep/er/file.txt', data: 'text' },
    ]);
    expect(readFileSync(join(into, 'deep/er/file.txt'), 'utf8')).toBe('text');
    expect(statSync(join(into, 'scripts/run.sh')).mode & 0o7777).toBe(0o755);
  });

  it.each<[string, ZipEntry]>([
    ['leads up', { name: '../evil', data: 'x' }],
    ['leads up from below', { name: 'a/../../evil', data: 'x' }],
    ['is absolute', { name: '/tmp/evil', data: 'x' }],
    ['has backslashes', { name: '..\\evil', data: 'x' }],
    ['has a drive letter', { name: 'C:evil', data: 'x' }],
    ['has a control character', { name: 'a\u0007b', data: 'x' }],
    ['is a link', { name: 'link', data: '/etc/passwd', mode: 0o120777 }],
    ['is a device', { name: 'device', mode: 0o060666 }],
    ['is a pipe', { name: 'pipe', mode: 0o010666 }],
    ['is there twice', { name: 'skill.MD', data: 'x' }],
    ['is encrypted', { name: 'secret', data: 'x', isEncrypted: true }],
    ['lies about its size', { name: 'big', data: 'x'.repeat(1000), claimedSize: 10 }],
    ['is a folder and a file', { name: 'SKILL.md/x', data: 'x' }],
  ])('is refused when an entry %s', async (_what, entry) => {
    await expect(extract([SKILL, entry])).rejects.toMatchObject({ code: 'skill_install' });
    expect(existsSync(join(dir.path, 'evil'))).toBe(false);
    expect(readdirSync(into).filter((name) => name !== 'SKILL.md' && name !== 'big')).toEqual([]);
  });

  it('is refused when a name is too long for a file system, with a message of one line', async () => {
    const error = await extract([SKILL, { name: `d/${'n'.repeat(5000)}`, data: 'x' }]).catch(
      (thrown) => thrown,
    );
    expect(error.message).toMatch(/"d\/n{78}…" has too long a name\.$/);
  });

  it('is refused when it extracts to far more than its size', async () => {
    const bomb = { name: 'zeros', data: Buffer.alloc(8 * 1024 * 1024) };
    await expect(extract([SKILL, bomb])).rejects.toThrow('more than 100 times its size');
  });

  it('is refused beyond the limits of bytes, entries and file size', async () => {
    const files = [SKILL, { name: 'a', data: 'aaaaaaaaaa' }, { name: 'b', data: 'bbbbbbbbbb' }];
    await expect(extract(files, { ...ARCHIVE_LIMITS, totalBytes: 40 })).rejects.toThrow('more than');
    await expect(extract(files, { ...ARCHIVE_LIMITS, entries: 2 })).rejects.toThrow('more than 2 entries');
    await expect(extract(files, { ...ARCHIVE_LIMITS, archiveBytes: 10 })).rejects.toThrow('is larger than');
  });

  it('that is no archive, or cut off, is refused with a message', async () => {
    const file = join(dir.path, 'a.skill');
    writeFileSync(file, 'not a zip');
    await expect(extractArchive(file, into)).rejects.toThrow('is not a skill archive');
    const whole = zipOf([SKILL]);
    writeFileSync(file, whole.subarray(20));
    await expect(extractArchive(file, into)).rejects.toMatchObject({ code: 'skill_install' });
  });
});
