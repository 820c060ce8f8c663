import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { WorkspaceContext } from './workspace-context.js';

function folders<const Names extends readonly string[]>(...names: Names): { [Key in keyof Names]: string } {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'workspace-')));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const paths = names.map((name) => join(base, name));
  for (const path of paths) mkdirSync(path);
  return paths as { [Key in keyof Names]: string };
}

it('setExtraDirectories replaces configured folders and keeps those the user added', () => {
  const [root, before, after, added] = folders('root', 'before', 'after', 'added');
  const workspace = new WorkspaceContext(root, [before, root]);
  const seen = workspace.getDirectories();
  workspace.addDirectory(added);
  expect(seen).toEqual([root, before, added]);
  workspace.setExtraDirectories([after, added]);
  expect(seen).toEqual([root, added, after]);
  workspace.addDirectory(after);
  workspace.setExtraDirectories([]);
  expect(seen).toEqual([root, added, after]);
});

it('tells when the directories have changed, and only then', () => {
  const [root, extra, added] = folders('root', 'extra', 'added');
  const workspace = new WorkspaceContext(root, [extra]);
  const seen: number[] = [];
  const stop = workspace.onChange(() => seen.push(workspace.getDirectories().length));
  workspace.setExtraDirectories([extra]);
  workspace.addDirectory(root);
  expect(seen).toEqual([]);
  workspace.addDirectory(added);
  workspace.setExtraDirectories([]);
  stop();
  workspace.addDirectory(extra);
  expect(seen).toEqual([3, 2]);
});
