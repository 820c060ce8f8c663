import { describe, expect, it } from 'vitest';
import { TailBuffer } from './tail-buffer.js';

describe('TailBuffer', () => {
  it('returns everything below the limit', () => {
    const tail = new TailBuffer(1000);
    for (const piece of ['ab', '', 'cde']) tail.push(Buffer.from(piece));
    expect([tail.tail().toString(), tail.total, tail.isCut]).toEqual(['abcde', 5, false]);
  });

  it('keeps exactly the last bytes of small and large chunks mixed', () => {
    const limit = 200_000;
    const tail = new TailBuffer(limit);
    const all: Buffer[] = [];
    for (let index = 0; index < 400; index++) {
      const chunk = Buffer.alloc(index % 7 === 0 ? 50_000 : (index * 37) % 900, index % 251);
      all.push(chunk);
      tail.push(chunk);
    }
    const whole = Buffer.concat(all);
    expect(tail.tail().equals(whole.subarray(whole.length - limit))).toBe(true);
    expect(tail.tail(10).equals(whole.subarray(whole.length - 10))).toBe(true);
    expect([tail.total, tail.isCut]).toEqual([whole.length, true]);
  });

  it('needs little more memory than its limit for a million tiny chunks', { timeout: 30_000 }, () => {
    const tail = new TailBuffer(1024 * 1024);
    const chunk = Buffer.from('0123456789'.repeat(4));
    const before = process.memoryUsage();
    for (let index = 0; index < 1_000_000; index++) tail.push(chunk);
    expect(tail.total).toBe(40_000_000);
    const grown = process.memoryUsage().arrayBuffers - before.arrayBuffers;
    expect(grown).toBeLessThan(16 * 1024 * 1024);
    expect(tail.tail(12).toString()).toBe('890123456789');
  });

  it('is empty after clear', () => {
    const tail = new TailBuffer(10);
    tail.push(Buffer.from('abc'));
    tail.clear();
    expect(tail.tail().length).toBe(0);
  });
});
