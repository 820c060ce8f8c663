import { describe, expect, it } from 'vitest';
import { parseJsonc } from '../../base/jsonc.js';
import { migrate } from '../reading/migrate.js';
import { applyMoves, editText } from './edit-text.js';

describe('editText', () => {
  it.each<[string, string, string, unknown, string]>([
    ['an empty object', '{}', 'a.b', 1, '{\n  "a": {\n    "b": 1\n  }\n}'],
    ['nothing but a comment', '{\n  // c\n}', 'a', 1, '{\n  // c\n  "a": 1\n}'],
    ['one line', '{ "a": 1 }', 'b', { c: [1] }, '{ "a": 1, "b": { "c": [ 1 ] } }'],
    ['a minified file', '{"a":1}', 'b', 2, '{"a":1, "b": 2}'],
    ['braces on the lines of others', '{ "a": 1,\n  "b": 2 }', 'c', 3, '{ "a": 1,\n  "b": 2,\n  "c": 3 }'],
    [
      'a comment below the last',
      '{\n  "a": 1\n  // "b": 2\n}',
      'c',
      3,
      '{\n  "a": 1,\n  "c": 3\n  // "b": 2\n}',
    ],
    [
      'comments before the comma',
      '{\n  "a": 1 /* x, */ , // y,\n}',
      'b',
      2,
      '{\n  "a": 1 /* x, */ , // y,\n  "b": 2,\n}',
    ],
    [
      'a value that is not an object',
      '{\n  "a": 5 // five\n}',
      'a.b',
      1,
      '{\n  "a": {\n    "b": 1\n  } // five\n}',
    ],
    ['an array', '{\n  "a": [1] // one\n}', 'a', [2], '{\n  "a": [\n    2\n  ] // one\n}'],
    ['the end of an array', '{\n  "a": [1] // one\n}', 'a', [1, 2, 3], '{\n  "a": [1, 2, 3] // one\n}'],
    ['an empty array', '{\n  "a": []\n}', 'a', [1], '{\n  "a": [\n    1\n  ]\n}'],
    [
      'an array with comments',
      '{\n  "a": [\n    // of x\n    { "x": 1 } // beside x\n  ]\n}',
      'a',
      [{ x: 1 }, { y: 2 }],
      '{\n  "a": [\n    // of x\n    { "x": 1 }, // beside x\n    {\n      "y": 2\n    }\n  ]\n}',
    ],
    ['a comment in front', '// top\n{\n  "a": 1\n}\n// end', 'a', 2, '// top\n{\n  "a": 2\n}\n// end'],
  ])('puts a value into %s', (_what, text, key, value, expected) => {
    expect(editText(text, key.split('.'), value)).toBe(expected);
  });

  it.each<[string, string, string, string]>([
    ['the first', '{\n  "a": 1,\n  "b": 2\n}', 'a', '{\n  "b": 2\n}'],
    ['the last', '{\n  "a": 1,\n  "b": 2\n}', 'b', '{\n  "a": 1\n}'],
    ['the only one', '{\n  "a": 1\n}', 'a', '{\n}'],
    [
      'one with comments',
      '{\n  // of a\n  "a": 1, // beside a\n  "b": 2\n}',
      'a',
      '{\n  // of a\n  // beside a\n  "b": 2\n}',
    ],
    [
      'the last with comments',
      '{\n  "a": 1, // a, too\n  "b": 2 // b\n}',
      'b',
      '{\n  "a": 1 // a, too\n  // b\n}',
    ],
    ['the last before a trailing comma', '{\n  "a": 1,\n  "b": 2,\n}', 'b', '{\n  "a": 1,\n}'],
    ['one of a line', '{ "a": 1, "b": 2, "c": 3 }', 'b', '{ "a": 1, "c": 3 }'],
    ['the last of a line', '{ "a": 1, "b": 2 }', 'b', '{ "a": 1 }'],
    [
      'one below',
      '{\r\n  "a": {\r\n    "x": {\r\n    },\r\n    "y": 1\r\n  }\r\n}',
      'a.x',
      '{\r\n  "a": {\r\n    "y": 1\r\n  }\r\n}',
    ],
    ['what is not there', '{ "a": 1 }', 'b.c', '{ "a": 1 }'],
  ])('removes %s', (_what, text, key, expected) => {
    expect(editText(text, key.split('.'), undefined)).toBe(expected);
  });

  it('produces the wanted value for any text', () => {
    const pieces = ['{', '}', ' ', '\n', '/* , */', '// }\n', ',', '\t'];
    let seed = 7;
    const random = (limit: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % limit;
    };
    const noise = () => Array.from({ length: random(4) }, () => pieces[2 + random(4)]).join('');
    for (let round = 0; round < 300; round++) {
      const names = ['a', 'b', 'c', 'd'].slice(0, random(5));
      const members = names.map(
        (name) => `${noise()}"${name}"${noise()}:${noise()}{"x":1${noise()}}${noise()}`,
      );
      const trailing = names.length > 0 && random(2) === 0 ? `,${noise()}` : '';
      const text = `${noise()}{${members.join(',') || noise()}${trailing}}${noise()}`;
      const key = ['a', 'b', 'c', 'd', 'e'][random(5)] ?? 'a';
      const before = parseJsonc(text) as Record<string, unknown>;
      expect(parseJsonc(editText(text, [key, 'y'], 2))).toEqual({
        ...before,
        [key]: { ...(before[key] ?? {}), y: 2 },
      });
      const { [key]: _, ...others } = before;
      expect(parseJsonc(editText(text, [key], undefined))).toEqual(others);
      const comments = (source: string) => source.match(/\/\*.*?\*\/|\/\/[^\n]*/g)?.length ?? 0;
      expect(comments(editText(text, [key, 'y'], 2))).toBe(comments(text));
    }
  });
});

describe('applyMoves', () => {
  const today = (text: string) =>
    applyMoves(text, migrate(parseJsonc(text) as Record<string, unknown>).moves);

  it('moves groups as they are written', () => {
    const old =
      '{\n  "fileFiltering": {\n    // why\n    "disableFuzzySearch": true, // because\n    "mine": [1]\n  }\n}';
    expect(today(old)).toBe(
      '{\n  "context": {\n    "fileFiltering": {\n      // why\n      // because\n      "mine": [1],\n' +
        '      "enableFuzzySearch": false\n    }\n  }\n}',
    );
    expect(today('{"excludeTools": ["a", /* b */ "b"]}')).toContain('"exclude": ["a", /* b */ "b"]');
  });

  it('adds the missing keys to a current group', () => {
    expect(
      parseJsonc(today('{"fileFiltering": {"a": 1, "b": 1}, "context": {"fileFiltering": {"b": 2}}}')),
    ).toEqual({ context: { fileFiltering: { b: 2, a: 1 } } });
  });
});
