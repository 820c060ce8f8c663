import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from './sha256.js';

describe('sha256Hex', () => {
  it('returns the same as node:crypto, for every length around a block and beyond', () => {
    for (let length = 0; length < 200; length++) {
      const text = 'é/abc 漢字\n'.repeat(30).slice(0, length);
      expect(sha256Hex(text), `length ${length}`).toBe(createHash('sha256').update(text).digest('hex'));
    }
  });
});
