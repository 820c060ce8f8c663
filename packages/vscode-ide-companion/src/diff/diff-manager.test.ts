import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeEditor, type FakeTab, type FakeUri } from '../testing/fake-editor.test-helper.js';
import { DiffManager } from './diff-manager.js';

const PROGRAM = { name: 'one program' };
const OTHER = { name: 'another program' };

describe('DiffManager', () => {
  let folder: string;
  let file: string;
  let editor: FakeEditor;
  let diffs: DiffManager;
  let reports: unknown[][];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'companion-'));
    file = join(folder, 'a.txt');
    writeFileSync(file, 'old\n');
    editor = new FakeEditor();
    reports = [];
    diffs = new DiffManager(editor.api, {
      accepted: (owner, path, content) => reports.push(['accepted', owner, path, content]),
      rejected: (owner, path) => reports.push(['rejected', owner, path]),
    });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('shows the file on the left and the proposal on the right, and leaves the focus where it is', async () => {
    await diffs.openDiff(PROGRAM, file, 'new\n');
    const shown = editor.executed.find(([name]) => name === 'vscode.diff') as unknown[];
    const [, left, right, title, options] = shown as [string, FakeUri, FakeUri, string, object];
    expect([left.scheme, left.path, right.scheme, right.path]).toEqual(['file', file, 'gemini-diff', file]);
    expect(title).toBe('a.txt ↔ Modified');
    expect(options).toEqual({ preview: false, preserveFocus: true });
    expect(editor.diffDocument().text).toBe('new\n');
  });

  it('shows an empty left side for a new file', async () => {
    await diffs.openDiff(PROGRAM, join(folder, 'new.txt'), 'new\n');
    const input = (editor.activeTab as FakeTab).input as { original: FakeUri };
    expect(input.original.scheme).toBe('gemini-diff');
    const left = await editor.api.workspace.openTextDocument(input.original as never);
    expect(left.getText()).toBe('');
  });

  it('accepts with what the user typed, reports it to the program that asked, and closes the tab', async () => {
    await diffs.openDiff(PROGRAM, file, 'new\n');
    editor.diffDocument().text = 'new and mine\n';
    await editor.run('gemini.diff.accept');
    expect(reports).toEqual([['accepted', PROGRAM, file, 'new and mine\n']]);
    expect(editor.tabs).toEqual([]);
  });

  it('gives untouched content back as it came, line ends and byte order mark included', async () => {
    editor.normalise = (text) => text.replaceAll('\r\n', '\n').replace('\uFEFF', '');
    const proposed = '\uFEFFone\r\ntwo\nthree\r\n';
    await diffs.openDiff(PROGRAM, file, proposed);
    await editor.run('gemini.diff.accept');
    expect(reports).toEqual([['accepted', PROGRAM, file, proposed]]);
  });

  it('keeps the byte order mark of changed content', async () => {
    editor.normalise = (text) => text.replace('\uFEFF', '');
    await diffs.openDiff(PROGRAM, file, '\uFEFFone');
    editor.diffDocument().text = 'two';
    await editor.run('gemini.diff.accept');
    expect(reports).toEqual([['accepted', PROGRAM, file, '\uFEFFtwo']]);
  });

  it('rejects by the command', async () => {
    await diffs.openDiff(PROGRAM, file, 'new\n');
    await editor.run('gemini.diff.cancel');
    expect(reports).toEqual([['rejected', PROGRAM, file]]);
    expect(editor.tabs).toEqual([]);
  });

  it('rejects when the user closes the tab', async () => {
    await diffs.openDiff(PROGRAM, file, 'new\n');
    editor.closeTab(editor.activeTab);
    expect(reports).toEqual([['rejected', PROGRAM, file]]);
  });

  it('does not reject when the tab moves to another group', async () => {
    await diffs.openDiff(PROGRAM, file, 'new\n');
    const tab = editor.activeTab as FakeTab;
    editor.events.tabs.fire({ opened: [tab], closed: [tab], changed: [] });
    expect(reports).toEqual([]);
  });

  it('is closed by its program, which gets the content; nothing is reported', async () => {
    await diffs.openDiff(PROGRAM, file, 'new\n');
    editor.diffDocument().text = 'mine\n';
    expect(await diffs.closeDiff(PROGRAM, file)).toBe('mine\n');
    expect(reports).toEqual([]);
    expect(editor.tabs).toEqual([]);
    expect(await diffs.closeDiff(PROGRAM, file)).toBeUndefined();
  });

  it('replaces the earlier diff when the same program asks again for the same file', async () => {
    await diffs.openDiff(PROGRAM, file, 'first\n');
    await diffs.openDiff(PROGRAM, file, 'second\n');
    expect(editor.tabs).toHaveLength(1);
    expect(editor.diffDocument().text).toBe('second\n');
    expect(reports).toEqual([]);
  });

  it('keeps the diffs of two programs for one file apart', async () => {
    await diffs.openDiff(PROGRAM, file, 'one\n');
    await diffs.openDiff(OTHER, file, 'two\n');
    await editor.run('gemini.diff.accept');
    expect(reports).toEqual([['accepted', OTHER, file, 'two\n']]);
    expect(await diffs.closeDiff(PROGRAM, file)).toBe('one\n');
  });

  it('closes the diffs of a program that has left', async () => {
    await diffs.openDiff(PROGRAM, file, 'one\n');
    await diffs.openDiff(OTHER, file, 'two\n');
    await diffs.closeAllOf(PROGRAM);
    expect(editor.tabs).toHaveLength(1);
    expect(reports).toEqual([]);
  });

  it('accepts the diff whose title bar was clicked, not the one that is looked at', async () => {
    await diffs.openDiff(PROGRAM, file, 'one\n');
    const { modified } = (editor.activeTab as FakeTab).input as { modified: FakeUri };
    const second = join(folder, 'b.txt');
    await diffs.openDiff(PROGRAM, second, 'two\n');
    await editor.run('gemini.diff.accept', modified);
    expect(reports).toEqual([['accepted', PROGRAM, file, 'one\n']]);
  });

  it('keeps what was typed when the editor drops the document', async () => {
    await diffs.openDiff(PROGRAM, file, 'new\n');
    const document = editor.diffDocument();
    document.text = 'typed\n';
    editor.dropDocument(document);
    await editor.run('gemini.diff.accept');
    expect(reports).toEqual([['accepted', PROGRAM, file, 'typed\n']]);
  });

  it('closes tabs of the time before a reload, and only those', async () => {
    await diffs.openDiff(PROGRAM, file, 'new\n');
    editor.openFile(file);
    editor.restoreDiffTab(file);
    await diffs.closeLeftovers();
    expect(editor.tabs.map(({ label }) => label)).toEqual(['a.txt ↔ Modified', 'a.txt']);
    expect(reports).toEqual([]);
  });

  it('shows its buttons only while a diff is looked at', async () => {
    const isVisible = () => editor.executed.filter(([name]) => name === 'setContext').at(-1)?.[2];
    expect(isVisible()).toBe(false);
    await diffs.openDiff(PROGRAM, file, 'new\n');
    expect(isVisible()).toBe(true);
    editor.openFile(file);
    expect(isVisible()).toBe(false);
  });

  it('is made writable again each time it comes to the front, and nothing else is', async () => {
    const count = () => editor.executed.filter(([name]) => String(name).includes('Writeable')).length;
    await diffs.openDiff(PROGRAM, file, 'new\n');
    const diff = editor.activeTab;
    expect(count()).toBeGreaterThan(0);
    const before = count();
    editor.openFile(file);
    expect(count()).toBe(before);
    editor.activeTab = diff;
    editor.events.visible.fire(undefined);
    expect(count()).toBe(before + 1);
  });

  it('does not take for proposed what the user types while the diff opens', async () => {
    const opened = diffs.openDiff(PROGRAM, file, 'new\n');
    while (!editor.activeTab) await Promise.resolve();
    editor.diffDocument().text = 'typed at once\n';
    await opened;
    await editor.run('gemini.diff.accept');
    expect(reports).toEqual([['accepted', PROGRAM, file, 'typed at once\n']]);
  });

  it('leaves nothing behind when the editor cannot show the diff', async () => {
    editor.diffError = new Error('no window');
    await expect(diffs.openDiff(PROGRAM, file, 'new\n')).rejects.toThrow('no window');
    expect(await diffs.closeDiff(PROGRAM, file)).toBeUndefined();
  });

  it('does nothing when the command is given without a diff', async () => {
    await editor.run('gemini.diff.accept');
    await editor.run('gemini.diff.cancel');
    expect(reports).toEqual([]);
  });
});
