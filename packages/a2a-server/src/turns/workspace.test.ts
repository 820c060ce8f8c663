import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { expect, it, onTestFinished } from 'vitest';
import { workspaceOf } from './workspace.js';

const of = (workspacePath: string) => ({ kind: 'agent-settings', workspacePath }) as const;

function folders() {
  const { path, cleanup } = tempDir('workspace-');
  onTestFinished(cleanup);
  const root = join(path, 'root');
  mkdirSync(join(root, 'a'), { recursive: true });
  mkdirSync(join(path, 'root-other'));
  symlinkSync(join(path, 'root-other'), join(root, 'link'));
  writeFileSync(join(root, 'file'), '');
  return { root, other: join(path, 'root-other'), cwd: path };
}

it('takes a folder below the root, and the root for a task that names none', () => {
  const { root, cwd } = folders();
  expect(workspaceOf(of(join(root, 'a')), { root, cwd })).toBe(join(root, 'a'));
  expect(workspaceOf(of('a'), { root, cwd })).toBe(join(root, 'a'));
  expect(workspaceOf(undefined, { root, cwd })).toBe(root);
  expect(workspaceOf(undefined, { cwd })).toBe(cwd);
});

it('refuses a folder outside the root, also behind a link or with a similar name', () => {
  const { root, other, cwd } = folders();
  for (const path of [other, '..', '/', 'link'])
    expect(() => workspaceOf(of(path), { root, cwd }), path).toThrow('lies outside');
});

it('refuses what is not a folder', () => {
  const { root, cwd } = folders();
  for (const path of ['missing', 'file'])
    expect(() => workspaceOf(of(path), { root, cwd }), path).toThrow('not a folder that exists');
});
