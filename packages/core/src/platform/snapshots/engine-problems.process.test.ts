import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CALL, type TestFolder, testFolder } from './snapshots.test-helper.js';
import type { UndoResult } from './types.js';

let folder: TestFolder;
beforeEach(() => {
  folder = testFolder();
});
afterEach(() => folder.cleanup());

/** Runs the work as a command of its own, in a process that ends with it. */
function command(work: () => void) {
  const engine = folder.engine();
  const handle = engine.beforeCommand(CALL);
  work();
  return engine.after(handle.id);
}

const statuses = ({ steps }: Pick<UndoResult, 'steps'>) =>
  Object.fromEntries(steps.map(({ path, status }) => [path.slice(folder.root.length + 1), status]));
describe('a disk without room', () => {
  it('fails the call with the reason, keeps the store, and works again when there is room', () => {
    const disk = join(folder.base, 'disk');
    mkdirSync(disk);
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk]).status !== 0) return;
    try {
      folder.storeDir = join(disk, 'store');
      folder.put('a', 'old');
      command(() => folder.put('a', 'new'));
      folder.put('big', 'x'.repeat(1_000_000));
      const full = { reason: 'full', message: expect.stringContaining('no space left') };
      expect(errorOf(() => folder.engine().beforeTool(CALL, [folder.at('big')]))).toMatchObject(full);
      expect(errorOf(() => folder.engine().beforeCommand(CALL))).toMatchObject(full);
      unlinkSync(folder.at('big'));
      expect(statuses(folder.engine().undo('last'))).toEqual({ a: 'done' });
      expect(readFileSync(folder.at('a'), 'utf8')).toBe('old');
    } finally {
      spawnSync('umount', [disk]);
    }
  });
});
function errorOf(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}
