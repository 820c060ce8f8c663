/** Reads ripgrep's output as it comes: `path NUL line ':' text LF`, or `path NUL` when only names are asked. */
import type { Wanted } from './search-types.js';

const NUL = 0;
const LINE_FEED = 0x0a;
const COLON = 0x3a;
/** Printed before the next record when binary data ends a file that had matches. */
const BINARY_NOTE = /^.*: (?:WARNING: stopped searching binary file|binary file matches) .*\n/s;

export class RipgrepOutput {
  private pending: Buffer = Buffer.alloc(0);

  constructor(
    private readonly namesOnly: boolean,
    private readonly onRecord: (path: string, line: number, text: string) => Wanted,
  ) {}

  /** False: nothing more is wanted. */
  push(chunk: Buffer): boolean {
    const data = this.pending.length > 0 ? Buffer.concat([this.pending, chunk]) : chunk;
    let start = 0;
    for (;;) {
      const pathEnd = data.indexOf(NUL, start);
      if (pathEnd === -1) break;
      const record = this.namesOnly ? { line: 0, text: '', end: pathEnd + 1 } : readLine(data, pathEnd + 1);
      if (!record) break;
      const path = data.toString('utf8', start, pathEnd).replace(BINARY_NOTE, '');
      start = record.end;
      if (this.onRecord(path, record.line, record.text) === 'nothing') return false;
    }
    this.pending = data.subarray(start);
    return true;
  }
}

function readLine(data: Buffer, start: number): { line: number; text: string; end: number } | undefined {
  const numberEnd = data.indexOf(COLON, start);
  const end = data.indexOf(LINE_FEED, start);
  if (end === -1 || numberEnd === -1) return undefined;
  const textEnd = data[end - 1] === 0x0d ? end - 1 : end;
  return {
    line: Number(data.toString('latin1', start, numberEnd)),
    text: data.toString('utf8', numberEnd + 1, Math.max(textEnd, numberEnd + 1)),
    end: end + 1,
  };
}
