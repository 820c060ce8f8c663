import { chmodSync, mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownerName } from '../locks/lock-owner.js';
import { SnapshotEngine } from './engine.js';
import { asOrdinaryUser, CALL, type TestFolder, testFolder } from './snapshots.test-helper.js';
import { SnapshotStore } from './store.js';

let folder: TestFolder;
beforeEach(() => {
  folder = testFolder();
});
afterEach(() => folder.cleanup());

/** Makes the open records look as if their process had been killed. */
function forgetOwner(): void {
  const store = new SnapshotStore({ directory: folder.storeDir, maxBytes: 50_000_000 });
  const gone = ownerName().replace(/^\d+/, '4194999');
  store.exclusive(() =>
    store.replaceLog(
      store
        .events()
        .map((event) =>
          event.t === 'open' ? { t: 'open', record: { ...event.record, owner: gone } } : event,
        ),
    ),
  );
}

describe('a call whose process was killed', () => {
  it('leaves no temporary file behind, and files of other processes stay', () => {
    folder.put('a', 'old');
    folder.engine().beforeTool(CALL, [folder.at('a')]);
    folder.put('.gemini-write-4194999-0011223344556677.tmp', 'ha');
    folder.put('.gemini-write-1-0011223344556677.tmp', 'of a running process');
    forgetOwner();
    folder.engine().recover();
    expect(readdirSync(folder.root).sort()).toEqual(['.gemini-write-1-0011223344556677.tmp', 'a']);
  });

  it('is recorded by the next one, and can be undone', () => {
    folder.put('a', 'old');
    folder.put('gone', 'gone');
    const before = folder.picture();
    folder.engine().beforeCommand(CALL);
    folder.put('a', 'new');
    unlinkSync(folder.at('gone'));
    folder.put('made/file', 'x');
    forgetOwner();
    expect(folder.engine().recover()).toMatchObject([{ kind: 'command', interrupted: true }]);
    expect(folder.engine().recover()).toEqual([]);
    folder.engine().undo('last');
    expect(folder.picture()).toEqual(before);
  });

  it('is recorded for file tools too', () => {
    folder.put('a', 'old');
    folder.engine().beforeTool(CALL, [folder.at('a')]);
    folder.put('a', 'new');
    folder.put('b', 'not part of it');
    forgetOwner();
    expect(folder.engine().recover()).toMatchObject([{ changes: [{ path: folder.at('a') }] }]);
  });

  it('is not closed while the process runs', () => {
    folder.engine().beforeCommand(CALL);
    expect(folder.engine().recover()).toEqual([]);
  });

  it('is not recorded as the creator of a folder that was added to the workspace later', () => {
    folder.put('a', 'old');
    folder.engine().beforeCommand(CALL);
    folder.put('a', 'new');
    forgetOwner();
    const other = join(folder.base, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'precious'), 'x');
    const roots = [folder.root, other];
    const engine = new SnapshotEngine({
      storeDir: folder.storeDir,
      globalDir: folder.storeDir,
      roots,
      maxBytes: 50_000_000,
    });
    engine.start();
    expect(engine.recover()[0]?.changes.map(({ path }) => path)).toEqual([folder.at('a')]);
  });
});

describe('an undo that was killed', () => {
  it('is recorded with what it did, and finished by undoing once more', () => {
    folder.put('a', 'a1');
    folder.put('b', 'b1');
    const engine = folder.engine();
    const { id } = engine.beforeCommand(CALL);
    folder.put('a', 'a2');
    folder.put('b', 'b2');
    engine.after(id);
    const { undoId } = folder.engine().undo('last');
    // Its end was not recorded, one file was not restored, and a temporary file remains.
    dropEndOf(undoId as string);
    folder.put('b', 'b2');
    folder.put(`.gemini-undo-${undoId}-1.tmp`, 'half');
    forgetOwner();
    const [record] = folder.engine().recover();
    expect(record).toMatchObject({ id: undoId, interrupted: true, changes: [{ path: folder.at('a') }] });
    expect(
      folder
        .engine()
        .undo('last')
        .steps.map(({ status }) => status),
    ).toEqual(['already', 'done']);
    expect(folder.picture()).toEqual({ a: expect.stringMatching(/a1$/), b: expect.stringMatching(/b1$/) });
  });

  function dropEndOf(id: string): void {
    const store = new SnapshotStore({ directory: folder.storeDir, maxBytes: 50_000_000 });
    store.exclusive(() =>
      store.replaceLog(store.events().filter((event) => event.t !== 'close' || event.record.id !== id)),
    );
  }
});

describe('a folder that could not be listed', () => {
  it('contains nothing new once it can be listed', () => {
    folder.put('closed/precious', 'x');
    folder.put('open', 'x');
    for (const path of [folder.base, folder.root]) chmodSync(path, 0o777);
    chmodSync(folder.at('closed'), 0o000);
    asOrdinaryUser(() => {
      const engine = folder.engine();
      const handle = engine.beforeCommand(CALL);
      expect(handle.uncovered).toEqual([
        { path: folder.at('closed'), reason: 'it cannot be listed (EACCES)' },
      ]);
      process.seteuid?.(process.getuid?.() ?? 0);
      chmodSync(folder.at('closed'), 0o755);
      const changes = engine.after(handle.id).changes;
      expect(changes.map(({ path }) => path)).toEqual([folder.at('closed')]);
    });
    folder.engine().undo('last');
    chmodSync(folder.at('closed'), 0o755);
    expect(readFileSync(folder.at('closed/precious'), 'utf8')).toBe('x');
  });
});
