import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeEditor, FakeUri } from '../testing/fake-editor.test-helper.js';
import { watchOpenFiles } from './watch-open-files.js';

const isDiff = (uri: { scheme: string }) => uri.scheme === 'gemini-diff';

describe('watchOpenFiles', () => {
  let editor: FakeEditor;
  let changes: number;

  beforeEach(() => {
    vi.useFakeTimers();
    editor = new FakeEditor();
    changes = 0;
  });
  afterEach(() => vi.useRealTimers());

  function watch() {
    return watchOpenFiles(editor.api, isDiff, () => {
      changes += 1;
    });
  }

  it('knows the files that were open before', () => {
    editor.openFile('/a.ts');
    editor.openFile('/b.ts');
    const { files } = watch();
    expect(files.list().map(({ path, isActive }) => [path, isActive])).toEqual([
      ['/b.ts', true],
      ['/a.ts', undefined],
    ]);
  });

  it('reports cursor and selection, counted from 1', () => {
    const { files } = watch();
    editor.openFile('/a.ts', 'one\ntwo\nthree');
    editor.select({ line: 1, character: 1 }, { line: 2, character: 2 });
    vi.advanceTimersByTime(50);
    expect(files.list()[0]).toMatchObject({ cursor: { line: 3, character: 3 }, selectedText: 'wo\nth' });
  });

  it('tells a thousand changes in a second as twenty, and none later than 50 ms', () => {
    watch();
    editor.openFile('/a.ts', 'x'.repeat(1001));
    for (let step = 0; step < 1000; step++) {
      editor.select({ line: 0, character: 0 }, { line: 0, character: step + 1 });
      vi.advanceTimersByTime(1);
    }
    expect(changes).toBe(20);
  });

  it('says nothing about the moment without a file between two files', () => {
    const { files } = watch();
    const first = editor.openFile('/a.ts');
    vi.advanceTimersByTime(50);
    editor.focus(undefined);
    editor.focus(first);
    vi.advanceTimersByTime(50);
    expect(files.list()[0]?.isActive).toBe(true);
    editor.focus(undefined);
    vi.advanceTimersByTime(50);
    expect(files.list()[0]?.isActive).toBeUndefined();
  });

  it('keeps the active file while one of our diffs is looked at', async () => {
    const { files } = watch();
    editor.openFile('/a.ts');
    vi.advanceTimersByTime(50);
    editor.focus(await documentOf('gemini-diff'));
    vi.advanceTimersByTime(50);
    expect(files.list()).toMatchObject([{ path: '/a.ts', isActive: true }]);
  });

  it('leaves out what is not on the disk', async () => {
    const { files } = watch();
    editor.focus(await documentOf('untitled'));
    vi.advanceTimersByTime(50);
    expect(files.list()).toEqual([]);
  });

  it('forgets a file when its last tab is closed', () => {
    const { files } = watch();
    editor.openFile('/a.ts');
    editor.openFile('/a.ts');
    editor.focus(undefined);
    editor.closeTab(editor.tabs[0]);
    expect(files.list()).toHaveLength(1);
    editor.closeTab(editor.tabs[0]);
    expect(files.list()).toEqual([]);
  });

  it('follows renamed and deleted files', () => {
    const { files } = watch();
    editor.openFile('/src/a.ts');
    editor.openFile('/src/b.ts');
    vi.advanceTimersByTime(50);
    editor.focus(undefined);
    const file = FakeUri.file;
    editor.events.renamed.fire({ files: [{ oldUri: file('/src/a.ts'), newUri: file('/src/c.ts') }] });
    editor.events.deleted.fire({ files: [file('/src/b.ts')] });
    vi.advanceTimersByTime(50);
    expect(files.list().map(({ path }) => path)).toEqual(['/src/c.ts']);
  });

  it('is silent after it was disposed', () => {
    const watched = watch();
    editor.openFile('/a.ts');
    watched.dispose();
    editor.openFile('/b.ts');
    vi.advanceTimersByTime(1000);
    expect(changes).toBe(0);
  });

  /** A document that is not a file. */
  async function documentOf(scheme: string) {
    const uri = FakeUri.from({ scheme, path: '/a.ts' });
    return (await editor.api.workspace.openTextDocument(
      uri as unknown as Parameters<typeof editor.api.workspace.openTextDocument>[0] & FakeUri,
    )) as unknown as Parameters<FakeEditor['focus']>[0];
  }
});
