import { describe, expect, it } from 'vitest';
import type { ColorDepth } from '../../terminal/color-depth.js';
import { DIFF, output } from '../history/sample-items.test-helper.js';
import { plainLook } from '../testing/plain-look.test-helper.js';
import { ANSI, NO_COLOR } from '../themes/builtin/ansi.js';
import { DEFAULT_DARK, DEFAULT_LIGHT } from '../themes/builtin/default.js';
import { createPaint } from '../themes/paint.js';
import type { Theme } from '../themes/theme.js';
import { ansiOutputLines, textOutputLines } from './ansi-output.js';
import { diffCounts, diffHead, diffLines, languageOfFile, parseDiff } from './diff.js';
import { todoLines } from './todos.js';

const look = plainLook(40);

describe('diffs', () => {
  it('have numbers, signs and a mark between hunks', () => {
    expect(diffLines({ fileDiff: DIFF, fileName: 'parse.ts' }, plainLook(60))).toEqual([
      '10   export function scan(input: string): number {',
      '11 -   for (let i = 0; i <= input.length; i++) {',
      "12 -     if (input[i] === ' ') return i;",
      '11 +   for (let i = 0; i < input.length; i++) {',
      '12 +     // stop at white space',
      '13 +     if (/\\s/.test(input[i])) return i;',
      '14     }',
      '════',
      '41   const a = 1;',
      '42 + const b = "two";',
      '43   const c = 3;',
    ]);
  });

  it('fill changed rows with their colour to the end', () => {
    const lines = diffLines(
      { fileDiff: '@@ -1 +1 @@\n-a\n+b\n', fileName: 'x' },
      { ...plainLook(20), theme: DEFAULT_DARK, paint: createPaint('truecolor') },
    );
    expect(lines[0]).toContain('48;2;67;32;41');
    expect(lines[1]).toContain(`\x1b[48;2;22;55;38m${' '.repeat(14)}\x1b[49m`);
  });

  describe('mark the words that differ', () => {
    const change = { fileDiff: '@@ -1 +1 @@\n-let total = 1;\n+let total = 22;\n', fileName: 'x' };
    const drawn = (theme: Theme, depth: ColorDepth) =>
      diffLines(change, { ...plainLook(40), theme, depth, paint: createPaint(depth, true) });
    const marked = (line = '') => line.match(/\x1b\[([0-9;]*)m(1|22)\x1b/)?.[1];

    it.each([
      ['a dark theme', DEFAULT_DARK],
      ['a light theme', DEFAULT_LIGHT],
    ])('with a stronger tint in %s', (_, theme) => {
      for (const depth of ['truecolor', 'ansi256'] as const) {
        const lines = drawn(theme, depth);
        for (const line of lines) {
          const tints = new Set(line.match(/48;[25];[0-9;]+/g));
          expect(tints.size).toBe(2);
          expect(marked(line)).toMatch(/48;.*;1$/);
        }
      }
    });

    it.each([
      ['sixteen colours', DEFAULT_DARK, 'ansi16'],
      ['a theme without tints', ANSI, 'truecolor'],
      ['no colours', NO_COLOR, 'none'],
    ] as const)('with a line below them with %s', (_, theme, depth) => {
      const [removed, added] = drawn(theme, depth);
      expect(marked(removed)).toBe('4');
      expect(marked(added)).toBe('4');
    });
  });

  it('tell lines that look like headers from headers', () => {
    const rows = parseDiff(
      '--- a\n+++ b\n@@ -1,2 +1,2 @@\n--- a comment\n+++ i;\n context\n\\ No newline at end of file\n',
    );
    expect(rows.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'removed -- a comment',
      'added ++ i;',
      'context context',
    ]);
  });

  it.each([
    ['', { added: 0, removed: 0 }],
    [DIFF, { added: 4, removed: 2 }],
    ['no diff at all', { added: 0, removed: 0 }],
    ['@@ -1 +1 @@ broken', { added: 0, removed: 0 }],
  ])('are counted', (diff, counts) => {
    expect(diffCounts(diff)).toEqual(counts);
  });

  it('are cut, and the rest counted', () => {
    expect(diffHead({ fileDiff: DIFF, fileName: 'a.ts' }, plainLook(80), 3)).toMatchObject({ hidden: 8 });
    expect(diffHead({ fileDiff: DIFF, fileName: 'a.ts' }, plainLook(80), 30).hidden).toBe(0);
  });

  it('show control characters of files as text', () => {
    expect(diffLines({ fileDiff: '@@ -0,0 +1 @@\n+a\x1b[2Jb\u202e\n', fileName: 'x' }, look)).toEqual([
      ' 1 + ab\\u{202E}',
    ]);
  });

  it.each([
    ['src/a.TS', 'ts'],
    ['Makefile', 'makefile'],
    ['C:\\x\\b.py', 'py'],
    ['.gitignore', 'gitignore'],
    ['', ''],
  ])('the language of %j is by its ending', (name, expected) => {
    expect(languageOfFile(name)).toBe(expected);
  });
});

describe('output', () => {
  it('shows its end without blank lines after it', () => {
    expect(ansiOutputLines(output('a', 'b', 'c', '', ''), look, 2)).toEqual({ lines: ['b', 'c'], hidden: 1 });
    expect(ansiOutputLines(output('', ''), look)).toEqual({ lines: [], hidden: 0 });
  });

  it('breaks long lines and counts their rows', () => {
    expect(textOutputLines(`x\n${'y'.repeat(90)}\n`, look, 2)).toEqual({
      lines: ['y'.repeat(40), 'y'.repeat(10)],
      hidden: 2,
    });
  });

  it('keeps the colours of programs', () => {
    const paint = createPaint('truecolor');
    const token = {
      text: 'ok',
      bold: true,
      italic: false,
      underline: false,
      dim: false,
      inverse: false,
      fg: '2',
      bg: '#010203',
    };
    expect(ansiOutputLines([[token]], { ...look, paint }).lines).toEqual([
      '\x1b[32;48;2;1;2;3;1mok\x1b[22;49;39m',
    ]);
  });
});

describe('todos', () => {
  const todos = [
    { description: 'one', status: 'completed' },
    { description: 'two\x1b[2J\nlines', status: 'in_progress' },
    { description: 'three', status: 'cancelled' },
    { description: 'four', status: 'pending' },
  ] as const;
  it('have symbols, or words', () => {
    expect(todoLines(todos, look)).toEqual(['✓ one', '» two lines', '✗ three', '☐ four']);
    expect(todoLines(todos, { ...look, screenReader: true })[1]).toBe('in progress: two lines');
  });
});
