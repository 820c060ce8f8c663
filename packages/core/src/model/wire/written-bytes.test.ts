import { expect, it } from 'vitest';
import { WrittenBytes } from './written-bytes.js';

const textOf = (pieces: Buffer[]) => Buffer.concat(pieces).toString();

it('returns what was appended, shorter or longer than a page, and nothing when empty', () => {
  const bytes = new WrittenBytes();
  expect(bytes.isEmpty).toBe(true);
  expect(textOf(bytes.pieces())).toBe('');
  const texts = ['a', '€'.repeat(100_000), 'b', 'ä'.repeat(1_500_000), '😀', 'c'.repeat(64 * 1024)];
  for (const text of texts) bytes.append(text);
  expect(bytes.isEmpty).toBe(false);
  expect(textOf(bytes.pieces()) === texts.join('')).toBe(true);
});

it('does not change pieces that were returned, and returns few of them', () => {
  const bytes = new WrittenBytes();
  bytes.append('first');
  const early = bytes.pieces();
  for (let turn = 0; turn < 10_000; turn++) bytes.append(`turn ${turn} ${'x'.repeat(300)}`);
  expect(textOf(early)).toBe('first');
  expect(bytes.pieces().length).toBeLessThan(8);
});
