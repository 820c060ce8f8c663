import { existsSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CALL, type TestFolder, testFolder } from './snapshots.test-helper.js';
import type { UndoResult } from './types.js';

let folder: TestFolder;
beforeEach(() => {
  folder = testFolder();
});
afterEach(() => folder.cleanup());

/** Records the work as one command, with a new engine, as another process would. */
function command(work: () => void) {
  const engine = folder.engine();
  const handle = engine.beforeCommand(CALL);
  work();
  return engine.after(handle.id);
}

const statuses = ({ steps }: Pick<UndoResult, 'steps'>) =>
  Object.fromEntries(steps.map(({ path, status }) => [path.slice(folder.root.length + 1), status]));

describe('a store with problems', () => {
  it('on another file system works the same', () => {
    if (!existsSync('/dev/shm')) return;
    folder.storeDir = join('/dev/shm', `gemini-snapshots-test-${process.pid}`);
    rmSync(folder.storeDir, { recursive: true, force: true });
    folder.put('a', 'old');
    try {
      command(() => folder.put('a', 'new'));
      folder.engine().undo('last');
      expect(readFileSync(folder.at('a'), 'utf8')).toBe('old');
    } finally {
      rmSync(folder.storeDir, { recursive: true, force: true });
    }
  });

  it('that is too small names the files, and refuses a tool whose file it cannot copy', () => {
    folder.put('a', 'x'.repeat(50_000));
    const engine = folder.engine(20_000);
    const handle = engine.beforeCommand(CALL);
    expect(handle.uncovered).toEqual([
      { path: folder.at('a'), reason: 'the snapshot store is full (general.checkpointing.maxBytes)' },
    ]);
    unlinkSync(folder.at('a'));
    expect(engine.after(handle.id).uncoveredCount).toBe(1);
    folder.put('b', 'x'.repeat(50_000));
    expect(() => engine.beforeTool(CALL, [folder.at('b')])).toThrow('full');
  });

  it('with a damaged copy skips that file and restores the others', () => {
    folder.put('a', 'content of a');
    folder.put('b', 'content of b');
    command(() => {
      unlinkSync(folder.at('a'));
      unlinkSync(folder.at('b'));
    });
    const pack = join(
      folder.storeDir,
      readdirSync(folder.storeDir).find((name) => name.endsWith('.pack')) ?? '',
    );
    writeFileSync(pack, readFileSync(pack, 'latin1').replace('content of a', 'cXntent of a'), 'latin1');
    expect(statuses(folder.engine().undo('last'))).toEqual({ a: 'damaged', b: 'done' });
    expect(readdirSync(folder.root)).toEqual(['b']);
  });

  it('that is damaged fails the next call', () => {
    command(() => folder.put('a', 'x'));
    const log = join(folder.storeDir, 'log');
    const bytes = readFileSync(log);
    bytes[12] = (bytes[12] as number) ^ 1;
    writeFileSync(log, bytes);
    expect(() => folder.engine().beforeCommand(CALL)).toThrow('damaged');
    expect(() => folder.engine().undo('last')).toThrow('damaged');
    expect(() => folder.engine().list()).toThrow('damaged');
  });

  it('that another process compacted gets the missing contents again', () => {
    folder.put('a', 'first');
    const engine = folder.engine();
    engine.start();
    while (!engine.copySome());
    rmSync(folder.storeDir, { recursive: true });
    const handle = engine.beforeCommand(CALL);
    expect(handle.uncoveredCount).toBe(0);
    folder.put('a', 'second');
    engine.after(handle.id);
    folder.engine().undo('last');
    expect(readFileSync(folder.at('a'), 'utf8')).toBe('first');
  });
});
describe('two sessions in one folder', () => {
  it('each record their own calls', () => {
    folder.put('a', '1');
    const [one, two] = [folder.engine(), folder.engine()];
    one.start();
    two.start();
    const first = one.beforeCommand(CALL);
    folder.put('a', '2');
    one.after(first.id);
    const second = two.beforeCommand(CALL);
    folder.put('b', 'x');
    expect(two.after(second.id).changes.map(({ path }) => path)).toEqual([folder.at('b')]);
    folder.engine().undo(first.id);
    expect(readFileSync(folder.at('a'), 'utf8')).toBe('1');
  });
});
