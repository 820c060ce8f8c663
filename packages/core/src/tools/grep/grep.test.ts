import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeBus, makeHost, tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ToolResult } from '../tools.js';
import { GrepTool } from './grep.js';

let dir: { path: string; cleanup: () => void };
let root: string;
beforeEach(() => {
  dir = tempDir();
  root = join(dir.path, 'project');
  mkdirSync(root);
});
afterEach(() => dir.cleanup());

function write(path: string, text: string | Buffer): void {
  const target = join(root, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

function gitInit(path = root): void {
  execFileSync('git', ['init', '-q', path]);
}

function toolFor(useRipgrep: boolean, extraDirectories: string[] = []): GrepTool {
  const host = { ...makeHost(root, extraDirectories), getUseRipgrep: () => useRipgrep };
  return new GrepTool(host, makeBus());
}

// biome-ignore lint/suspicious/noExplicitAny: tests also send parameters that are not declared
type Args = any;

function runWith(useRipgrep: boolean, args: Args, extra?: string[]): Promise<ToolResult> {
  return toolFor(useRipgrep, extra).build(args).execute({ abortSignal: new AbortController().signal });
}

/** Runs both engines, which must agree in everything, and returns the text for the model. */
async function both(args: Args, extra?: string[]): Promise<string> {
  const byRipgrep = await runWith(true, args, extra);
  const byWalker = await runWith(false, args, extra);
  expect(byWalker).toEqual(byRipgrep);
  return String(byRipgrep.llmContent);
}

async function names(args: Args, extra?: string[]): Promise<string[]> {
  const text = await both({ ...args, names_only: true }, extra);
  return text.startsWith('No matches') ? [] : text.split('\n').slice(1);
}

describe('the output', () => {
  it('groups matching lines by file', async () => {
    write('b.ts', 'one\nTwo foo\nthree\nFoo\n');
    write('a/a.ts', 'foo\nfoo\n');
    expect(await both({ pattern: 'foo' })).toBe(
      [
        'Found 4 matches for pattern "foo" in path ".":',
        '---',
        'File: a/a.ts',
        'L1: foo',
        'L2: foo',
        '---',
        'File: b.ts',
        'L2: Two foo',
        'L4: Foo',
        '---',
      ].join('\n'),
    );
    const result = await runWith(true, { pattern: 'foo', case_sensitive: true, include: '*.ts', path: 'b.ts', context: 0 });
    expect(result).toEqual({
      llmContent: 'Found 1 match for pattern "foo" in path "b.ts" (filter: "*.ts"):\n---\nFile: b.ts\nL2: Two foo\n---',
      returnDisplay: { summary: 'Found 1 match', matches: [{ filePath: 'b.ts', lineNumber: 2, line: 'Two foo' }] },
    });
  });

  it('says so when nothing matches', async () => {
    write('a.ts', 'x');
    expect(await both({ pattern: 'nope', dir_path: '.', include_pattern: '*.ts' })).toBe(
      'No matches found for pattern "nope" in path "." (filter: "*.ts").',
    );
    expect((await runWith(true, { pattern: 'nope' })).returnDisplay).toEqual({
      summary: 'No matches found',
      matches: [],
    });
  });

  it('shows fifty lines around a single match and fifteen around two or three', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`);
    lines[99] = 'needle one';
    write('a.txt', lines.join('\n'));
    const single = (await both({ pattern: 'needle' })).split('\n');
    expect(single.slice(0, 4)).toEqual([
      'Found 1 match for pattern "needle" in path ".":',
      '---',
      'File: a.txt',
      'L50- line 50',
    ]);
    expect(single[53]).toBe('L100: needle one');
    expect(single.slice(-2)).toEqual(['L150- line 150', '---']);
    lines[119] = 'needle two';
    write('a.txt', lines.join('\n'));
    const double = (await both({ pattern: 'needle' })).split('\n');
    expect(double.slice(3, -1).map((line) => line.split(/[:-]/)[0])).toEqual(
      Array.from({ length: 51 }, (_, index) => `L${85 + index}`),
    );
    expect(await both({ pattern: 'needle', context: 0 })).toBe(
      'Found 2 matches for pattern "needle" in path ".":\n---\nFile: a.txt\nL100: needle one\nL120: needle two\n---',
    );
  });

  it('shows the wanted number of lines before and after', async () => {
    write('a.txt', 'a\nb\nneedle\nc\nd\ne\nneedle\nf\n');
    const shown = async (args: Args) => (await both({ pattern: 'needle', ...args })).split('\n').slice(3, -1);
    expect(await shown({ context: 1 })).toEqual(['L2- b', 'L3: needle', 'L4- c', 'L6- e', 'L7: needle', 'L8- f']);
    expect(await shown({ before: 1 })).toEqual(['L2- b', 'L3: needle', 'L6- e', 'L7: needle']);
    expect(await shown({ after: 2 })).toEqual(['L3: needle', 'L4- c', 'L5- d', 'L7: needle', 'L8- f']);
    expect(await shown({ context: 3 })).toEqual([
      'L1- a', 'L2- b', 'L3: needle', 'L4- c', 'L5- d', 'L6- e', 'L7: needle', 'L8- f',
    ]); // prettier-ignore
  });

  it('stops ten thousand hits at a hundred and says so', async () => {
    for (let file = 0; file < 10; file++) write(`f${file}.txt`, 'hit here\n'.repeat(1000));
    for (const useRipgrep of [true, false]) {
      const result = await runWith(useRipgrep, { pattern: 'hit' });
      const lines = String(result.llmContent).split('\n');
      expect(lines[0]).toBe(
        'Found 100 matches for pattern "hit" in path "." (results limited to 100 matches for performance):',
      );
      expect(lines.filter((line) => line.startsWith('L')).length).toBe(100);
    }
    const few = String((await runWith(true, { pattern: 'hit', total_max_matches: 7 })).llmContent);
    expect(few).toContain('Found 7 matches for pattern "hit" in path "." (results limited to 7 matches');
  });

  it('does not speak of a limit when there are just as many matches', async () => {
    write('a.txt', 'hit\n'.repeat(100));
    expect((await both({ pattern: 'hit' })).split('\n')[0]).toBe('Found 100 matches for pattern "hit" in path ".":');
  });

  it('takes only so many matches of a file', async () => {
    write('a.txt', 'hit\n'.repeat(9));
    write('b.txt', 'hit\n');
    const text = await both({ pattern: 'hit', max_matches_per_file: 3 });
    expect(text).toBe(
      'Found 4 matches for pattern "hit" in path ".":\n---\nFile: a.txt\nL1: hit\nL2: hit\nL3: hit\n---\nFile: b.txt\nL1: hit\n---',
    );
    expect(await both({ pattern: 'hit', max_matches_per_file: 1, total_max_matches: 1, context: 0 })).toContain('limited to 1');
  });

  it('lists names only', async () => {
    write('b.txt', 'hit\nhit\n');
    write('a.txt', 'hit');
    write('c.txt', 'miss');
    expect(await both({ pattern: 'hit', names_only: true })).toBe(
      'Found 2 files with matches for pattern "hit" in path ".":\na.txt\nb.txt',
    );
    expect((await runWith(true, { pattern: 'hit', names_only: true })).returnDisplay).toEqual({
      summary: 'Found 2 files',
      files: ['a.txt', 'b.txt'],
    });
    const cut = await runWith(true, { pattern: 'hit', names_only: true, total_max_matches: 1 });
    expect(cut.llmContent).toMatch(/^Found 1 files .* \(results limited to 1 files for performance\):\n[ab]\.txt$/);
  });

  it('leaves out lines by pattern', async () => {
    write('a.ts', 'import foo\nfoo()\n// Foo\n');
    write('b.ts', 'import foo\n');
    expect(await both({ pattern: 'foo', exclude_pattern: '^import|^// f', context: 0 })).toBe(
      'Found 1 match for pattern "foo" in path ".":\n---\nFile: a.ts\nL2: foo()\n---',
    );
    expect(await names({ pattern: 'foo', exclude_pattern: '^import' })).toEqual(['a.ts']);
    expect(await both({ pattern: 'foo', exclude_pattern: 'import', max_matches_per_file: 1, context: 0 })).toContain('L2: foo()');
  });

  it('cuts long lines at 2000 characters', async () => {
    write('a.txt', `${'x'.repeat(50_000)}needle\n${'ü'.repeat(1990)}needle${'ü'.repeat(300)}\n`);
    const lines = (await both({ pattern: 'needle', context: 0 })).split('\n');
    expect(lines[3]).toBe(`L1: ${'x'.repeat(2000)}... [truncated]`);
    expect(lines[4]).toBe(`L2: ${'ü'.repeat(1990)}needle${'ü'.repeat(4)}... [truncated]`);
  });
});

describe('the files searched', () => {
  it('are those that git and .geminiignore do not ignore', async () => {
    gitInit();
    for (const file of ['a.ts', 'x.gen', 'keep.gen', 'out/b.ts', 'sub/secret.ts', 'sub/x.loc', 'loc/y', '.dot/c.ts']) {
      write(file, 'hit');
    }
    write('.gitignore', '*.gen\n!keep.gen\n/out/\n');
    write('sub/.gitignore', '*.loc\n');
    writeFileSync(join(root, '.git/info/exclude'), 'loc/\n');
    write('.geminiignore', 'secret.ts\n');
    expect(await names({ pattern: 'hit' })).toEqual(['.dot/c.ts', 'a.ts', 'keep.gen']);
    expect(await names({ pattern: 'hit', respect_gemini_ignore: false })).toEqual([
      '.dot/c.ts', 'a.ts', 'keep.gen', 'sub/secret.ts',
    ]); // prettier-ignore
    expect(await names({ pattern: 'hit', respect_git_ignore: false })).toEqual([
      '.dot/c.ts', 'a.ts', 'keep.gen', 'loc/y', 'out/b.ts', 'sub/x.loc', 'x.gen',
    ]); // prettier-ignore
    expect(await names({ pattern: 'hit', no_ignore: true })).toHaveLength(8);
  });

  it('include what .geminiignore takes back from .gitignore, and exclude what it alone names', async () => {
    gitInit();
    for (const file of ['notes.md', 'other.md', '.env', 'deep/notes.md', 'out/a', 'plain.txt']) write(file, 'hit');
    write('.gitignore', '*.md\n!.env\nout/\n');
    write('.geminiignore', '!notes.md\n.env\n');
    expect(await names({ pattern: 'hit' })).toEqual(['deep/notes.md', 'notes.md', 'plain.txt']);
    write('.geminiignore', '.env\n');
    expect(await names({ pattern: 'hit' })).toEqual(['plain.txt']);
  });

  it('obey every kind of pattern in .geminiignore', async () => {
    const files = ['a.txt', 'b.txt', '{x}.txt', 'x.txt', 'sub/a.txt', 'sub/c/d.txt', 'sp ace.txt', 'sub/top.txt', 'top.txt'];
    for (const file of files) write(file, 'hit');
    for (const [rule, ignored] of [
      ['[ab].txt', ['a.txt', 'b.txt', 'sub/a.txt']],
      ['{x}.txt', ['{x}.txt']],
      ['sub/*', ['sub/a.txt', 'sub/c/d.txt', 'sub/top.txt']],
      ['sub/**/d.txt', ['sub/c/d.txt']],
      ['/top.txt', ['top.txt']],
      ['c/', ['sub/c/d.txt']],
      ['sp\\ ace.txt', ['sp ace.txt']],
      ['sp*', ['sp ace.txt']],
    ] as const) {
      write('.geminiignore', `${rule}\n`);
      const found = await names({ pattern: 'hit' });
      expect(files.filter((file) => !found.includes(file)).sort(), rule).toEqual(ignored);
      expect((await names({ pattern: 'hit', dir_path: 'sub' })).filter((file) => ignored.includes(file as never))).toEqual([]);
    }
  });

  it('do not lie in dependency, version control and build folders', async () => {
    const files = ['node_modules/a.js', 'lib/node_modules/a.js', '.git/config2', 'bower_components/a.js', '.svn/a', '.hg/a',
      'dist/a.js', 'build/a.js', 'coverage/a', '__pycache__/a', '.vscode/a', '.idea/a', 'x.log', 'x.tmp', 'src/a.js']; // prettier-ignore
    for (const file of files) write(file, 'hit');
    expect(await names({ pattern: 'hit' })).toEqual(['src/a.js']);
    expect(await names({ pattern: 'hit', no_ignore: true })).toEqual([
      '.idea/a', '.vscode/a', '__pycache__/a', 'build/a.js', 'coverage/a', 'dist/a.js', 'src/a.js', 'x.log', 'x.tmp',
    ]); // prettier-ignore
    expect(await names({ pattern: 'hit', dir_path: 'dist' })).toEqual(['dist/a.js']);
    expect(await names({ pattern: 'hit', dir_path: 'node_modules' })).toEqual(['node_modules/a.js']);
    expect(await names({ pattern: 'hit', dir_path: 'x.log' })).toEqual(['x.log']);
  });

  it('can be narrowed by a glob', async () => {
    gitInit();
    write('.gitignore', 'gen.ts\n');
    for (const file of ['a.ts', 'b.tsx', 'c.js', 'src/d.ts', 'src/x/e.ts', 'gen.ts', 'src/f g[1].ts', '.x.ts']) write(file, 'hit');
    const found = (include: string, extra: object = {}) => names({ pattern: 'hit', include_pattern: include, ...extra });
    expect(await found('*.ts')).toEqual(['.x.ts', 'a.ts', 'src/d.ts', 'src/f g[1].ts', 'src/x/e.ts']);
    expect(await found('**/*.ts')).toEqual(['.x.ts', 'a.ts', 'src/d.ts', 'src/f g[1].ts', 'src/x/e.ts']);
    expect(await found('*.{tsx,js}')).toEqual(['b.tsx', 'c.js']);
    expect(await found('src/*.ts')).toEqual(['src/d.ts', 'src/f g[1].ts']);
    expect(await found('./src/**')).toEqual(['src/d.ts', 'src/f g[1].ts', 'src/x/e.ts']);
    expect(await found('src/')).toEqual(['src/d.ts', 'src/f g[1].ts', 'src/x/e.ts']);
    expect(await found('x/*.ts', { dir_path: 'src' })).toEqual(['src/x/e.ts']);
    expect(await found('!*.ts')).toEqual(['.gitignore', 'b.tsx', 'c.js'].filter((file) => file !== '.gitignore'));
    expect(await found('[ab].ts*')).toEqual(['a.ts', 'b.tsx']);
    expect(await found('*.py')).toEqual([]);
  });

  it('may be one single file', async () => {
    write('a b.txt', 'hit\nmiss\n');
    expect(await both({ pattern: 'hit', file_path: 'a b.txt', context: 0 })).toBe(
      'Found 1 match for pattern "hit" in path "a b.txt":\n---\nFile: a b.txt\nL1: hit\n---',
    );
    write('bin', Buffer.from('hit\0\n'));
    expect(await names({ pattern: 'hit', dir_path: 'bin' })).toEqual([]);
  });

  it('are not searched in an ignored path, and the model is told how', async () => {
    write('.geminiignore', 'secret/\n');
    write('secret/a.txt', 'hit');
    expect(await both({ pattern: 'hit', dir_path: 'secret' })).toBe(
      'No matches found for pattern "hit" in path "secret". The path is excluded by ignore files; set no_ignore to search it.',
    );
    expect(await both({ pattern: 'hit', dir_path: 'secret/a.txt' })).toContain('excluded by ignore files');
    expect(await names({ pattern: 'hit', dir_path: 'secret', no_ignore: true })).toEqual(['secret/a.txt']);
  });

  it('come from all workspace directories', async () => {
    const other = join(dir.path, 'other');
    mkdirSync(other);
    gitInit(other);
    writeFileSync(join(other, 'b.txt'), 'hit');
    writeFileSync(join(other, 'c.txt'), 'hit');
    writeFileSync(join(other, 'd.txt'), 'hit');
    writeFileSync(join(other, '.gitignore'), 'c.txt\n');
    write('a.txt', 'hit');
    write('d.txt', 'hit');
    write('.geminiignore', 'd.txt\n');
    expect(await both({ pattern: 'hit' }, [other])).toContain('across 2 workspace directories');
    expect(await names({ pattern: 'hit' }, [other])).toEqual([join(other, 'b.txt'), join(other, 'd.txt'), 'a.txt'].sort());
    expect(await names({ pattern: 'hit', dir_path: other }, [other])).toEqual([join(other, 'b.txt'), join(other, 'd.txt')]);
  });

  it('are found in a project that the repository around it ignores', async () => {
    gitInit(dir.path);
    writeFileSync(join(dir.path, '.gitignore'), '*\n');
    write('sub/a.txt', 'hit');
    expect(await names({ pattern: 'hit' })).toEqual(['sub/a.txt']);
    expect(await names({ pattern: 'hit', dir_path: 'sub' })).toEqual(['sub/a.txt']);
  });

  it('may have any name', async () => {
    const odd = ['with space.txt', 'new\nline.txt', 'glob[1]*.txt', '-dash.txt', 'quote"\'.txt', 'ümläut.txt', 'a:1:b.txt', 'tab\t.txt'];
    for (const file of odd) write(file, 'hit\n');
    const text = await both({ pattern: 'hit' });
    for (const file of odd) expect(text).toContain(`File: ${file}\nL1: hit\n---`);
    expect(await names({ pattern: 'hit', dir_path: '-dash.txt' })).toEqual(['-dash.txt']);
  });

  it('are neither binary nor pipes nor links', async () => {
    write('text.txt', 'hit\n');
    write('binary', Buffer.from('hit\n\0\0'));
    const late = Buffer.from(`${'hit and more text\n'.repeat(9000)}\0tail hit\n`);
    write('late.bin', late);
    symlinkSync(join(root, 'text.txt'), join(root, 'link.txt'));
    symlinkSync(root, join(root, 'loop'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const sparse = join(root, 'sparse');
    writeFileSync(sparse, '');
    truncateSync(sparse, 50 * 1024 ** 3);
    expect(await names({ pattern: 'hit' })).toEqual(['late.bin', 'text.txt']);
    expect(await both({ pattern: 'hit', total_max_matches: 100_000 })).toContain('matches for pattern');
    expect(() => toolFor(true).build({ pattern: 'x', dir_path: 'pipe' })).toThrow(
      `Search path is not a directory or a regular file: ${join(root, 'pipe')}`,
    );
  });

  it('may have any encoding and line ends', async () => {
    write('crlf.txt', 'first hit\r\nsecond\r\n');
    write('bom.txt', '\uFEFFhit\n');
    write('utf16.txt', Buffer.from('\uFEFFhit ü\n', 'utf16le'));
    write('utf16be.txt', Buffer.from('\uFEFFhit ü\n', 'utf16le').swap16());
    write('latin1.txt', Buffer.from('caf\xe9 hit\n', 'latin1'));
    write('noeol.txt', 'hit');
    expect(await both({ pattern: '^(first )?hit( ü)?$' })).toBe(
      [
        'Found 5 matches for pattern "^(first )?hit( ü)?$" in path ".":',
        '---',
        ...['bom.txt', 'crlf.txt', 'noeol.txt', 'utf16.txt', 'utf16be.txt'].flatMap((file) => [
          `File: ${file}`,
          file === 'crlf.txt' ? 'L1: first hit' : file.startsWith('utf16') ? 'L1: hit ü' : 'L1: hit',
          '---',
        ]),
      ].join('\n'),
    );
    expect(await both({ pattern: 'caf. hit' })).toContain('File: latin1.txt\nL1: caf\uFFFD hit');
  });

  it('may be unreadable or vanish', async () => {
    write('open.txt', 'hit');
    write('shut/a.txt', 'hit');
    write('shut.txt', 'hit');
    chmodSync(join(root, 'shut'), 0o000);
    chmodSync(join(root, 'shut.txt'), 0o000);
    const readable = process.getuid?.() === 0 ? ['open.txt', 'shut.txt', 'shut/a.txt'] : ['open.txt'];
    expect(await names({ pattern: 'hit' })).toEqual(readable);
    chmodSync(join(root, 'shut'), 0o755);
    for (const useRipgrep of [true, false]) {
      for (let file = 0; file < 200; file++) write(`d${file}/f.txt`, 'hit');
      const searching = runWith(useRipgrep, { pattern: 'hit', names_only: true });
      for (let file = 0; file < 200; file++) rmSync(join(root, `d${file}`), { recursive: true });
      expect((await searching).error).toBeUndefined();
    }
  });
});
