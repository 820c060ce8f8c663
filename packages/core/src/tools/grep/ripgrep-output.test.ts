import { describe, expect, it } from 'vitest';
import { RipgrepOutput } from './ripgrep-output.js';
import type { Wanted } from './search-types.js';

type Record = [path: string, line: number, text: string];

function read(output: Buffer, chunkBytes: number, namesOnly = false): Record[] {
  const records: Record[] = [];
  const reader = new RipgrepOutput(namesOnly, (...record): Wanted => {
    records.push(record);
    return 'more';
  });
  for (let start = 0; start < output.length; start += chunkBytes) {
    reader.push(output.subarray(start, start + chunkBytes));
  }
  return records;
}

describe('the output of ripgrep', () => {
  const output = Buffer.from(
    './a.ts\x001:first: colon\n./a.ts\x0012:\r\n./new\nline\x003:ünïcode 😀\r\n' +
      './late.bin: WARNING: stopped searching binary file after match (found "\\0" byte around offset 9)\n' +
      './b.ts\x007:10:20\n',
  );
  const expected: Record[] = [
    ['./a.ts', 1, 'first: colon'],
    ['./a.ts', 12, ''],
    ['./new\nline', 3, 'ünïcode 😀'],
    ['./b.ts', 7, '10:20'],
  ];

  it('is read the same however it is cut into pieces', () => {
    for (const size of [1, 2, 3, 7, 64, 1000]) expect(read(output, size)).toEqual(expected);
  });

  it('may hold names only', () => {
    const names = Buffer.from('./a\0./new\nline\0');
    for (const size of [1, 5, 100]) {
      expect(read(names, size, true)).toEqual([
        ['./a', 0, ''],
        ['./new\nline', 0, ''],
      ]);
    }
  });

  it('is read no further than wanted', () => {
    const seen: number[] = [];
    const reader = new RipgrepOutput(false, (_path, line) => {
      seen.push(line);
      return line === 12 ? 'nothing' : 'more';
    });
    expect(reader.push(output)).toBe(false);
    expect(seen).toEqual([1, 12]);
  });
});
