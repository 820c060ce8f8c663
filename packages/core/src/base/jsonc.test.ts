import { describe, expect, it } from 'vitest';
import { JsoncError, parseJsonc, placeOf, visitJsonc } from './jsonc.js';

describe('parseJsonc', () => {
  it('accepts comments, trailing commas and a byte order mark', () => {
    const text =
      '\ufeff{ // line\n "a": [1, 2, /* in */ ], "url": "http://x/*no*/", \n "b": {"c": "d, }",},\n}';
    expect(parseJsonc(text)).toEqual({ a: [1, 2], url: 'http://x/*no*/', b: { c: 'd, }' } });
  });

  it.each([
    ['{\n  "a": 1\n  "b": 2\n}', 3],
    ['{\n  "a": ,\n}', 2],
    ['{ "a": 1', 1],
    ['{\n // fine\n "a": tru\n}', 3],
    ['{}\n{}', 2],
    ['\n/* open', 2],
    ['', 1],
    ['['.repeat(100_000), 1],
    ['{ "a": "open\n}', 1],
  ])('names the line of an error in %j', (text, line) => {
    let caught: unknown;
    try {
      parseJsonc(text);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(JsoncError);
    expect((caught as JsoncError).line).toBe(line);
  });
});

describe('visitJsonc', () => {
  const visited = (text: string) => {
    const places: string[] = [];
    visitJsonc(text, (path, offset) => {
      const { line, column } = placeOf(text, offset);
      places.push(`${path.join('.')} ${line}:${column}`);
    });
    return places;
  };

  it('visits each key and item with its position, also repeated ones', () => {
    expect(visited('{ // c\n  "a": [1,\n    {"b": 2}],\n  "a": null }')).toEqual([
      'a 2:3',
      'a.0 2:9',
      'a.1 3:5',
      'a.1.b 3:6',
      'a 4:3',
    ]);
  });

  it('stops silently at a syntax error', () => {
    expect(visited('{ "a": 1, "b": , "c": 2 }')).toEqual(['a 1:3', 'b 1:11']);
    expect(visited('')).toEqual([]);
  });
});
