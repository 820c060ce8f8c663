import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DEFAULT_FILTERING, tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FileDiscoveryService } from './file-discovery.js';
import { describeFolder } from './folder-structure.js';

describe('describeFolder', () => {
  let dir: { path: string; cleanup: () => void };
  beforeEach(() => {
    dir = tempDir();
  });
  afterEach(() => dir.cleanup());

  function write(...paths: string[]): void {
    for (const path of paths) {
      const target = join(dir.path, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, '');
    }
  }

  function describeRoot(maxItems?: number): string {
    return describeFolder(dir.path, new FileDiscoveryService(dir.path, DEFAULT_FILTERING), { maxItems });
  }

  it('shows folders first, closes ignored and skipped ones, and omits ignored files', () => {
    execFileSync('git', ['init', '-q', dir.path]);
    write(
      'z.txt',
      'a.txt',
      'src/main.ts',
      'src/lib/util.ts',
      'node_modules/x/y.js',
      'out/big.js',
      'x.log',
      'src/local.tmp',
    );
    writeFileSync(join(dir.path, '.gitignore'), 'out/\n*.log\n');
    writeFileSync(join(dir.path, 'src/.gitignore'), '*.tmp\n');
    mkdirSync(join(dir.path, 'empty'));
    expect(describeRoot()).toBe(
      [
        'Up to 200 files and folders; "..." marks a folder whose contents are not listed.',
        '',
        `${dir.path}/`,
        '  .git/...',
        '  empty/',
        '  node_modules/...',
        '  out/...',
        '  src/',
        '    lib/',
        '      util.ts',
        '    .gitignore',
        '    main.ts',
        '  .gitignore',
        '  a.txt',
        '  z.txt',
      ].join('\n'),
    );
  });

  it('completes upper levels first and says how many entries are left out', () => {
    write('a/1', 'a/2', 'a/3', 'b/1', 'b/deep/x', 'c.txt');
    expect(describeRoot(6)).toBe(
      [
        'Up to 6 files and folders; "..." marks a folder whose contents are not listed.',
        '',
        `${dir.path}/`,
        '  a/',
        '    1',
        '    2',
        '    3',
        '  b/...',
        '  c.txt',
      ].join('\n'),
    );
    expect(describeRoot(5)).toContain('are not listed. Entries of the listed folders left out: 1.');
  });

  it('replaces line breaks and control characters in names', () => {
    write('evil\nname\x1b[2J.txt');
    expect(describeRoot().split('\n').at(-1)).toBe('  evil?name?[2J.txt');
  });

  it('reads no more of a huge folder than it needs', () => {
    execFileSync('sh', ['-c', 'seq -f f%g 1005 | xargs touch'], { cwd: dir.path });
    const lines = describeRoot().split('\n');
    expect(lines[0]).toMatch(/Entries of the listed folders left out: more than 800\.$/);
    expect(lines.length).toBe(203);
  }, 20_000);

  it('looks at few entries of a large tree', () => {
    const modules = dirname(dirname(createRequire(import.meta.url).resolve('picomatch/package.json')));
    const discovery = new FileDiscoveryService(modules, DEFAULT_FILTERING);
    const filter = discovery.createFilter();
    const judged = vi.spyOn(filter, 'isIgnored');
    vi.spyOn(discovery, 'createFilter').mockReturnValue(filter);
    expect(describeFolder(modules, discovery).split('\n').length).toBe(203);
    expect(judged.mock.calls.length).toBeLessThan(2000);
  });
});
