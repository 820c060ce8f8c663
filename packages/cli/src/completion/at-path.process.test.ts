import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createTestConfig, tempDir } from '@gemini-cli/test-utils';
import { expect, it, onTestFinished, vi } from 'vitest';
import { workspaceIndex } from './at-path.js';
import type { FileIndex } from './file-index.js';

function newFolder(): string {
  const { path, cleanup } = tempDir();
  onTestFinished(cleanup);
  return path;
}

async function gathered(index: FileIndex): Promise<FileIndex> {
  index.ensure();
  while (index.isGrowing) await index.more();
  return index;
}
it('workspaceIndex respects ignore files in every workspace folder', {
  timeout: 60_000,
}, async () => {
  const other = newFolder();
  writeFileSync(join(other, 'other.txt'), '');
  const config = await createTestConfig({ includeDirectories: [other] });
  const root = config.getTargetDir();
  execFileSync('git', ['init', '-q', root]);
  for (const name of [
    '.gitignore',
    'kept.ts',
    'dist/out.js',
    'secret.key',
    'node_modules/x/index.js',
    'a/b/c.ts',
  ]) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), name === '.gitignore' ? 'dist/\n' : '');
  }
  writeFileSync(join(root, '.geminiignore'), '*.key\n');
  const index = await gathered(workspaceIndex(config, {}));
  expect([...index.paths.shown].sort()).toEqual(
    ['.geminiignore', '.gitignore', 'a/', 'a/b/', 'a/b/c.ts', 'kept.ts', 'other.txt'].sort(),
  );
});

it('with enableFileWatcher a file is found a second after it was made', async () => {
  const config = await createTestConfig({});
  const put = (name: string) => writeFileSync(join(config.getTargetDir(), name), '');
  put('a.txt');
  let now = 0;
  const merged = { context: { fileFiltering: { enableFileWatcher: true } } };
  const index = await gathered(workspaceIndex(config, merged, () => now));
  put('b.txt');
  now = 1_500;
  index.ensure();
  await vi.waitFor(() => expect(index.paths.shown).toContain('b.txt'), 10_000);
});
