import { symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { protectedPaths } from './protected-paths.js';

let folder: ReturnType<typeof tempDir>;
beforeEach(() => {
  folder = tempDir('gemini-protected-');
});
afterEach(() => folder.cleanup());

const names = (lifted?: string) =>
  protectedPaths(folder.path, false, (path) => basename(path) === lifted).map(({ path }) => basename(path));

it('keeps the settings of the workspace read-only, even if they do not exist', () => {
  expect(names()).toEqual(['.gemini', '.vscode', '.git']);
  expect(names('.vscode')).toEqual(['.gemini', '.git']);
});

it('keeps an existing .envrc read-only, unless the user has granted it', () => {
  writeFileSync(join(folder.path, '.envrc'), 'export A=1');
  expect(names()).toContain('.envrc');
  expect(names('.envrc')).not.toContain('.envrc');
});

it('does not refuse a workspace whose .envrc is a link', () => {
  symlinkSync('elsewhere', join(folder.path, '.envrc'));
  expect(names()).not.toContain('.envrc');
});
