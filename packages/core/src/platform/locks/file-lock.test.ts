import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withFileLock } from './file-lock.js';

let directory: ReturnType<typeof tempDir>;
let path: string;
beforeEach(() => {
  directory = tempDir();
  path = join(directory.path, 'file.json');
});
afterEach(() => directory.cleanup());

it('withFileLock runs one work at a time, and leaves no lock behind', async () => {
  let inside = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++inside);
    await new Promise((done) => setImmediate(done));
    inside--;
    return most;
  };
  const results = await Promise.all(Array.from({ length: 20 }, () => withFileLock(path, work)));
  expect(results).toEqual(Array(20).fill(1));
  expect(readdirSync(directory.path)).toEqual([]);
});

it('withFileLock releases the lock when the work fails', async () => {
  const failing = () => {
    throw new Error('no');
  };
  await expect(withFileLock(path, failing)).rejects.toThrow('no');
  expect(await withFileLock(path, () => 'free')).toBe('free');
});

it('withFileLock takes over the lock of a killed process, once, even if many wait', async () => {
  abandon();
  let inside = 0;
  const work = async () => {
    inside++;
    await new Promise((done) => setImmediate(done));
    return inside--;
  };
  expect(await Promise.all(Array.from({ length: 10 }, () => withFileLock(path, work)))).toEqual(
    Array(10).fill(1),
  );
  expect(readdirSync(directory.path)).toEqual([]);
});

it('withFileLock gives up on a held lock, and names it', async () => {
  writeFileSync(`${path}.lock`, '');
  const attempt = withFileLock(path, () => 'never', { abandonedMs: 60_000, giveUpMs: 60 });
  await expect(attempt).rejects.toMatchObject({
    addressee: 'user',
    message: expect.stringContaining(`${path}.lock`),
  });
  expect(existsSync(`${path}.lock`)).toBe(true);
});

it('withFileLock does not remove the lock of a process that took over meanwhile', async () => {
  await withFileLock(path, () => {
    abandon();
    return withFileLock(path, () => abandon());
  });
  expect(existsSync(`${path}.lock`)).toBe(true);
});

it('withFileLock fails when the lock file cannot be created', async () => {
  await expect(withFileLock(join(directory.path, 'none/x'), () => 1)).rejects.toThrow('ENOENT');
  mkdirSync(`${path}.lock`);
  await expect(withFileLock(path, () => 1, { abandonedMs: 60_000, giveUpMs: 30 })).rejects.toThrow('.lock');
});

/** A lock from long ago. */
function abandon(): void {
  writeFileSync(`${path}.lock`, '');
  utimesSync(`${path}.lock`, new Date(0), new Date(0));
}
