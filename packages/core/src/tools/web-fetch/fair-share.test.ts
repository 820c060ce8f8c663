import { describe, expect, it } from 'vitest';
import { cutFairly } from './fair-share.js';

describe('cutFairly', () => {
  const lengths = (texts: string[], total: number) =>
    cutFairly(texts, total).map((text) => text.replace(/\n\[\.\.\. .*$/s, '').length);

  it('leaves short texts whole and divides the rest among the long ones', () => {
    expect(lengths(['a', 'b'.repeat(100), 'c'.repeat(100)], 41)).toEqual([1, 20, 20]);
    expect(lengths(['b'.repeat(100), 'c'.repeat(10)], 110)).toEqual([100, 10]);
    expect(lengths([], 10)).toEqual([]);
  });

  it('says how much is missing, and breaks no character', () => {
    expect(cutFairly(['😀😀'], 3)).toEqual(['😀\n[... 2 more characters left out]']);
    expect(cutFairly(['abc'], 3)).toEqual(['abc']);
  });
});
