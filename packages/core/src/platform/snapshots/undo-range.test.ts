import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SnapshotEngine } from './engine.js';
import { CALL, type TestFolder, testFolder } from './snapshots.test-helper.js';
import type { SnapshotSummary } from './types.js';
import { samePrompt } from './undo-plan.js';

let folder: TestFolder;
let engine: SnapshotEngine;
beforeEach(() => {
  folder = testFolder();
  engine = folder.engine();
});
afterEach(() => folder.cleanup());

/** @returns the id of its snapshot */
function write(name: string, content: string): string {
  const { id } = engine.beforeTool(CALL, [folder.at(name)]);
  folder.put(name, content);
  engine.after(id);
  return id;
}

const read = (name: string) => readFileSync(folder.at(name), 'utf8');

describe('an undo of chosen snapshots since one', () => {
  it('undoes only these; a file that another one changed too is kept and named', () => {
    for (const name of ['mine', 'both', 'theirs']) folder.put(name, '0');
    const first = write('mine', '1');
    const second = write('both', '1');
    write('both', '2');
    write('theirs', '1');
    const third = write('mine', '2');
    const { steps } = engine.undo(first, { scope: 'since', among: [first, second, third] });
    expect(steps.map(({ path, status }) => [path, status])).toEqual([
      [folder.at('mine'), 'done'],
      [folder.at('both'), 'changed-since'],
    ]);
    expect([read('mine'), read('both'), read('theirs')]).toEqual(['0', '2', '1']);
  });

  it('does not touch the excepted paths', () => {
    folder.put('a', '0');
    folder.put('b', '0');
    const first = write('a', '1');
    write('b', '1');
    engine.undo(first, { scope: 'since', except: [folder.at('b')] });
    expect([read('a'), read('b')]).toEqual(['0', '1']);
  });
});

describe('an undo of a whole prompt', () => {
  const edit = (name: string, content: string, promptId: string) => {
    const { id } = engine.beforeTool({ ...CALL, promptId }, [folder.at(name)]);
    folder.put(name, content);
    engine.after(id);
    return id;
  };

  it('undoes all of its changes at once, and is undone and done again as one', () => {
    for (const name of ['a', 'b', 'c']) folder.put(name, '0');
    edit('c', '1', 'first');
    edit('a', '1', 'second');
    edit('b', '1', 'second');
    edit('a', '2', 'second');
    const contents = () => ['a', 'b', 'c'].map(read).join('');
    const { undoId, snapshots } = engine.undo('last', { scope: 'prompt' });
    expect(snapshots).toHaveLength(3);
    expect(contents()).toBe('001');
    engine.undo(undoId as string);
    expect(contents()).toBe('211');
    engine.undo('last', { scope: 'prompt' });
    expect(contents()).toBe('001');
    engine.undo('last', { scope: 'prompt' });
    expect(contents()).toBe('000');
  });

  it('takes the prompt of the given change, without what was undone already', () => {
    for (const name of ['a', 'b', 'c']) folder.put(name, '0');
    const first = edit('a', '1', 'first');
    const second = edit('b', '1', 'first');
    edit('c', '1', 'second');
    engine.undo(second);
    const { snapshots } = engine.preview(first, { scope: 'prompt' });
    expect(snapshots.map(({ id }) => id)).toEqual([first]);
  });

  it('takes nothing of another process, whose prompts may have the same id', () => {
    folder.put('a', '0');
    folder.put('b', '0');
    edit('a', '1', 'p');
    const last = edit('b', '1', 'p');
    const owner = (id: string) => engine.list().find((item) => item.id === id)?.owner;
    expect(owner(last)).toBeTruthy();
    const all = engine.list().map((item) => (item.id === last ? item : { ...item, owner: 'another' }));
    expect(samePrompt(all, all.at(-1) as SnapshotSummary).map(({ id }) => id)).toEqual([last]);
  });
});
