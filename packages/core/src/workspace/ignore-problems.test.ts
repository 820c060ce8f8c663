/** Ignore files that are there and hold nothing back. */
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

it('says nothing about files that are missing or fine', () => {
  const root = folder();
  expect(ignoreFileProblems(root, OPTIONS)).toEqual([]);
  writeFileSync(join(root, '.geminiignore'), 'secret\n');
  expect(ignoreFileProblems(root, OPTIONS)).toEqual([]);
});

it.each<[string, (path: string) => void]>([
  ['is not a file', (path) => mkdirSync(path)],
  ['is a link that leads nowhere', (path) => symlinkSync('/nowhere', path)],
  ['is too large', (path) => writeFileSync(path, Buffer.alloc(5 * 1024 * 1024, 35))],
])('names a .geminiignore that %s', (problem, make) => {
  const root = folder();
  make(join(root, '.geminiignore'));
  expect(ignoreFileProblems(root, OPTIONS)).toEqual([
    `Security: ${join(root, '.geminiignore')} ${problem}, so it holds nothing back.`,
  ]);
  expect(ignoreFileProblems(root, { ...OPTIONS, respectGeminiIgnore: false })).toEqual([]);
});

it('names a file of context.fileFiltering.customIgnoreFilePaths that does not exist', () => {
  const root = folder();
  expect(ignoreFileProblems(root, { ...OPTIONS, customIgnoreFilePaths: ['mine'] })).toEqual([
    expect.stringContaining('mine does not exist'),
  ]);
});
