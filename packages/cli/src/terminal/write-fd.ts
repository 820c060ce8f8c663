/** Writes to a file descriptor synchronously, without a stream, whose set-up would cost start-up time. */
import { writeSync } from 'node:fs';

const RETRY_MS = 5;

/** Waits for a full non-blocking pipe; throws every other error of `write`. */
export function writeFully(fd: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  let done = 0;
  while (done < bytes.length) {
    try {
      done += writeSync(fd, bytes, done, bytes.length - done);
    } catch (error) {
      if (!isFull(error)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}

/** Whether the reader has closed its end. A socket with unread bytes fails with ECONNRESET, a pipe with EPIPE. */
export function isReaderGone(error: unknown): boolean {
  return hasCode(error, 'EPIPE') || hasCode(error, 'ECONNRESET');
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function isFull(error: unknown): boolean {
  return hasCode(error, 'EAGAIN');
}
