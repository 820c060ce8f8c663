import { describe, expect, it } from 'vitest';
import { cleanLine, cleanText } from './clean.js';
import { cutText, wrapText } from './columns.js';
import { breakSpans, fitSpans, span, wrapSpans } from './spans.js';
import { ansiWidth, graphemes, stripStyles, takeWidth, textWidth } from './width.js';
import { truncateAnsi, wrapAnsi } from './wrap.js';

const FAMILY = '👨‍👩‍👧';
const text = (lines: { text: string }[][]) => lines.map((line) => line.map((part) => part.text).join(''));

describe('textWidth', () => {
  it.each([
    ['', 0],
    ['plain', 5],
    ['Grüße', 5],
    ['привет', 6],
    ['日本語', 6],
    ['한국어', 6],
    ['e\u0301', 1],
    [FAMILY, 2],
    ['🇩🇪', 2],
    ['✔️', 2],
    ['a\u200db', 2],
    ['┌─┐', 3],
  ])('gives %j %i columns', (value, width) => {
    expect(textWidth(value)).toBe(width);
    expect(ansiWidth(`\x1b[31m${value}\x1b[39m`)).toBe(width);
  });

  it('keeps joined characters together across segmenter windows', () => {
    const long = `${'x'.repeat(510)}${FAMILY}${'é́'.repeat(600)}${FAMILY}`;
    const parts = [...graphemes(long)];
    expect(parts.join('')).toBe(long);
    expect(parts.filter((part) => part === FAMILY)).toHaveLength(2);
  });

  it.each([
    ['hello', 3, 'hel'],
    ['日本語', 3, '日'],
    ['日本語', 4, '日本'],
    [`a${FAMILY}b`, 2, 'a'],
    [`a${FAMILY}b`, 3, `a${FAMILY}`],
    ['ae\u0301x', 2, 'ae\u0301'],
    ['abe\u0301', 2, 'ab'],
    ['hello', 0, ''],
  ])('takes from %j what fits %i columns', (value, columns, expected) => {
    expect(takeWidth(value, columns).head).toBe(expected);
  });
});

describe('cleanText', () => {
  it.each([
    ['plain\ntext', 'plain\ntext'],
    ['a\r\nb\rc', 'a\nb\nc'],
    ['\x1b[31mred\x1b[0m', 'red'],
    ['\x1b]0;title\x07x', 'x'],
    ['\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\', 'link'],
    ['\x1b]0;unfinished\nnext', '\nnext'],
    ['\x9b31mc1', 'c1'],
    ['bell\x07 back\b null\0', 'bell back null'],
    ['a\tb', 'a   b'],
    ['abcd\te', 'abcd    e'],
    ['right\u202eto left', 'right\\u{202E}to left'],
    ['zero\u200bwidth', 'zero\\u{200B}width'],
    ['filler\u3164', 'filler\\u{3164}'],
    ['tag\u{e0041}', 'tag\\u{E0041}'],
    ['lone\ud800', 'lone\\u{D800}'],
    ['nbsp\u00a0 and 全角\u3000space', 'nbsp\u00a0 and 全角\u3000space'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    [FAMILY, FAMILY],
    [
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    ],
  ])('cleans %j', (value, expected) => {
    expect(cleanText(value)).toBe(expected);
  });

  it('can join lines to one', () => {
    expect(cleanLine('a\n  b\r\n\tc')).toBe('a b c');
  });
});

describe('Wrapping', () => {
  it.each([
    ['the quick brown fox', 10, ['the quick', 'brown fox']],
    ['a bb ccc', 3, ['a', 'bb', 'ccc']],
    ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['ab cdefghij', 4, ['ab', 'cdef', 'ghij']],
    ['  indented text', 10, ['  indented', 'text']],
    ['one\n\ntwo', 10, ['one', '', 'two']],
    ['日本語のテキスト', 6, ['日本語', 'のテキ', 'スト']],
    ['日本語、です', 6, ['日本', '語、で', 'す']],
    ['trailing   ', 20, ['trailing   ']],
    ['', 5, ['']],
  ])('breaks %j at %i columns', (value, width, expected) => {
    expect(text(wrapSpans([span(value)], width))).toEqual(expected);
  });

  it('keeps words of several styles whole', () => {
    const bold = { bold: true };
    const lines = wrapSpans([span('aa b'), span('old', bold), span('ish cc')], 7);
    expect(text(lines)).toEqual(['aa', 'boldish', 'cc']);
    expect(lines[1]?.[1]).toEqual({ text: 'old', style: bold });
  });

  it('never makes a line wider than asked', () => {
    const value = `日本語${FAMILY} mixed with-long-words-that-break and e\u0301\u0302 ${'x'.repeat(50)} 全角、。`;
    for (const width of [1, 2, 3, 5, 20, 40]) {
      for (const line of [...wrapSpans([span(value)], width), ...breakSpans([span(value)], width)]) {
        const columns = line.reduce((total, part) => total + textWidth(part.text), 0);
        expect(columns).toBeLessThanOrEqual(Math.max(2, width));
      }
    }
  });

  it('loses nothing but spaces', () => {
    const value = 'some words   and 日本語 and averyveryverylongword here';
    for (const width of [3, 7, 20]) {
      expect(
        text(wrapSpans([span(value)], width))
          .join('')
          .replace(/ /g, ''),
      ).toBe(value.replace(/ /g, ''));
      expect(text(breakSpans([span(value)], width)).join('')).toBe(value);
    }
  });

  it('handles a line of a megabyte', () => {
    expect(wrapSpans([span('x'.repeat(1 << 20))], 80)).toHaveLength(Math.ceil((1 << 20) / 80));
    expect(breakSpans([span(FAMILY.repeat(20_000))], 80)).toHaveLength(500);
  });

  it('cuts with an ellipsis and pads with a style', () => {
    expect(text([fitSpans([span('hello world')], 6)])).toEqual(['hello…']);
    expect(fitSpans([span('ab')], 4, { inverse: true })).toEqual([span('ab'), span('  ', { inverse: true })]);
    expect(text([fitSpans([span('日本語')], 4, {})])).toEqual(['日… ']);
  });
});

describe('A painted line', () => {
  const red = '\x1b[31mred words here\x1b[39m and more';
  it('keeps its colour on both sides of a break', () => {
    const lines = wrapAnsi(red, 8);
    expect(lines.map(stripStyles)).toEqual(['red word', 's here a', 'nd more']);
    expect(lines[1]?.startsWith('\x1b[31m')).toBe(true);
    expect(lines[0]?.endsWith('\x1b[0m')).toBe(true);
  });

  it('is unchanged when it fits', () => {
    expect(wrapAnsi(red, 80)).toEqual([red]);
    expect(wrapAnsi('plain words here', 11)).toEqual(['plain words', 'here']);
  });

  it('is cut at the end or in the middle', () => {
    expect(stripStyles(truncateAnsi(red, 8))).toBe('red wor…');
    expect(truncateAnsi('short', 8)).toBe('short');
  });
});

it('columns.ts wraps and cuts text by columns', () => {
  expect(wrapText('日本語 text', 6)).toEqual(['日本語', 'text']);
  expect(cutText('日本語', 5)).toBe('日本…');
  expect(cutText('abc', 3)).toBe('abc');
});
