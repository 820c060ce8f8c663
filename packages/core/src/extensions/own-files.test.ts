import { join, sep } from 'node:path';
import { expect, it } from 'vitest';
import { isOwnFile } from './own-files.js';

const folder = join(sep, 'ext', '.env-tools');
const isOwn = (...names: string[]) => isOwnFile(join(folder, ...names), folder);

it('the own files of an extension are all below its folder', () => {
  expect([isOwn(), isOwn('docs', 'a.md'), isOwn('.github', 'x'), isOwn('environment.env')]).not.toContain(
    false,
  );
  expect([isOwn('..'), isOwn('..', '.env-tools-2', 'x'), isOwn('..', 'x')]).not.toContain(true);
});

it.each([
  ['.env'],
  ['.ENV'],
  ['.env.local'],
  ['.envrc'],
  ['.env.d', 'x'],
  ['sub', '.env'],
  ['.git', 'config'],
  ['.git'],
  ['.gemini-extension-install.json'],
  ['.gemini-extension-workspaces.json'],
])('%s/%s is not among them: it may hold secrets', (...names) => {
  expect(isOwn(...names)).toBe(false);
});
