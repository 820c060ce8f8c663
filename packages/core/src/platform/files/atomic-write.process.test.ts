import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replaceFile } from './atomic-write.js';

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

  it('refuses folders, special files and a parent that is a file', () => {
    mkdirSync(at('folder'));
    writeFileSync(at('file'), '');
    execFileSync('mkfifo', [at('pipe')]);
    expect(problemOf(() => write('folder', 'x'))).toMatchObject({ problem: 'directory' });
    expect(problemOf(() => write('pipe', 'x'))).toMatchObject({ problem: 'special' });
    expect(problemOf(() => write('file/below', 'x'))).toMatchObject({
      problem: 'io',
      message: expect.stringContaining('a parent of it is a file'),
    });
    expect(problemOf(() => write('n'.repeat(256), 'x'))).toMatchObject({ problem: 'io' });
    expect(readdirSync(dir.path).sort()).toEqual(['file', 'folder', 'pipe']);
  });
  it('keeps the complete old file when the disk is full', () => {
    const disk = at('disk');
    mkdirSync(disk);
    const isMounted = mountSmallDisk(disk);
    try {
      const file = join(disk, 'file');
      writeFileSync(file, OLD, { mode: 0o640 });
      const large = 200 * 1024;
      const problem = isMounted
        ? problemOf(() => replaceFile(file, Buffer.alloc(large)))
        : {
            problem: limitedWrite(file, `replaceFile(file, Buffer.alloc(${large}))`).replace(
              'io',
              'no_space',
            ),
          };
      expect(problem).toMatchObject({ problem: 'no_space' });
      expect(readFileSync(file, 'utf8')).toBe(OLD);
      expect(readdirSync(disk)).toEqual(['file']);
      replaceFile(file, Buffer.from('fits'));
      expect(readFileSync(file, 'utf8')).toBe('fits');
      expect(statSync(file).mode & 0o777).toBe(0o640);
    } finally {
      if (isMounted) spawnSync('umount', [disk]);
    }
  });

  it('keeps the complete old file when a size limit stops the write', () => {
    writeFileSync(at('file'), OLD);
    expect(limitedWrite(at('file'), 'replaceFile(file, Buffer.alloc(200 * 1024))')).toBe('io');
    expect(readFileSync(at('file'), 'utf8')).toBe(OLD);
    expect(readdirSync(dir.path)).toEqual(['file']);
  });

  it('restores the old content when writing into the file itself fails', () => {
    writeFileSync(at('file'), OLD);
    const call = 'overwriteInPlace(file, Buffer.alloc(200 * 1024), statSync(file))';
    expect(limitedWrite(at('file'), call)).toBe('EFBIG');
    expect(readFileSync(at('file'), 'utf8')).toBe(OLD);
  });
});

const OLD = 'o'.repeat(8 * 1024);

/** False where mounting is not allowed. */
function mountSmallDisk(directory: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', directory]).status === 0;
}

/** Runs `call` on `file` in a child that may not write files of more than 16 KB; returns what went wrong. */
function limitedWrite(file: string, call: string): string {
  const script = `
    import { statSync } from 'node:fs';
    import { replaceFile } from ${JSON.stringify(resolve(import.meta.dirname, 'atomic-write.ts'))};
    import { overwriteInPlace } from ${JSON.stringify(resolve(import.meta.dirname, 'in-place-write.ts'))};
    const file = ${JSON.stringify(file)};
    try { ${call}; } catch (error) { process.stdout.write(error.problem ?? error.code); }
  `;
  const command = 'ulimit -f 16; exec "$0" --import tsx --input-type=module -e "$1"';
  // The loader's cache would be cut off by the limit as well, to the harm of later runs.
  const env = { ...process.env, TSX_DISABLE_CACHE: '1' };
  return spawnSync('bash', ['-c', command, process.execPath, script], { encoding: 'utf8', env }).stdout;
}
