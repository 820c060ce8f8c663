import { describe, expect, it } from 'vitest';
import { breakAtWords } from './break-at-words.js';
import { span } from './spans.js';
import { textWidth } from './width.js';

const rows = (text: string, width: number) =>
  breakAtWords([span(text)], width).map((row) => row.map((part) => part.text).join(''));

describe('code that is too long for a row', () => {
  it.each([
    ['short', 10, ['short']],
    ['', 10, ['']],
    ['take one or cut by two', 12, ['take one or ', 'cut by two']],
    ['take one or cut by two', 11, ['take one or', 'cut by two']],
    ['    if (isReady) return;', 16, ['    if (isReady)', 'return;']],
    ['createServer(options,listener)', 24, ['createServer(options,', 'listener)']],
    ['aaaaaaaaaaaaaaaaaaaa', 8, ['aaaaaaaa', 'aaaaaaaa', 'aaaa']],
    ['        deeplyIndentedName', 12, ['        deep', 'lyIndentedNa', 'me']],
    ['漢字漢字漢字', 5, ['漢字', '漢字', '漢字']],
    ['漢', 1, ['漢']],
  ])('%j in %i columns', (text, width, expected) => {
    expect(rows(text, width)).toEqual(expected);
  });

  it('keeps all of it, and every style', () => {
    const style = { bold: true };
    const parts = breakAtWords([span('const '), span('answer', style), span(' = compute(question);')], 14);
    expect(parts.map((row) => row.map(({ text }) => text))).toEqual([
      ['const ', 'answer', ' ='],
      ['compute('],
      ['question);'],
    ]);
    expect(parts[0]?.[1]?.style).toBe(style);
  });

  it('fits every row, also in a very long line', () => {
    const text = 'some words, '.repeat(20_000);
    const lines = rows(text, 37);
    expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(37);
    expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
  });
});
