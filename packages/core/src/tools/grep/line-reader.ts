/** The lines of a file, read in pieces; binary data ends it where ripgrep would stop, too. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { codeOf } from '../../base/errors.js';
import { isOpenedAt } from '../../platform/files/opened-path.js';

export interface LineBlock {
  /** 1-based number of the first line. */
  first: number;
  lines: string[];
}

const BLOCK_BYTES = 64 * 1024;
/** Only this much of a longer line is searched. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const MAX_UTF16_BYTES = 64 * 1024 * 1024;
const FLAGS =
  constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0) | (constants.O_NOCTTY ?? 0);
const LINE_FEED = 0x0a;

/** Reads one file after the other. Call `close` even when reading was interrupted and no `finally` could run. */
export class LineReader {
  private buffer = Buffer.allocUnsafe(BLOCK_BYTES);
  private descriptor: number | undefined;

  /** Yields nothing unless this is a readable regular file. `path` is real, so a folder swapped for a link is noticed. */
  *read(path: string): Generator<LineBlock> {
    this.close();
    try {
      this.descriptor = openSync(path, FLAGS);
      if (!fstatSync(this.descriptor).isFile() || !isOpenedAt(this.descriptor, path)) return;
      yield* this.blocks(this.descriptor);
    } catch (error) {
      if (!isFileProblem(error)) throw error;
    } finally {
      this.close();
    }
  }

  close(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
    this.descriptor = undefined;
    if (this.buffer.length > BLOCK_BYTES) this.buffer = Buffer.allocUnsafe(BLOCK_BYTES);
  }

  private *blocks(descriptor: number): Generator<LineBlock> {
    let first = 1;
    let length = 0;
    let isStart = true;
    for (;;) {
      const fresh = readFully(descriptor, this.buffer, length);
      const isEnd = length + fresh < this.buffer.length;
      if (isStart && isUtf16(this.buffer, fresh)) return yield* this.utf16(descriptor, fresh);
      if (this.buffer.subarray(length, length + fresh).includes(0)) return;
      length += fresh;
      const used = isEnd ? length : this.buffer.lastIndexOf(LINE_FEED, length - 1) + 1;
      if (used === 0 && !isEnd) {
        if (this.buffer.length < MAX_LINE_BYTES) {
          this.grow(length);
          continue;
        }
        yield { first, lines: [this.buffer.toString('utf8', 0, length)] };
        const kept = skipLine(descriptor, this.buffer);
        if (kept === undefined) return;
        first++;
        length = kept;
        isStart = false;
        continue;
      }
      const begin = isStart && this.buffer.subarray(0, 3).equals(UTF8_MARK) ? 3 : 0;
      const lines = toLines(this.buffer.toString('utf8', begin, used));
      if (lines.length > 0) yield { first, lines };
      if (isEnd) return;
      first += lines.length;
      this.buffer.copyWithin(0, used, length);
      length -= used;
      isStart = false;
    }
  }

  private *utf16(descriptor: number, length: number): Generator<LineBlock> {
    const parts = [Buffer.from(this.buffer.subarray(0, length))];
    let total = length;
    for (let fresh = length; fresh > 0 && total < MAX_UTF16_BYTES; total += fresh) {
      fresh = readFully(descriptor, this.buffer, 0);
      parts.push(Buffer.from(this.buffer.subarray(0, fresh)));
    }
    const bytes = Buffer.concat(parts);
    const text = new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes);
    const lines = toLines(text.split('\0')[0] ?? '');
    if (lines.length > 0) yield { first: 1, lines };
  }

  private grow(length: number): void {
    const larger = Buffer.allocUnsafe(this.buffer.length * 2);
    this.buffer.copy(larger, 0, 0, length);
    this.buffer = larger;
  }
}

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

function isUtf16(buffer: Buffer, length: number): boolean {
  return (
    length >= 2 && ((buffer[0] === 0xff && buffer[1] === 0xfe) || (buffer[0] === 0xfe && buffer[1] === 0xff))
  );
}

/** Fills the rest of the buffer as far as the file goes. */
function readFully(descriptor: number, buffer: Buffer, from: number): number {
  let length = from;
  while (length < buffer.length) {
    const count = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (count === 0) break;
    length += count;
  }
  return length - from;
}

/** Reads past the next line feed and moves what follows it to the front; undefined at the end or at binary data. */
function skipLine(descriptor: number, buffer: Buffer): number | undefined {
  for (;;) {
    const length = readFully(descriptor, buffer, 0);
    const block = buffer.subarray(0, length);
    if (length === 0 || block.includes(0)) return undefined;
    const end = block.indexOf(LINE_FEED);
    if (end === -1) continue;
    buffer.copyWithin(0, end + 1, length);
    return length - end - 1;
  }
}

function toLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (!text.includes('\r')) return lines;
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

/** Deleted, unreadable or a directory by now: treated as empty. */
function isFileProblem(error: unknown): boolean {
  return codeOf(error) !== undefined;
}
