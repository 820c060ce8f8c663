import { expect, it } from 'vitest';
import { EventSize } from './event-size.js';

const sizes = (...chunks: string[]) => {
  const counter = new EventSize();
  return chunks.map((chunk) => counter.add(Buffer.from(chunk)));
};

it.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
])('begins anew after each event of a stream whose lines end with %s', (_what, end) => {
  expect(sizes(`data: 1${end}${end}`, `data: 2${end}`, `${end}data`, ': 3')).toEqual([
    0,
    7 + end.length,
    4,
    7,
  ]);
});

it('recognises an end that arrives byte by byte', () => {
  expect(sizes('data', '\r', '\n', '\r', '\n', 'x')).toEqual([4, 5, 6, 7, 0, 1]);
});

it('counts on within one event', () => {
  expect(sizes('data: a\n', 'data: b\n', 'data: c\n')).toEqual([8, 16, 24]);
});
