import { expect, it } from 'vitest';
import { keysOfLine, LineInput } from './line-input.js';

it('lines are delivered whole, in whatever pieces they arrive', () => {
  const lines: string[] = [];
  const input = new LineInput((line) => lines.push(line));
  const bytes = Buffer.from('grün\nsecond\r\nlong \\\nrest\nunfinished');
  for (const byte of bytes) input.feed(Buffer.from([byte]));
  expect(lines.filter((line) => line !== '')).toEqual(['grün', 'second', 'long \nrest']);
  input.feed(Buffer.from('\n'));
  expect(lines.at(-1)).toBe('unfinished');
});

it('an open question gets keys', () => {
  const names = (line: string) => keysOfLine(line).map(({ name }) => name);
  expect(names('')).toEqual(['enter']);
  expect(names('2')).toEqual(['2']);
  expect(names('esc')).toEqual(['escape']);
  expect(names('no')).toEqual(['n', 'o', 'enter']);
});
