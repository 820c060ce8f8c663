/** Reads the piped text of a headless run, with a limit on size and on the wait for the first byte. */
import { readSync } from 'node:fs';
import type { StdinKind } from '../terminal/descriptors.js';

export interface StdinText {
  text: string;
  /** Set when the text was longer than the limit. */
  truncated: boolean;
}

export const STDIN_LIMIT = 8 * 1024 * 1024;
const FIRST_BYTE_MS = 500;
const NOTHING: StdinText = { text: '', truncated: false };

/** Starts reading at once; the caller awaits the result when it needs it. */
export function readStdin(kind: StdinKind): Promise<StdinText> {
  if (kind === 'file') return readFile();
  if (kind === 'stream') return readStream();
  return Promise.resolve(NOTHING);
}

async function readFile(): Promise<StdinText> {
  const chunks: Buffer[] = [];
  let total = 0;
  while (total <= STDIN_LIMIT) {
    const chunk = Buffer.allocUnsafe(Math.min(64 * 1024, STDIN_LIMIT + 1 - total));
    const size = readSync(0, chunk, 0, chunk.length, null);
    if (size === 0) break;
    chunks.push(chunk.subarray(0, size));
    total += size;
  }
  return decode(chunks, total);
}

/**
 * Uses a socket, not `fs.read`: a read that waits in Node's thread pool for a pipe that stays open would also
 * delay the end of the process.
 */
function readStream(): Promise<StdinText> {
  const { Socket } = process.getBuiltinModule('node:net');
  return new Promise((resolve, reject) => {
    const socket = new Socket({ fd: 0, readable: true, writable: false });
    const chunks: Buffer[] = [];
    let total = 0;
    const finish = () => {
      clearTimeout(timer);
      socket.removeAllListeners('end').removeAllListeners('close').removeAllListeners('data');
      socket.pause().unref();
      resolve(decode(chunks, total));
    };
    // While the engine loads, the event loop may see the timer before data that is already there: look once more.
    const timer = setTimeout(() => setImmediate(() => total === 0 && finish()), FIRST_BYTE_MS);
    socket.on('data', (chunk: Buffer) => {
      clearTimeout(timer);
      chunks.push(chunk);
      total += chunk.length;
      if (total > STDIN_LIMIT) finish();
    });
    socket.on('end', finish);
    socket.on('close', finish);
    socket.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}

/** Invalid bytes become replacement characters; a cut is never inside a character. */
export function decode(chunks: readonly Buffer[], total: number): StdinText {
  const bytes = Buffer.concat(chunks, total);
  if (total <= STDIN_LIMIT) return { text: bytes.toString('utf8'), truncated: false };
  let end = STDIN_LIMIT;
  while (end > STDIN_LIMIT - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return { text: bytes.toString('utf8', 0, end), truncated: true };
}
