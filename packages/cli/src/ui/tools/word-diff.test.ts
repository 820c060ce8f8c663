import { describe, expect, it } from 'vitest';
import { changedParts, pairedLines } from './word-diff.js';

/** The text with its changed parts in brackets. */
function marked(text: string, parts: readonly { start: number; end: number }[]): string {
  let shown = '';
  let at = 0;
  for (const { start, end } of parts) {
    shown += `${text.slice(at, start)}[${text.slice(start, end)}]`;
    at = end;
  }
  return shown + text.slice(at);
}

describe('the words that differ in two lines', () => {
  it.each([
    ['const a = 1;', 'const a = 2;', 'const a = [1];', 'const a = [2];'],
    ['i <= n', 'i < n', 'i <[=] n', 'i < n'],
    ['foo(bar)', 'foo(bar, baz)', 'foo(bar)', 'foo(bar[, baz])'],
    [
      'return this.items.length;',
      'return this.rows.length + 1;',
      'return this.[items].length;',
      'return this.[rows].length[ + 1];',
    ],
    ['let über = 1', 'let unter = 1', 'let [über] = 1', 'let [unter] = 1'],
    ['  if (a) {', '    if (a) {', '  if (a) {', '  [  ]if (a) {'],
  ])('of %j and %j', (before, after, removed, added) => {
    const parts = changedParts(before, after);
    expect(marked(before, parts?.removed ?? [])).toBe(removed);
    expect(marked(after, parts?.added ?? [])).toBe(added);
  });

  it('are not marked where nearly everything differs', () => {
    expect(changedParts('return cache.get(key);', 'throw new Error(message)')).toBeUndefined();
    expect(changedParts('', 'something')).toBeUndefined();
    expect(changedParts('same', 'same')).toBeUndefined();
  });

  it('are one piece in lines of very many words, which costs no time', () => {
    const long = (word: string) => `${'a,'.repeat(1000)}${`${word} `.repeat(1000)}${'z,'.repeat(1000)}`;
    const parts = changedParts(long('x'), long('y'));
    expect(parts?.removed).toEqual([{ start: 2000, end: 3999 }]);
  });
});

describe('lines that were changed into each other', () => {
  const pairs = (removed: string[], added: string[]) =>
    pairedLines(removed, added).map(({ from, to }) => [from, to]);

  it('are those of the same place', () => {
    expect(pairs(['let a = 1;', 'let b = 1;'], ['let a = 2;', 'let b = 2;'])).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  it('are found beside lines that are only new or only gone', () => {
    expect(pairs(['let total = 1;'], ['// why', 'let total = 2;'])).toEqual([[0, 1]]);
    expect(pairs(['// why', 'let total = 1;'], ['let total = 2;'])).toEqual([[1, 0]]);
  });
});
