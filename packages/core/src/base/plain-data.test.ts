import { describe, expect, it } from 'vitest';
import { plainData } from './plain-data.js';

describe('plainData', () => {
  it('copies what JSON and structuredClone both support', () => {
    const value = { text: 'x', list: [1, true, null, { deep: [] }], nothing: null };
    expect(plainData(value)).toEqual(value);
    expect(plainData(value)).not.toBe(value);
    expect(plainData('x')).toBe('x');
  });

  it('drops what they do not support, or converts it as JSON would', () => {
    const cycle: Record<string, unknown> = { name: 'cycle' };
    cycle['self'] = cycle;
    class Thing {
      readonly field = 1;
      method(): void {}
    }
    const value = {
      run: () => 1,
      symbol: Symbol('s'),
      promise: Promise.resolve(),
      none: undefined,
      when: new Date(0),
      address: new URL('https://a.example/b'),
      big: 12n,
      endless: Number.POSITIVE_INFINITY,
      list: [undefined, () => 1, 2],
      thing: new Thing(),
      cycle,
    };
    const plain = plainData(value);
    expect(plain).toEqual({
      when: '1970-01-01T00:00:00.000Z',
      address: 'https://a.example/b',
      big: '12',
      endless: null,
      list: [null, null, 2],
      thing: { field: 1 },
      cycle: { name: 'cycle' },
    });
    expect(structuredClone(plain)).toEqual(plain);
    expect(JSON.parse(JSON.stringify(plain))).toEqual(plain);
  });

  it('shares no objects: the same object twice is two copies, and endless depth ends', () => {
    const shared = { a: 1 };
    const plain = plainData({ one: shared, two: shared });
    expect(plain.one).not.toBe(plain.two);
    let deep: Record<string, unknown> = {};
    for (let level = 0; level < 5000; level++) deep = { deep };
    expect(JSON.stringify(plainData(deep)).length).toBeLessThan(2000);
  });

  it('does not let a key change the prototype of the copy', () => {
    const plain = plainData(JSON.parse('{"__proto__": {"isAdmin": true}}'));
    expect(Object.getPrototypeOf(plain)).toBe(Object.prototype);
    expect(plain.isAdmin).toBeUndefined();
  });
});
