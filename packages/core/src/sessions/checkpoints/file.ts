/** Reads untrusted JSON files: regular files only, up to a size limit, never through a link. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { messageOf } from '../../base/errors.js';

const MAX_BYTES = 128 * 1024 * 1024;
/** Files up to this size are parsed for a listing; of larger ones only both ends are read. */
const SMALL_BYTES = 256 * 1024;
const END_BYTES = 1024;

const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** @throws Error whose message is the end of a sentence, e.g. "it is empty" */
export function readJsonFile(path: string): unknown {
  return withFile(path, (descriptor, bytes) => parsed(readRange(descriptor, 0, bytes)));
}

export interface LightFile {
  bytes: number;
  modifiedMs: number;
  head: string;
  /** Only for small files. */
  value?: unknown;
}

export function readLightly(path: string): LightFile {
  return withFile(path, (descriptor, bytes, modifiedMs) => {
    const head = readRange(descriptor, 0, Math.min(bytes, END_BYTES)).toString('utf8');
    if (bytes <= SMALL_BYTES) {
      return { bytes, modifiedMs, head, value: parsed(readRange(descriptor, 0, bytes)) };
    }
    const tail = readRange(descriptor, bytes - END_BYTES, END_BYTES).toString('utf8');
    if (!head.trimStart().startsWith('{')) throw new Error('it is not JSON');
    if (!tail.trimEnd().endsWith('}')) throw new Error('it is cut off');
    return { bytes, modifiedMs, head };
  });
}

function withFile<T>(path: string, work: (descriptor: number, bytes: number, modifiedMs: number) => T): T {
  // Checked before opening: opening a device can have side effects.
  if (!lstatSync(path).isFile()) throw new Error('it is not a regular file');
  const descriptor = openSync(path, FLAGS);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error('it is not a regular file');
    if (stats.size === 0) throw new Error('it is empty');
    if (stats.size > MAX_BYTES) throw new Error('it is too large');
    return work(descriptor, stats.size, stats.mtimeMs);
  } finally {
    closeSync(descriptor);
  }
}

function readRange(descriptor: number, start: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const read = readSync(descriptor, buffer, done, length - done, start + done);
    if (read === 0) break;
    done += read;
  }
  return buffer.subarray(0, done);
}

function parsed(bytes: Buffer): unknown {
  if (bytes.includes(0)) throw new Error('it is binary');
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    throw new Error(`it is not complete JSON (${messageOf(error).slice(0, 80)})`);
  }
}
