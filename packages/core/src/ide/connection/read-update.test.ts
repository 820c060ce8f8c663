import { describe, expect, it } from 'vitest';
import { CUT_MARK, readUpdate } from './read-update.js';

const file = (path: string, timestamp: number, more: object = {}) => ({ path, timestamp, ...more });

describe('readUpdate', () => {
  it('sorts by time, and leaves cursor and selection to the active file', () => {
    const cursor = { line: 3, character: 4 };
    const read = readUpdate({
      workspaceState: {
        openFiles: [
          file('/old', 1, { isActive: true, cursor, selectedText: 'old' }),
          file('/new', 2, { isActive: true, cursor, selectedText: 'new' }),
        ],
        isTrusted: false,
      },
    });
    expect(read).toEqual({
      openFiles: [file('/new', 2, { isActive: true, cursor, selectedText: 'new' }), file('/old', 1)],
      isTrusted: false,
    });
  });

  it('knows no active file when the one used last is not', () => {
    const read = readUpdate({
      workspaceState: { openFiles: [file('/a', 2), file('/b', 1, { isActive: true })] },
    });
    expect(read?.openFiles).toEqual([file('/a', 2), file('/b', 1)]);
  });

  it('keeps ten files', () => {
    const openFiles = Array.from({ length: 20 }, (_, at) => file(`/${at}`, at));
    const paths = readUpdate({ workspaceState: { openFiles } })?.openFiles.map(({ path }) => path);
    expect(paths).toEqual(Array.from({ length: 10 }, (_, at) => `/${19 - at}`));
  });

  it('cuts a long selection, with a mark', () => {
    const openFiles = [file('/a', 1, { isActive: true, selectedText: 'x'.repeat(20_000) })];
    const text = readUpdate({ workspaceState: { openFiles } })?.openFiles[0]?.selectedText;
    expect(text).toBe('x'.repeat(16_384) + CUT_MARK);
  });

  it('is not cut in the middle of a character', () => {
    const openFiles = [file('/a', 1, { isActive: true, selectedText: `x${'😀'.repeat(10_000)}` })];
    const text = readUpdate({ workspaceState: { openFiles } })?.openFiles[0]?.selectedText;
    expect(text).toBe(`x${'😀'.repeat(8_191)}${CUT_MARK}`);
  });

  it('leaves out what is not a file on a disk, and values of other types', () => {
    const openFiles = [
      file('untitled:1', 9),
      file('relative.ts', 8),
      { path: 7 },
      'text',
      null,
      file('/a', Number.NaN, { isActive: 'yes', cursor: { line: 'x' }, selectedText: 7 }),
    ];
    expect(readUpdate({ workspaceState: { openFiles, isTrusted: 'yes' } })).toEqual({
      openFiles: [file('/a', 0)],
    });
  });

  it.each([undefined, null, 7, {}, { workspaceState: null }])('%j is no update', (params) => {
    expect(readUpdate(params)).toBeUndefined();
  });
});
