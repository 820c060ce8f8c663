/** Tests warnings about ignore files that exist but cannot be used. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { expect, it, onTestFinished } from 'vitest';
import { ignoreFileProblems } from './ignore-problems.js';

function folder(): string {
  const { path, cleanup } = tempDir();
  onTestFinished(cleanup);
  return path;
}

const OPTIONS = { respectGeminiIgnore: true, customIgnoreFilePaths: [] as string[] };

it('does not warn about ignore files that are missing or valid', () => {
  const root = folder();
  expect(ignoreFileProblems(root, OPTIONS)).toEqual([]);
  writeFileSync(join(root, '.geminiignore'), 'secret\n');
  expect(ignoreFileProblems(root, OPTIONS)).toEqual([]);
});

it.each<[string, (path: string) => void]>([
  ['is not a file', (path) => mkdirSync(path)],
  ['is a link that leads nowhere', (path) => symlinkSync('/nowhere', path)],
  ['is too large', (path) => writeFileSync(path, Buffer.alloc(5 * 1024 * 1024, 35))],
])('warns about a .geminiignore that %s', (problem, make) => {
  const root = folder();
  make(join(root, '.geminiignore'));
  expect(ignoreFileProblems(root, OPTIONS)).toEqual([
    `Security: ${join(root, '.geminiignore')} ${problem}, so it hides nothing.`,
  ]);
  expect(ignoreFileProblems(root, { ...OPTIONS, respectGeminiIgnore: false })).toEqual([]);
});

it('warns about a missing file of context.fileFiltering.customIgnoreFilePaths', () => {
  const root = folder();
  expect(ignoreFileProblems(root, { ...OPTIONS, customIgnoreFilePaths: ['mine'] })).toEqual([
    expect.stringContaining('mine does not exist'),
  ]);
});
