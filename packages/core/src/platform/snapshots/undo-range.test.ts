import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SnapshotEngine } from './engine.js';
import { CALL, type TestFolder, testFolder } from './snapshots.test-helper.js';

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
