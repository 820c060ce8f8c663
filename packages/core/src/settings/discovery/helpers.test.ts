import { describe, expect, it } from 'vitest';
import { cleanLabel } from './clean.js';

describe('cleanLabel', () => {
  it.each([
    [
      'control sequences lose their control, nothing between them is hidden',
      '\x1b[31mred\x1b]0;title',
      '[31mred]0;title',
    ],
    ['lines become one', 'a\r\nb\tc\u2028d', 'a b c d'],
    [
      'overrides of direction and invisible characters go',
      'a\u202eb\u200bc\u2066d\ufeffe\u{e0041}f',
      'abcdef',
    ],
    ['C1 and DEL go', 'a\x9b31mb\x7fc\0d', 'a31mbcd'],
    ['other scripts and emoji stay', 'größe 日本 👍🏽', 'größe 日本 👍🏽'],
  ])('cleans %s', (_what, text, expected) => {
    expect(cleanLabel(text)).toBe(expected);
  });

  it('marks the cut of a long text', () => {
    expect(cleanLabel('x'.repeat(2_000))).toBe('x'.repeat(2_000));
    expect(cleanLabel('x'.repeat(2_010))).toBe(`${'x'.repeat(2_000)}... (10 more characters)`);
    expect(cleanLabel('x'.repeat(1_000_000))).toBe(`${'x'.repeat(2_000)}... (998000 more characters)`);
    // Many blanks cannot hide the rest.
    expect(cleanLabel(`ls${' '.repeat(5_000)}; rm -rf /`)).toMatch(/more characters\)$/);
  });
});
