import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestFolder, testFolder } from './snapshots.test-helper.js';
import { toLine } from './tree-entry.js';
import { TreeIndex } from './tree-index.js';

let folder: TestFolder;
let tree: TreeIndex;
beforeEach(() => {
  folder = testFolder();
  folder.put('a', '1');
  folder.put('dir/b', '2');
  folder.put('dir/sub/c', '3');
  tree = new TreeIndex({ roots: [folder.root] });
  tree.refresh();
});
afterEach(() => folder.cleanup());

const changed = () =>
  Object.fromEntries(
    [...tree.refresh()].map(([path, before]) => [path.slice(folder.root.length + 1), before?.kind ?? null]),
  );
const known = (index = tree) =>
  [...index.entries.keys()].map((path) => path.slice(folder.root.length + 1)).sort();

describe('refreshing the index', () => {
  it('finds nothing when nothing has changed', () => {
    expect(known()).toEqual(['a', 'dir', 'dir/b', 'dir/sub', 'dir/sub/c']);
    expect(changed()).toEqual({});
  });

  it('finds changed, created, removed and moved files', () => {
    folder.put('dir/b', 'longer');
    folder.put('new/file', 'x');
    unlinkSync(folder.at('a'));
    renameSync(folder.at('dir/sub'), folder.at('moved'));
    expect(changed()).toEqual({
      a: 'f',
      'dir/b': 'f',
      'dir/sub': 'd',
      'dir/sub/c': 'f',
      moved: null,
      'moved/c': null,
      new: null,
      'new/file': null,
    });
    expect(changed()).toEqual({});
  });

  it('finds changed modes of files and folders', () => {
    chmodSync(folder.at('a'), 0o600);
    chmodSync(folder.at('dir'), 0o700);
    expect(changed()).toEqual({ a: 'f', dir: 'd' });
    expect(changed()).toEqual({});
  });

  it('finds entries that changed their kind, and what was below them', () => {
    rmSync(folder.at('dir'), { recursive: true });
    symlinkSync('a', folder.at('dir'));
    expect(changed()).toEqual({ dir: 'd', 'dir/b': 'f', 'dir/sub': 'd', 'dir/sub/c': 'f' });
    unlinkSync(folder.at('dir'));
    folder.put('dir/b', 'again');
    expect(changed()).toEqual({ dir: 'l', 'dir/b': null });
  });

  it('finds a folder replaced by another of the same name', () => {
    rmSync(folder.at('dir'), { recursive: true });
    folder.put('dir/other', 'x');
    expect(changed()).toEqual({ 'dir/b': 'f', 'dir/sub': 'd', 'dir/sub/c': 'f', 'dir/other': null });
  });
});

describe('an earlier index', () => {
  it('is continued: changes since then are found', () => {
    for (const entry of tree.entries.values()) if (entry.kind === 'f') tree.setHash(entry, 'hash', false);
    const lines = [...tree.entries.values()].map(toLine);
    folder.put('a', 'changed');
    rmSync(folder.at('dir/sub'), { recursive: true });
    tree = new TreeIndex({ roots: [folder.root] });
    tree.load(lines);
    expect(changed()).toEqual({ a: 'f', 'dir/sub': 'd', 'dir/sub/c': 'f' });
    expect([...tree.pending].map(({ path }) => path)).toEqual([folder.at('a')]);
    expect(tree.entries.get(folder.at('dir/b'))?.hash).toBe('hash');
  });
});

describe('left out of the index', () => {
  it('is .git, what the caller names, and what is behind links', () => {
    folder.put('.git/HEAD', 'x');
    folder.put('dir/.git', 'gitdir: elsewhere');
    folder.put('own/store', 'x');
    mkdirSync(join(folder.base, 'outside'));
    writeFileSync(join(folder.base, 'outside/secret'), 'x');
    symlinkSync(join(folder.base, 'outside'), folder.at('link'));
    const index = new TreeIndex({ roots: [folder.root], exclude: [folder.at('own')] });
    index.refresh();
    expect(known(index)).toEqual(['a', 'dir', 'dir/b', 'dir/sub', 'dir/sub/c', 'link']);
  });

  it('is what exceeds the limit, which is reported', () => {
    const index = new TreeIndex({ roots: [folder.root], maxEntries: 2 });
    index.refresh();
    expect(index.entries.size).toBe(2);
    expect(index.problems[0]?.reason).toContain('too many files');
  });

  it('is the second copy of a folder that is inside another one', () => {
    const index = new TreeIndex({ roots: [folder.root, folder.at('dir')] });
    index.refresh();
    expect(known(index)).toEqual(['a', 'dir', 'dir/b', 'dir/sub', 'dir/sub/c']);
    expect(index.refresh().size).toBe(0);
  });

  it('is a folder that is gone: its entries count as removed', () => {
    rmSync(folder.root, { recursive: true });
    expect(Object.keys(changed()).sort()).toEqual(['a', 'dir', 'dir/b', 'dir/sub', 'dir/sub/c']);
  });
});
