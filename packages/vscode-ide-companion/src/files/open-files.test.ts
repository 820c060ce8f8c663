import { describe, expect, it } from 'vitest';
import { MAX_SELECTED_TEXT } from '../protocol.js';
import { OpenFiles } from './open-files.js';

const AT_START = { cursor: { line: 1, character: 1 }, text: '' };

function openFiles(): OpenFiles {
  let time = 0;
  return new OpenFiles(() => ++time);
}

const paths = (files: OpenFiles) => files.list().map(({ path }) => path);

describe('OpenFiles', () => {
  it('puts the focused file first and takes cursor and selection from the others', () => {
    const files = openFiles();
    files.focus('/a', { cursor: { line: 3, character: 7 }, text: 'word' });
    files.focus('/b', AT_START);
    expect(files.list()).toEqual([
      { path: '/b', timestamp: 2, isActive: true, cursor: { line: 1, character: 1 } },
      { path: '/a', timestamp: 1 },
    ]);
  });

  it('keeps the time of a file in which only the selection changes', () => {
    const files = openFiles();
    files.focus('/a', AT_START);
    files.focus('/a', { cursor: { line: 2, character: 1 }, text: 'x' });
    expect(files.list()).toEqual([
      { path: '/a', timestamp: 1, isActive: true, cursor: { line: 2, character: 1 }, selectedText: 'x' },
    ]);
  });

  it('keeps the ten newest files', () => {
    const files = openFiles();
    for (let index = 0; index < 12; index++) files.focus(`/${index}`, AT_START);
    expect(paths(files)).toEqual(['/11', '/10', '/9', '/8', '/7', '/6', '/5', '/4', '/3', '/2']);
  });

  it('never gives a file that is opened in the background a later time than the active one', () => {
    const files = openFiles();
    files.focus('/a', AT_START);
    files.open('/b');
    expect(files.list().map(({ path, timestamp }) => [path, timestamp])).toEqual([
      ['/a', 1],
      ['/b', 1],
    ]);
  });

  it('knows no active file after the focus has gone elsewhere', () => {
    const files = openFiles();
    files.focus('/a', { cursor: { line: 1, character: 1 }, text: 'x' });
    files.blur();
    expect(files.list()).toEqual([{ path: '/a', timestamp: 1 }]);
  });

  it('follows a renamed folder and forgets a deleted one', () => {
    const files = openFiles();
    for (const path of ['/src/a', '/src/b', '/srcs']) files.focus(path, AT_START);
    files.rename('/src', '/lib');
    expect(paths(files)).toEqual(['/srcs', '/lib/b', '/lib/a']);
    files.close('/lib');
    expect(paths(files)).toEqual(['/srcs']);
  });

  it('cuts a long selection at the limit, with a mark, and not inside a character', () => {
    const files = openFiles();
    files.focus('/a', { cursor: AT_START.cursor, text: 'x'.repeat(MAX_SELECTED_TEXT) });
    expect(files.list()[0]?.selectedText).toBe('x'.repeat(MAX_SELECTED_TEXT));

    files.focus('/a', { cursor: AT_START.cursor, text: `x${'😀'.repeat(MAX_SELECTED_TEXT)}` });
    const cut = files.list()[0]?.selectedText ?? '';
    expect(cut.length).toBeLessThanOrEqual(MAX_SELECTED_TEXT);
    expect(cut).toMatch(/^x(?:😀)+… \[truncated\]$/u);
  });
});
