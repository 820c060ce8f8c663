import { expect, it } from 'vitest';
import { MessageLines } from './message-lines.js';

function reader(limit?: number) {
  const lines: string[] = [];
  let cuts = 0;
  const reading = new MessageLines(
    (line) => lines.push(line),
    () => cuts++,
    limit,
  );
  return { lines, push: (text: string) => reading.push(Buffer.from(text)), cuts: () => cuts };
}

it('gives whole lines, however the output arrives', () => {
  const { lines, push } = reader();
  for (const piece of ['{"a"', ':1}\n\n {"b":2}\n{"c', '":', '3}', '\r\n']) push(piece);
  expect(lines).toEqual(['{"a":1}', ' {"b":2}', '{"c":3}\r']);
});

it('gives up once on a line that is too long, and drops the rest', () => {
  const { lines, push, cuts } = reader(10);
  push('short\n');
  push('0123456');
  push('789a');
  push('b\nshort\n');
  expect({ lines, cuts: cuts() }).toEqual({ lines: ['short'], cuts: 1 });
});
