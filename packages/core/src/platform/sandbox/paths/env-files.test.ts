import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { envFiles, envFilesAndEnvrc } from './env-files.js';
import { readDirectory } from './hidden-paths.js';
import { searchNotes } from './search-notes.js';

let folder: ReturnType<typeof tempDir>;
beforeEach(() => {
  folder = tempDir('gemini-env-files-');
});
afterEach(() => folder.cleanup());

function write(...names: string[]): void {
  for (const name of names) {
    mkdirSync(join(folder.path, name, '..'), { recursive: true });
    writeFileSync(join(folder.path, name), 'SECRET=1');
  }
}

const names = (found: readonly { path: string }[]) =>
  found.map(({ path }) => relative(folder.path, path)).sort();

it.each(['.env', '.env.local', '.ENV', 'a/.env', 'a/b/c/.env', 'a/b/c/d/e/.env.test', 'dist/.env'])(
  'finds %s',
  (name) => {
    write(name, 'a/environment', 'a/x.env');
    expect(names(envFiles(folder.path))).toEqual([name]);
  },
);

it.each(['.envrc', 'a/b/c/d/.envrc'])('finds %s for commands that run unasked, not for others', (name) => {
  write(name);
  expect(names(envFilesAndEnvrc(folder.path, readDirectory))).toEqual([name]);
  expect(envFiles(folder.path)).toEqual([]);
});

it.each(['node_modules/a/.env', 'vendor/a/.env', 'target/debug/.env', 'a/b/c/d/e/f/.env'])(
  'does not search %s',
  (name) => {
    write(name);
    expect(envFiles(folder.path)).toEqual([]);
  },
);

it('reports that there are too many folders to search, and finds the nearest files', {
  timeout: 30_000,
}, () => {
  expect(searchNotes([folder.path])).toEqual([]);
  write('z/.env');
  for (let at = 0; at < 4_000; at++) mkdirSync(join(folder.path, `many/${at}`), { recursive: true });
  expect(searchNotes([folder.path])).toEqual([expect.stringContaining('more than 4,000 folders')]);
  expect(names(envFiles(folder.path))).toEqual(['z/.env']);
});
