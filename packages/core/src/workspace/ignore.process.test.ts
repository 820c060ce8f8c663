import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpuMs, tempDir } from '@gemini-cli/test-utils';
import ignore from 'ignore';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IgnoreRules } from './ignore.js';

const PATTERNS = [
  'foo',
  'foo/',
  '/foo',
  'foo/bar',
  '/foo/bar',
  'foo/*',
  'foo/**',
  '**/foo',
  '**/foo/bar',
  'foo/**/bar',
  '*.log',
  '*',
  '/*',
  '/*.log',
  '**',
  '**/*.log',
  'a/**/*.log',
  '*.l?g',
  'f?o',
  '[ab].txt',
  '[!a].txt',
  '[^a].txt',
  '[a-c].txt',
  '[]a].txt',
  '[a-].txt',
  '[[:digit:]].txt',
  '[![:alpha:]].txt',
  '[[:nope:]].txt',
  '[a',
  '[z-a].txt',
  'foo\\',
  '\\#hash',
  '#hash',
  '\\!bang',
  '!bang',
  'space ',
  'space\\ ',
  'tab\t',
  'a.b',
  'a+b',
  '(x)',
  '{a,b}.txt',
  '$x',
  'foo**',
  '**foo',
  'fo**o',
  '***',
  'foo/***',
  '***/bar',
  'foo//bar',
  '/',
  '//',
  'foo//',
  ' lead',
  'a/*/c',
  'a/?/c',
  'a[/]b',
  'a\\*b',
  '\\f\\o\\o',
  'a/**/',
  '**/',
  'é*',
  '?',
  '??',
  '*.*',
  '.*',
  '.hidden/',
  'foo/.*',
  'a\\[b',
  'FOO',
  'x/y/',
  'x/**/y/z',
  'a[x/y]b',
  'a\\/b',
  'foo/bar/**',
  '/**',
  '**/foo/**',
  'a/**b',
  '*/foo',
  '*/*/foo',
  '[\\]].txt',
  '[\\\\].txt',
  '[a\\-c].txt',
  '*foo*bar*',
  'dir/*.txt',
  '**/**/foo',
  'a/**/**/c',
]; // prettier-ignore

const FILES = [
  'foo',
  'foo/bar',
  'foo/bar/baz',
  'a/foo',
  'a/foo/bar',
  'a/b/foo/bar/c',
  'foo/x/bar',
  'foo/x/y/bar',
  'x.log',
  'a/x.log',
  'a/b/c.log',
  'x.lag',
  'a.txt',
  'b.txt',
  'c.txt',
  'd.txt',
  '1.txt',
  '-.txt',
  '].txt',
  '[.txt',
  '\\.txt',
  '#hash',
  '!bang',
  'space',
  'space ',
  'tab',
  'tab\t',
  'a.b',
  'aXb',
  'a+b',
  'aab',
  '(x)',
  'x',
  '{a,b}.txt',
  '$x',
  'foox',
  'xfoo',
  'fooXo',
  'fo',
  ' lead',
  'lead',
  'a/b/c',
  'a/bb/c',
  'a/c',
  'a/x/y/c',
  'a*b',
  'acb',
  'a/b',
  'éab',
  '.hidden/f',
  '.h',
  'foo/.h',
  'a[b',
  'FOO',
  'x/y',
  'x/y/z',
  'x/q/y/z',
  'nfoonbarn',
  'dir/a.txt',
  'dir/sub/a.txt',
  'ab',
  'z.txt',
]; // prettier-ignore

/** Every prefix of a path is a directory. A name cannot be a file and a directory, so each file is checked alone. */
function isIgnored(rules: IgnoreRules, file: string): boolean {
  const segments = file.split('/');
  return segments.some((_, index) => {
    const path = segments.slice(0, index + 1).join('/');
    return rules.judge(path, index < segments.length - 1) === 'ignored';
  });
}

describe('IgnoreRules', () => {
  const dir = tempDir();
  beforeAll(() => {
    spawnSync('git', ['init', '-q', dir.path]);
  });
  afterAll(dir.cleanup);

  /** The paths that git ignores; with `--no-index` the files need not exist. */
  function ignoredByGit(ignoreText: string, files: string[]): string[] {
    writeFileSync(join(dir.path, '.gitignore'), ignoreText);
    const run = spawnSync('git', ['-C', dir.path, 'check-ignore', '--no-index', '-z', '--stdin'], {
      input: files.join('\0'),
    });
    return run.stdout.toString().split('\0').filter(Boolean);
  }

  it('judges every single pattern as git does', () => {
    const differences: string[] = [];
    for (const pattern of PATTERNS) {
      const rules = IgnoreRules.parse(`${pattern}\n`);
      const expected = new Set(ignoredByGit(`${pattern}\n`, FILES));
      for (const file of FILES) {
        if (isIgnored(rules, file) !== expected.has(file)) {
          differences.push(`${JSON.stringify(pattern)} on ${file}: git ${expected.has(file)}`);
        }
      }
    }
    expect(differences).toEqual([]);
  });

  it('judges combinations with negations as git and the ignore package do', () => {
    const random = mulberry32(7);
    const differences: string[] = [];
    for (let round = 0; round < 60; round++) {
      const lines = Array.from({ length: 2 + Math.floor(random() * 5) }, () => {
        const pattern = PATTERNS[Math.floor(random() * PATTERNS.length)] ?? '';
        return random() < 0.4 && !pattern.startsWith('!') ? `!${pattern}` : pattern;
      });
      const text = `${lines.join('\n')}\n`;
      const rules = IgnoreRules.parse(text);
      const expected = new Set(ignoredByGit(text, FILES));
      for (const file of FILES) {
        if (isIgnored(rules, file) !== expected.has(file))
          differences.push(`${JSON.stringify(text)} on ${file}`);
      }
    }
    expect(differences).toEqual([]);
  });

  it('agrees with the ignore package on an everyday file', () => {
    const text =
      'node_modules/\n/dist\n*.log\n!keep.log\nbuild/*\n!build/keep\ndocs/**/*.tmp\n.env*\n!.env.example\n';
    const files = [
      'node_modules/x/y.js',
      'dist/a.js',
      'src/dist/a.js',
      'a.log',
      'keep.log',
      'x/keep.log',
      'build/a',
      'build/keep',
      'docs/a.tmp',
      'docs/b/c.tmp',
      'other/a.tmp',
      '.env',
      '.env.local',
      '.env.example',
      'src/index.ts',
    ]; // prettier-ignore
    const oracle = ignore().add(text);
    const rules = IgnoreRules.parse(text);
    expect(files.filter((file) => isIgnored(rules, file))).toEqual(
      files.filter((file) => oracle.ignores(file)),
    );
  });

  it('reads CRLF files, a byte order mark and a missing last newline', () => {
    const rules = IgnoreRules.parse('\uFEFFone\r\n\r\n# two\r\nthree');
    expect(rules.rules.map((rule) => rule.glob)).toEqual(['one', 'three']);
  });

  it('stays fast on a hostile pattern', () => {
    const rules = IgnoreRules.parse(`${'*a'.repeat(40)}b\n${'**/a/'.repeat(20)}b\n`);
    const spent = cpuMs(() => {
      expect(rules.judge('a'.repeat(255), false)).toBeUndefined();
      expect(rules.judge(`${'a/'.repeat(100)}c`, false)).toBeUndefined();
    });
    expect(spent).toBeLessThan(500);
  });
});

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}
