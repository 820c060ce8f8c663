import { chmodSync, renameSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SnapshotEngine } from './engine.js';
import { diffsOf } from './net-diffs.js';
import { type TestFolder, testFolder } from './snapshots.test-helper.js';

let folder: TestFolder;
let engine: SnapshotEngine;
beforeEach(() => {
  folder = testFolder();
  engine = folder.engine();
});
afterEach(() => folder.cleanup());

/** A shell command of a session. @returns the id of its snapshot */
function command(run: () => void, sessionId = 'mine'): string {
  const call = { callId: 'c', toolName: 'run_shell_command', promptId: 'p', sessionId };
  const { id } = engine.beforeCommand(call);
  run();
  engine.after(id);
  return id;
}

const diffs = () => diffsOf(engine.changesOf('mine'), folder.root);

describe('what a session changed', () => {
  it('is the net difference of several calls, with counts', async () => {
    folder.put('a.txt', 'one\ntwo\n');
    command(() => folder.put('a.txt', 'one\n2\n'));
    command(() => folder.put('a.txt', 'one\n2\nthree\n'));
    const [file, ...others] = await diffs();
    expect(others).toEqual([]);
    expect(file).toMatchObject({ path: folder.at('a.txt'), kind: 'changed', added: 2, removed: 1 });
    expect(file?.diff).toContain('--- a/a.txt\n+++ b/a.txt\n');
    expect(file?.diff).toContain(' one\n-two\n+2\n+three\n');
  });

  it('names created, deleted and moved files, and changed modes', async () => {
    for (const name of ['gone', 'old', 'script']) folder.put(name, `${name}\n`);
    command(() => {
      folder.put('made/new', 'new\n');
      rmSync(folder.at('gone'));
      renameSync(folder.at('old'), folder.at('renamed'));
      chmodSync(folder.at('script'), 0o755);
    });
    const found = await diffs();
    expect(found.map(({ path, kind, from }) => [path, kind, from])).toEqual([
      [folder.at('gone'), 'deleted', undefined],
      [folder.at('made/new'), 'created', undefined],
      [folder.at('renamed'), 'moved', folder.at('old')],
      [folder.at('script'), 'mode', undefined],
    ]);
    expect(found[0]?.diff).toContain('--- a/gone\n+++ /dev/null\n');
    expect(found[1]?.diff).toContain('--- /dev/null\n+++ b/made/new\n');
  });

  it('leaves out what was undone, and what other sessions changed', async () => {
    folder.put('a', '0\n');
    folder.put('b', '0\n');
    const id = command(() => folder.put('a', '1\n'));
    command(() => folder.put('b', '1\n'), 'other');
    engine.undo(id);
    expect(await diffs()).toEqual([]);
  });

  it('says when a file was also changed outside the session, but not after an undo', async () => {
    folder.put('a', '0\n');
    folder.put('b', '0\n');
    command(() => folder.put('a', '1\n'));
    command(() => folder.put('b', '1\n'));
    const id = command(() => folder.put('b', '2\n'));
    engine.undo(id);
    folder.put('a', 'mine\n');
    expect((await diffs()).map(({ path, isForeign }) => [path, isForeign])).toEqual([
      [folder.at('a'), true],
      [folder.at('b'), false],
    ]);
  });

  it('shows no text of a binary file', async () => {
    folder.put('a', Buffer.from([0, 1]));
    command(() => folder.put('a', Buffer.from([0, 2, 3])));
    expect(await diffs()).toMatchObject([{ kind: 'changed', isBinary: true }]);
    expect((await diffs())[0]).not.toHaveProperty('diff');
  });
});
