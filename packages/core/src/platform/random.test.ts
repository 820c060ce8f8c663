import { describe, expect, it } from 'vitest';
import { randomHex, randomUuid } from './random.js';

describe('random identifiers', () => {
  it('are version 4 UUIDs, each different', () => {
    const made = new Set(Array.from({ length: 1000 }, randomUuid));
    expect(made.size).toBe(1000);
    for (const uuid of made)
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('have the requested length', () => {
    expect([randomHex(4).length, randomHex(16).length]).toEqual([8, 32]);
  });
});
