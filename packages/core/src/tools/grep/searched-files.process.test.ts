import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SearchFixture } from './search-fixture.test-helper.js';

let at: SearchFixture;
beforeEach(() => {
  at = new SearchFixture();
});
afterEach(() => {
  vi.unstubAllEnvs();
  at.cleanup();
});

describe('the files searched', () => {
  it('are those that git and .geminiignore do not ignore', async () => {
    at.gitInit();
    for (const file of [
      'a.ts',
      'x.gen',
      'keep.gen',
      'out/b.ts',
      'sub/secret.ts',
      'sub/x.loc',
      'loc/y',
      '.dot/c.ts',
    ]) {
      at.write(file, 'hit');
    }
    at.write('.gitignore', '*.gen\n!keep.gen\n/out/\n');
    at.write('sub/.gitignore', '*.loc\n');
    writeFileSync(join(at.root, '.git/info/exclude'), 'loc/\n');
    at.write('.geminiignore', 'secret.ts\n');
    expect(await at.names({ pattern: 'hit' })).toEqual(['.dot/c.ts', 'a.ts', 'keep.gen']);
    expect(await at.names({ pattern: 'hit', respect_gemini_ignore: false })).toEqual([
      '.dot/c.ts',
      'a.ts',
      'keep.gen',
      'sub/secret.ts',
    ]); // prettier-ignore
    expect(await at.names({ pattern: 'hit', respect_git_ignore: false })).toEqual([
      '.dot/c.ts',
      'a.ts',
      'keep.gen',
      'loc/y',
      'out/b.ts',
      'sub/x.loc',
      'x.gen',
    ]); // prettier-ignore
    expect(await at.names({ pattern: 'hit', no_ignore: true })).toHaveLength(8);
  });

  it('include what .geminiignore re-includes, and exclude what it alone names', async () => {
    at.gitInit();
    for (const file of ['notes.md', 'other.md', '.env', 'deep/notes.md', 'out/a', 'plain.txt'])
      at.write(file, 'hit');
    at.write('.gitignore', '*.md\n!.env\nout/\n');
    at.write('.geminiignore', '!notes.md\n.env\n');
    expect(await at.names({ pattern: 'hit' })).toEqual(['deep/notes.md', 'notes.md', 'plain.txt']);
    at.write('.geminiignore', '.env\n');
    expect(await at.names({ pattern: 'hit' })).toEqual(['plain.txt']);
  });

  it('obey every kind of pattern in .geminiignore', async () => {
    const files = [
      'a.txt',
      'b.txt',
      '{x}.txt',
      'x.txt',
      'sub/a.txt',
      'sub/c/d.txt',
      'sp ace.txt',
      'sub/top.txt',
      'top.txt',
    ];
    for (const file of files) at.write(file, 'hit');
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
      at.write('.geminiignore', `${rule}\n`);
      const found = await at.names({ pattern: 'hit' });
      expect(files.filter((file) => !found.includes(file)).sort(), rule).toEqual(ignored);
      expect(
        (await at.names({ pattern: 'hit', dir_path: 'sub' })).filter((file) =>
          ignored.includes(file as never),
        ),
      ).toEqual([]);
    }
  });

  it('are never in dependency, version control or build folders', async () => {
    const files = [
      'node_modules/a.js',
      'lib/node_modules/a.js',
      '.git/config2',
      'bower_components/a.js',
      '.svn/a',
      '.hg/a',
      'dist/a.js',
      'build/a.js',
      'coverage/a',
      '__pycache__/a',
      '.vscode/a',
      '.idea/a',
      'x.log',
      'x.tmp',
      'src/a.js',
    ]; // prettier-ignore
    for (const file of files) at.write(file, 'hit');
    expect(await at.names({ pattern: 'hit' })).toEqual(['src/a.js']);
    expect(await at.names({ pattern: 'hit', no_ignore: true })).toEqual([
      '.idea/a',
      '.vscode/a',
      '__pycache__/a',
      'build/a.js',
      'coverage/a',
      'dist/a.js',
      'src/a.js',
      'x.log',
      'x.tmp',
    ]); // prettier-ignore
    expect(await at.names({ pattern: 'hit', dir_path: 'dist' })).toEqual(['dist/a.js']);
    expect(await at.names({ pattern: 'hit', dir_path: 'node_modules' })).toEqual(['node_modules/a.js']);
    expect(await at.names({ pattern: 'hit', dir_path: 'x.log' })).toEqual(['x.log']);
  });

  it('can be narrowed by a glob', async () => {
    at.gitInit();
    at.write('.gitignore', 'gen.ts\n');
    for (const file of [
      'a.ts',
      'b.tsx',
      'c.js',
      'src/d.ts',
      'src/x/e.ts',
      'gen.ts',
      'src/f g[1].ts',
      '.x.ts',
    ])
      at.write(file, 'hit');
    const found = (include: string, extra: object = {}) =>
      at.names({ pattern: 'hit', include_pattern: include, ...extra });
    expect(await found('*.ts')).toEqual(['.x.ts', 'a.ts', 'src/d.ts', 'src/f g[1].ts', 'src/x/e.ts']);
    expect(await found('**/*.ts')).toEqual(['.x.ts', 'a.ts', 'src/d.ts', 'src/f g[1].ts', 'src/x/e.ts']);
    expect(await found('*.{tsx,js}')).toEqual(['b.tsx', 'c.js']);
    expect(await found('src/*.ts')).toEqual(['src/d.ts', 'src/f g[1].ts']);
    expect(await found('./src/**')).toEqual(['src/d.ts', 'src/f g[1].ts', 'src/x/e.ts']);
    expect(await found('src/')).toEqual(['src/d.ts', 'src/f g[1].ts', 'src/x/e.ts']);
    expect(await found('x/*.ts', { dir_path: 'src' })).toEqual(['src/x/e.ts']);
    expect(await found('!*.ts')).toEqual(
      ['.gitignore', 'b.tsx', 'c.js'].filter((file) => file !== '.gitignore'),
    );
    expect(await found('[ab].ts*')).toEqual(['a.ts', 'b.tsx']);
    expect(await found('*.py')).toEqual([]);
  });

  it('may be one single file', async () => {
    at.write('a b.txt', 'hit\nmiss\n');
    expect(await at.both({ pattern: 'hit', file_path: 'a b.txt', context: 0 })).toBe(
      'Found 1 match for pattern "hit" in path "a b.txt":\n---\nFile: a b.txt\nL1: hit\n---',
    );
    at.write('bin', Buffer.from('hit\0\n'));
    expect(await at.names({ pattern: 'hit', dir_path: 'bin' })).toEqual([]);
    for (const file of ['[a]{b}*?.txt', 'end ', '!x', '#x', 'back\\slash', 'sub/[id]/x.log']) {
      at.write(file, 'hit');
      expect(await at.names({ pattern: 'hit', dir_path: file })).toEqual([file]);
    }
  });

  it('exclude an ignored path, and the model is told how to include it', async () => {
    at.write('.geminiignore', 'secret/\n');
    at.write('secret/a.txt', 'hit');
    expect(await at.both({ pattern: 'hit', dir_path: 'secret' })).toBe(
      'No matches found for pattern "hit" in path "secret". The path is excluded by ignore files; set no_ignore to search it.',
    );
    expect(await at.both({ pattern: 'hit', dir_path: 'secret/a.txt' })).toContain('excluded by ignore files');
    expect(await at.names({ pattern: 'hit', dir_path: 'secret', no_ignore: true })).toEqual(['secret/a.txt']);
  });

  it('come from all workspace directories', async () => {
    const other = join(at.outer, 'other');
    mkdirSync(other);
    at.gitInit(other);
    writeFileSync(join(other, 'b.txt'), 'hit');
    writeFileSync(join(other, 'c.txt'), 'hit');
    writeFileSync(join(other, 'd.txt'), 'hit');
    writeFileSync(join(other, '.gitignore'), 'c.txt\n');
    at.write('a.txt', 'hit');
    at.write('d.txt', 'hit');
    at.write('.geminiignore', 'd.txt\n');
    expect(await at.both({ pattern: 'hit' }, [other])).toContain('across 2 workspace directories');
    expect(await at.names({ pattern: 'hit' }, [other])).toEqual(
      [join(other, 'b.txt'), join(other, 'd.txt'), 'a.txt'].sort(),
    );
    expect(await at.names({ pattern: 'hit', dir_path: other }, [other])).toEqual([
      join(other, 'b.txt'),
      join(other, 'd.txt'),
    ]);
  });

  it('are listed once when one workspace directory contains another', async () => {
    at.write('sub/a.txt');
    at.write('b.txt');
    expect(await at.names({ pattern: 'hit' }, [join(at.root, 'sub')])).toEqual(['b.txt', 'sub/a.txt']);
    expect(await at.both({ pattern: 'hit' }, [join(at.root, 'sub')])).toContain('Found 2 matches');
  });

  it('follow the rules of a nested repository inside it', async () => {
    at.gitInit();
    at.write('.gitignore', '*.gen\nvendor/\n');
    for (const file of ['a.gen', 'inner/b.gen', 'inner/c.own', 'vendor/d']) at.write(file);
    at.write('inner/.gitignore', '*.own\n');
    at.gitInit(join(at.root, 'inner'));
    at.gitInit(join(at.root, 'vendor'));
    expect(await at.names({ pattern: 'hit' })).toEqual(['inner/b.gen']);
    expect(await at.names({ pattern: 'hit', dir_path: 'inner' })).toEqual(['inner/b.gen']);
  });

  it('are found in a project that the repository around it ignores', async () => {
    at.gitInit(at.outer);
    writeFileSync(join(at.outer, '.gitignore'), '*\n');
    at.write('sub/a.txt', 'hit');
    expect(await at.names({ pattern: 'hit' })).toEqual(['sub/a.txt']);
    expect(await at.names({ pattern: 'hit', dir_path: 'sub' })).toEqual(['sub/a.txt']);
  });

  it('may be our own working files in a home directory under git', async () => {
    vi.stubEnv('GEMINI_CLI_HOME', at.outer);
    at.gitInit(at.outer);
    writeFileSync(join(at.outer, '.gitignore'), '*\n');
    const outputs = join(at.outer, '.gemini/tmp/test-project/tool-outputs');
    mkdirSync(outputs, { recursive: true });
    writeFileSync(join(outputs, 'x.txt'), 'hit');
    expect(await at.names({ pattern: 'hit', dir_path: outputs })).toEqual([join(outputs, 'x.txt')]);
    expect(await at.names({ pattern: 'hit', dir_path: join(outputs, 'x.txt') })).toEqual([
      join(outputs, 'x.txt'),
    ]);
  });

  it('may have any name', async () => {
    const odd = [
      'with space.txt',
      'new\nline.txt',
      'glob[1]*.txt',
      '-dash.txt',
      'quote"\'.txt',
      'ümläut.txt',
      'a:1:b.txt',
      'tab\t.txt',
    ];
    for (const file of odd) at.write(file, 'hit\n');
    const text = await at.both({ pattern: 'hit' });
    // A line break in a name is shown escaped: no name can pose as another line.
    const shown = odd.map((file) => file.replace('\n', '\\n').replace('\t', '\\t'));
    for (const file of shown) expect(text).toContain(`File: ${file}\nL1: hit\n---`);
    expect(await at.names({ pattern: 'hit', dir_path: '-dash.txt' })).toEqual(['-dash.txt']);
  });

  it('are neither binary nor pipes nor links', async () => {
    at.write('text.txt', 'hit\n');
    at.write('binary', Buffer.from('hit\n\0\0'));
    const late = Buffer.from(`${'hit and more text\n'.repeat(9000)}\0tail hit\n`);
    at.write('late.bin', late);
    symlinkSync(join(at.root, 'text.txt'), join(at.root, 'link.txt'));
    symlinkSync(at.root, join(at.root, 'loop'));
    execFileSync('mkfifo', [join(at.root, 'pipe')]);
    const sparse = join(at.root, 'sparse');
    writeFileSync(sparse, '');
    truncateSync(sparse, 50 * 1024 ** 3);
    expect(await at.names({ pattern: 'hit' })).toEqual(['late.bin', 'text.txt']);
    expect(await at.both({ pattern: 'hit', total_max_matches: 100_000 })).toContain('matches for pattern');
    expect(() => at.tool(true).build({ pattern: 'x', dir_path: 'pipe' })).toThrow(
      `Search path is not a directory or a regular file: ${join(at.root, 'pipe')}`,
    );
  });

  it('may have any encoding and line ends', async () => {
    at.write('crlf.txt', 'first hit\r\nsecond\r\n');
    at.write('bom.txt', '\uFEFFhit\n');
    at.write('utf16.txt', Buffer.from('\uFEFFhit ü\n', 'utf16le'));
    at.write('utf16be.txt', Buffer.from('\uFEFFhit ü\n', 'utf16le').swap16());
    at.write('latin1.txt', Buffer.from('caf\xe9 hit\n', 'latin1'));
    at.write('noeol.txt', 'hit');
    expect(await at.both({ pattern: '^(first )?hit( ü)?$' })).toBe(
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
    expect(await at.both({ pattern: 'CAF' })).toContain('File: latin1.txt\nL1: caf\uFFFD hit');
  });

  it('may be unreadable or deleted meanwhile', async () => {
    at.write('open.txt', 'hit');
    at.write('shut/a.txt', 'hit');
    at.write('shut.txt', 'hit');
    chmodSync(join(at.root, 'shut'), 0o000);
    chmodSync(join(at.root, 'shut.txt'), 0o000);
    const readable = process.getuid?.() === 0 ? ['open.txt', 'shut.txt', 'shut/a.txt'] : ['open.txt'];
    expect(await at.names({ pattern: 'hit' })).toEqual(readable);
    chmodSync(join(at.root, 'shut'), 0o755);
    for (const useRipgrep of [true, false]) {
      for (let file = 0; file < 40; file++) at.write(`d${file}/f.txt`, 'hit');
      const searching = at.run(useRipgrep, { pattern: 'hit', names_only: true });
      for (let file = 0; file < 40; file++) rmSync(join(at.root, `d${file}`), { recursive: true });
      expect((await searching).error).toBeUndefined();
    }
  });
});
