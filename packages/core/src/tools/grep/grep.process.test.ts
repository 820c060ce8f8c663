import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Args, SearchFixture } from './search-fixture.test-helper.js';

let at: SearchFixture;
beforeEach(() => {
  at = new SearchFixture();
});
afterEach(() => at.cleanup());

describe('the output', () => {
  it('groups matching lines by file', async () => {
    at.write('b.ts', 'one\nTwo foo\nthree\nFoo\n');
    at.write('a/a.ts', 'foo\nfoo\n');
    expect(await at.both({ pattern: 'foo' })).toBe(
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
    const result = await at.run(true, {
      pattern: 'foo',
      case_sensitive: true,
      include: '*.ts',
      path: 'b.ts',
      context: 0,
    });
    expect(result).toEqual({
      llmContent:
        'Found 1 match for pattern "foo" in path "b.ts" (filter: "*.ts"):\n---\nFile: b.ts\nL2: Two foo\n---',
      returnDisplay: {
        summary: 'Found 1 match',
        matches: [{ filePath: 'b.ts', lineNumber: 2, line: 'Two foo' }],
      },
    });
  });

  it('says so when nothing matches', async () => {
    at.write('a.ts', 'x');
    expect(await at.both({ pattern: 'nope', dir_path: '.', include_pattern: '*.ts' })).toBe(
      'No matches found for pattern "nope" in path "." (filter: "*.ts").',
    );
    expect((await at.run(true, { pattern: 'nope' })).returnDisplay).toEqual({
      summary: 'No matches found',
      matches: [],
    });
  });

  it('shows fifty lines around a single match and fifteen around two or three', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`);
    lines[99] = 'needle one';
    at.write('a.txt', lines.join('\n'));
    const single = (await at.both({ pattern: 'needle' })).split('\n');
    expect(single.slice(0, 4)).toEqual([
      'Found 1 match for pattern "needle" in path ".":',
      '---',
      'File: a.txt',
      'L50- line 50',
    ]);
    expect(single[53]).toBe('L100: needle one');
    expect(single.slice(-2)).toEqual(['L150- line 150', '---']);
    lines[119] = 'needle two';
    at.write('a.txt', lines.join('\n'));
    const double = (await at.both({ pattern: 'needle' })).split('\n');
    expect(double.slice(3, -1).map((line) => line.split(/[:-]/)[0])).toEqual(
      Array.from({ length: 51 }, (_, index) => `L${85 + index}`),
    );
    expect(await at.both({ pattern: 'needle', context: 0 })).toBe(
      'Found 2 matches for pattern "needle" in path ".":\n---\nFile: a.txt\nL100: needle one\nL120: needle two\n---',
    );
  });

  it('shows the wanted number of lines before and after', async () => {
    at.write('a.txt', 'a\nb\nneedle\nc\nd\ne\nneedle\nf\n');
    const shown = async (args: Args) =>
      (await at.both({ pattern: 'needle', ...args })).split('\n').slice(3, -1);
    expect(await shown({ context: 1 })).toEqual([
      'L2- b',
      'L3: needle',
      'L4- c',
      'L6- e',
      'L7: needle',
      'L8- f',
    ]);
    expect(await shown({ before: 1 })).toEqual(['L2- b', 'L3: needle', 'L6- e', 'L7: needle']);
    expect(await shown({ after: 2 })).toEqual(['L3: needle', 'L4- c', 'L5- d', 'L7: needle', 'L8- f']);
    expect(await shown({ context: 3 })).toEqual([
      'L1- a',
      'L2- b',
      'L3: needle',
      'L4- c',
      'L5- d',
      'L6- e',
      'L7: needle',
      'L8- f',
    ]); // prettier-ignore
  });

  it('stops ten thousand hits at a hundred and says so', async () => {
    for (let file = 0; file < 10; file++) at.write(`f${file}.txt`, 'hit here\n'.repeat(1000));
    for (const useRipgrep of [true, false]) {
      const result = await at.run(useRipgrep, { pattern: 'hit' });
      const lines = String(result.llmContent).split('\n');
      expect(lines[0]).toBe(
        'Found 100 matches for pattern "hit" in path "." (results limited to 100 matches for performance):',
      );
      expect(lines.filter((line) => line.startsWith('L')).length).toBe(100);
    }
    const few = String((await at.run(true, { pattern: 'hit', total_max_matches: 7 })).llmContent);
    expect(few).toContain('Found 7 matches for pattern "hit" in path "." (results limited to 7 matches');
  });

  it('does not mention the limit when there are exactly as many matches', async () => {
    at.write('a.txt', 'hit\n'.repeat(100));
    expect((await at.both({ pattern: 'hit' })).split('\n')[0]).toBe(
      'Found 100 matches for pattern "hit" in path ".":',
    );
  });

  it('limits the matches of one file', async () => {
    at.write('a.txt', 'hit\n'.repeat(9));
    at.write('b.txt', 'hit\n');
    const text = await at.both({ pattern: 'hit', max_matches_per_file: 3 });
    expect(text).toBe(
      'Found 4 matches for pattern "hit" in path ".":\n---\nFile: a.txt\nL1: hit\nL2: hit\nL3: hit\n---\nFile: b.txt\nL1: hit\n---',
    );
    expect(
      await at.both({ pattern: 'hit', max_matches_per_file: 1, total_max_matches: 1, context: 0 }),
    ).toContain('limited to 1');
  });

  it('lists names only', async () => {
    at.write('b.txt', 'hit\nhit\n');
    at.write('a.txt', 'hit');
    at.write('c.txt', 'miss');
    expect(await at.both({ pattern: 'hit', names_only: true })).toBe(
      'Found 2 files with matches for pattern "hit" in path ".":\na.txt\nb.txt',
    );
    expect((await at.run(true, { pattern: 'hit', names_only: true })).returnDisplay).toEqual({
      summary: 'Found 2 files',
      files: ['a.txt', 'b.txt'],
    });
    const cut = await at.run(true, { pattern: 'hit', names_only: true, total_max_matches: 1 });
    expect(cut.llmContent).toMatch(
      /^Found 1 files .* \(results limited to 1 files for performance\):\n[ab]\.txt$/,
    );
  });

  it('leaves out lines by pattern', async () => {
    at.write('a.ts', 'import foo\nfoo()\n// Foo\n');
    at.write('b.ts', 'import foo\n');
    expect(await at.both({ pattern: 'foo', exclude_pattern: '^import|^// f', context: 0 })).toBe(
      'Found 1 match for pattern "foo" in path ".":\n---\nFile: a.ts\nL2: foo()\n---',
    );
    expect(await at.names({ pattern: 'foo', exclude_pattern: '^import' })).toEqual(['a.ts']);
    expect(
      await at.both({ pattern: 'foo', exclude_pattern: 'import', max_matches_per_file: 1, context: 0 }),
    ).toContain('L2: foo()');
  });

  it.each([
    ['*.test.ts', ['a.ts', 'src/b.ts', 'vendor/c.ts', 'vendor/deep/d.ts']],
    ['vendor', ['a.test.ts', 'a.ts', 'src/b.test.ts', 'src/b.ts']],
    ['vendor/', ['a.test.ts', 'a.ts', 'src/b.test.ts', 'src/b.ts']],
    ['src/**', ['a.test.ts', 'a.ts', 'vendor/c.ts', 'vendor/deep/d.ts']],
    ['**/b.*', ['a.test.ts', 'a.ts', 'vendor/c.ts', 'vendor/deep/d.ts']],
    ['*.{test.ts,x}', ['a.ts', 'src/b.ts', 'vendor/c.ts', 'vendor/deep/d.ts']],
    ['@(a|b).ts', ['a.test.ts', 'src/b.test.ts', 'vendor/c.ts', 'vendor/deep/d.ts']],
  ])('leaves out files by glob: %s', async (exclude_glob, left) => {
    for (const name of ['a.ts', 'a.test.ts', 'src/b.ts', 'src/b.test.ts', 'vendor/c.ts', 'vendor/deep/d.ts'])
      at.write(name, 'hit\n');
    expect(await at.names({ pattern: 'hit', exclude_glob })).toEqual(left);
    const both = { include_pattern: '*.ts', exclude_glob, exclude_pattern: 'x' };
    expect(await at.names({ pattern: 'hit', ...both })).toEqual(left);
  });

  it('searches a file that is named, whatever exclude_glob says', async () => {
    at.write('a.ts', 'hit\n');
    expect(await at.both({ pattern: 'hit', dir_path: 'a.ts', exclude_glob: '*.ts' })).toContain('L1: hit');
  });

  it('cuts long lines at 2000 characters', async () => {
    at.write('a.txt', `${'x'.repeat(50_000)}needle\n${'ü'.repeat(1990)}needle${'ü'.repeat(300)}\n`);
    const lines = (await at.both({ pattern: 'needle', context: 0 })).split('\n');
    expect(lines[3]).toBe(`L1: ${'x'.repeat(2000)}... [truncated]`);
    expect(lines[4]).toBe(`L2: ${'ü'.repeat(1990)}needle${'ü'.repeat(4)}... [truncated]`);
  });
});
