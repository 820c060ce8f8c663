/** Finds the lines of a file of any size with little memory: their offset, length and first bytes. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { FileError, toFileError } from '../../platform/files/file-error.js';
import { requireRegular } from '../../platform/files/safe-read.js';

const CHUNK_BYTES = 1024 * 1024;
/** Bytes of each line passed to the scanner's callback. */
const HEAD_BYTES = 400;
/** Far more than any record; a longer line is not parsed. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

const NEWLINE = 10;

export interface ScannedLine {
  offset: number;
  /** Without the line break. */
  length: number;
  /** The first bytes. */
  head: Buffer;
  lastByte: number;
  /** False for a last line without a line break. */
  isEnded: boolean;
}

export class SessionFile {
  private constructor(
    readonly path: string,
    private readonly descriptor: number,
    readonly size: number,
    readonly modifiedMs: number,
  ) {}

  /** Bytes handed out to be parsed; for tests and measurements. */
  bytesRead = 0;

  /** @throws FileError when it is not a regular file or cannot be opened */
  static open(path: string): SessionFile {
    try {
      const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      try {
        const stats = fstatSync(descriptor);
        requireRegular(stats, path);
        return new SessionFile(path, descriptor, stats.size, stats.mtimeMs);
      } catch (error) {
        closeSync(descriptor);
        throw error;
      }
    } catch (error) {
      throw toFileError(error, path);
    }
  }

  close(): void {
    closeSync(this.descriptor);
  }

  read(offset: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.size - offset)));
    let filled = 0;
    while (filled < buffer.length) {
      const count = readSync(this.descriptor, buffer, filled, buffer.length - filled, offset + filled);
      if (count === 0) break;
      filled += count;
    }
    this.bytesRead += filled;
    return buffer.subarray(0, filled);
  }

  /** @throws FileError when the line is too long, SyntaxError when it is not JSON */
  parse(offset: number, length: number): unknown {
    if (length > MAX_LINE_BYTES) throw new FileError('too_large', `A line of ${this.path} is too long.`);
    return JSON.parse(this.read(offset, length).toString('utf8'));
  }

  /** Every line that is not blank. `head` is valid during the call only. @param start where a line begins */
  eachLine(visit: (line: ScannedLine) => void, end = this.size, start = 0): void {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, end - start)));
    let lineStart = start;
    let lastByte = 0;
    /** The head of a line that began in an earlier chunk. */
    let carried: Buffer | undefined;
    for (let position = start; position < end; ) {
      const count = readSync(this.descriptor, chunk, 0, Math.min(chunk.length, end - position), position);
      if (count === 0) break;
      const bytes = chunk.subarray(0, count);
      let from = 0;
      for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
        const head = carried
          ? joinHead(carried, bytes.subarray(0, at))
          : bytes.subarray(from, Math.min(at, from + HEAD_BYTES));
        const length = position + at - lineStart;
        const last = at > 0 ? (bytes[at - 1] ?? 0) : lastByte;
        if (length > 1) visit({ offset: lineStart, length, head, lastByte: last, isEnded: true });
        carried = undefined;
        from = at + 1;
        lineStart = position + from;
      }
      if (from < count) carried = joinHead(carried ?? EMPTY, bytes.subarray(from));
      position += count;
      lastByte = bytes[count - 1] ?? 0;
    }
    if (!carried || end < this.size) return;
    visit({ offset: lineStart, length: end - lineStart, head: carried, lastByte, isEnded: false });
  }
}

const EMPTY = Buffer.alloc(0);

function joinHead(head: Buffer, more: Buffer): Buffer {
  if (head.length >= HEAD_BYTES) return head;
  return Buffer.concat([head, more.subarray(0, HEAD_BYTES - head.length)]);
}
