import { describe, expect, it } from 'vitest';
import { graphemesOf, graphemeWidth, nextBoundary, widthOf } from './graphemes.js';
import { cellOf, layoutOf, positionAt, rewrapLine, rowAt, wrapLine } from './layout.js';
import { randomFrom } from './random.test-helper.js';

const rowsOf = (line: string, width: number) => {
  const starts = wrapLine(line, width);
  return starts.map((start, index) => line.slice(start, starts[index + 1]));
};

describe('wrapping', () => {
  it.each<[string, number, string[]]>([
    ['', 5, ['']],
    ['hello', 5, ['hello']],
    ['hello world', 5, ['hello ', 'world']],
    ['hello world', 8, ['hello ', 'world']],
    ['hello ', 5, ['hello ', '']],
    ['abcdefgh', 3, ['abc', 'def', 'gh']],
    ['a bcdefgh', 4, ['a ', 'bcde', 'fgh']],
    ['世界你好', 4, ['世界', '你好']],
    ['世界你好', 5, ['世界', '你好']],
    ['ab世界', 4, ['ab世', '界']],
    ['é word', 3, ['é ', 'wor', 'd']],
    ['👨‍👩‍👧👨‍👩‍👧', 2, ['👨‍👩‍👧', '👨‍👩‍👧']],
    ['世', 1, ['世']],
    ['\ta', 4, ['\t', 'a']],
  ])('wraps %j to %i columns', (line, width, expected) => {
    expect(rowsOf(line, width)).toEqual(expected);
  });

  it('never loses a character and never makes a row too wide', () => {
    const random = randomFrom(3);
    const words = ['a', 'bc', ' ', '  ', '世界', '👍🏽', 'é', 'longerword', '-', 'ภาษา', '\t'];
    for (let round = 0; round < 500; round++) {
      const line = Array.from({ length: random(20) }, () => words[random(words.length)]).join('');
      const width = 4 + random(12);
      const rows = rowsOf(line, width);
      expect(rows.join('')).toBe(line);
      for (const row of rows) {
        const hangs = row.endsWith(' ') ? 1 : 0;
        const isOne = nextBoundary(row, 0) >= row.length;
        if (!isOne) expect(widthOf(row)).toBeLessThanOrEqual(width + hangs);
      }
    }
  });
});

it('every position is found again by its cell', () => {
  const lines = ['hello world 世界', '', 'x\ty', '👨‍👩‍👧 and more words here', 'é'];
  for (const columns of [2, 3, 5, 8, 40]) {
    const layout = layoutOf(lines, columns);
    for (const [row, line] of lines.entries()) {
      for (let column = 0; ; column = nextBoundary(line, column)) {
        expect(positionAt(layout, cellOf(layout, { row, column }))).toEqual({ row, column });
        if (column >= line.length) break;
      }
    }
  }
});

it('a cell outside the text maps to the nearest position of its row', () => {
  const layout = layoutOf(['hello world', 'x'], 5);
  expect(positionAt(layout, { row: 0, column: 99 })).toEqual({ row: 0, column: 5 });
  expect(positionAt(layout, { row: 99, column: 99 })).toEqual({ row: 1, column: 1 });
  expect(rowAt(layout, 1)).toEqual({ row: 0, start: 6, end: 11, isLast: true });
});

it('a change wraps only its own line of 5,000', () => {
  const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index} with some words to wrap`);
  const before = layoutOf(lines, 20);
  const changed = [...lines];
  changed[2_500] = 'another line';
  const after = layoutOf(changed, 20);
  const same = after.wraps.filter((wrap, index) => wrap === before.wraps[index]);
  expect(same.length).toBe(4_999);
  const inserted = layoutOf([...changed.slice(0, 10), 'new', ...changed.slice(10)], 20);
  expect(inserted.wraps.slice(11).every((wrap, index) => wrap === after.wraps[index + 10])).toBe(true);
  expect(layoutOf(lines, 20)).toEqual(before);
});

it('a changed long line wraps like a new one', { timeout: 30_000 }, () => {
  const random = randomFrom(11);
  const words = [
    'a',
    'bc ',
    ' ',
    '世界',
    '👍🏽',
    'é',
    'longerword',
    '-',
    '\u0301',
    'ภาษา',
    '\t',
    'x '.repeat(9),
  ];
  const text = (count: number) => Array.from({ length: count }, () => words[random(words.length)]).join('');
  for (const isPlainText of [false, true]) {
    let line = text(400);
    if (isPlainText) line = line.replace(/[^ -~]/g, 'z');
    let starts: readonly number[] = wrapLine(line, 17);
    for (let round = 0; round < 150; round++) {
      const at = random(line.length + 1);
      const inserted = text(random(6));
      const next =
        line.slice(0, at) +
        (isPlainText ? inserted.replace(/[^ -~]/g, 'z') : inserted) +
        line.slice(at + random(40));
      starts = rewrapLine(line, starts, next, 17);
      expect(starts).toEqual(wrapLine(next, 17));
      line = next;
    }
  }
});

it('graphemes are split as the segmenter splits them', () => {
  const random = randomFrom(5);
  const signs = [
    'a',
    'é',
    'e',
    '\u0301',
    '世',
    'か',
    '\u3099',
    '한',
    'ᆨ',
    'ᄀ',
    '👍',
    '🏽',
    '\u200d',
    '👩',
    '🇩',
    '\ufe0f',
    '1',
    '\u20e3',
    'п',
    '\u00ad',
    '©',
    'ก',
    'ำ',
    '\t',
  ];
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  for (let round = 0; round < 1_000; round++) {
    const text = Array.from({ length: random(12) }, () => signs[random(signs.length)]).join('');
    expect([...graphemesOf(text)].map((one) => one.text)).toEqual(
      [...segmenter.segment(text)].map((one) => one.segment),
    );
  }
});

it('letters get the width that string-width gives them', { timeout: 30_000 }, () => {
  for (let code = 0x20; code < 0xa000; code++) {
    const letter = String.fromCharCode(code);
    const [one] = graphemesOf(letter);
    if (one && graphemeWidth(letter) !== one.width)
      expect([code.toString(16), one.width]).toEqual([code.toString(16), graphemeWidth(letter)]);
  }
});
