import { describe, expect, it } from 'vitest';
import { jsonWithin } from './result-json.js';

describe('JSON within a limit', () => {
  it.each([
    ['a number', 5],
    ['a text', 'abc'],
    ['a list', [1, 'two', null, undefined, [], {}]],
    ['an object', { a: { b: [true, 0.5] }, c: undefined, d: () => 1, e: new Date(0) }],
    ['bytes', Buffer.from('abc')],
    ['nothing', null],
  ])('is what JSON.stringify writes of %s, up to its last character', (_name, value) => {
    const text = JSON.stringify(value, null, 2);
    expect(jsonWithin(text.length, value)).toBe(text);
    expect(jsonWithin(text.length - 1, value)).toBeUndefined();
  });

  it('is null of what has no JSON', () => {
    expect([undefined, () => 1, Symbol('s')].map((value) => jsonWithin(10, value))).toEqual([
      'null',
      'null',
      'null',
    ]);
  });

  it('is given up before all of it is written', () => {
    let read = 0;
    const entry = {
      get value() {
        read++;
        return 'x'.repeat(100);
      },
    };
    expect(jsonWithin(1000, { list: Array.from({ length: 100 }, () => entry) })).toBeUndefined();
    expect(read).toBeLessThan(12);
  });

  it('tells of circles and of values that have no JSON', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(() => jsonWithin(1000, circle)).toThrow(/circular/);
    expect(() => jsonWithin(1000, { n: 1n })).toThrow(TypeError);
  });
});
