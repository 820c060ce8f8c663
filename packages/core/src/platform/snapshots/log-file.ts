/**
 * An append-only file of records: length, checksum, payload. An incomplete last record is left by a killed writer
 * and ignored; damage anywhere else is an error.
 */
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { SnapshotError } from './error.js';

const MAGIC = Buffer.from('GSNAP01\n');
const FRAME = 8;

export interface LogContent {
  /** Payloads after `from`, in order. */
  payloads: Buffer[];
  /** Where the last whole record ends. */
  end: number;
}

/** The bytes of a log with these records. */
export function encodeLog(payloads: readonly Buffer[]): Buffer {
  return Buffer.concat([MAGIC, ...payloads.flatMap(frame)]);
}

export function readLog(path: string, from = 0): LogContent {
  const descriptor = openSync(path, 'r');
  try {
    const bytes = readRange(descriptor, from, fstatSync(descriptor).size);
    return decode(bytes, from, path);
  } finally {
    closeSync(descriptor);
  }
}

/** Appends at `end`, removing what a killed writer left there. Returns the new end. */
export function appendToLog(path: string, end: number, payloads: readonly Buffer[]): number {
  const bytes = Buffer.concat(payloads.flatMap(frame));
  const descriptor = openSync(path, 'r+');
  try {
    if (fstatSync(descriptor).size > end) ftruncateSync(descriptor, end);
    try {
      writeAllAt(descriptor, bytes, end);
    } catch (error) {
      ftruncateSync(descriptor, end);
      throw error;
    }
    return end + bytes.length;
  } finally {
    closeSync(descriptor);
  }
}

export function syncFile(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export function writeAllAt(descriptor: number, bytes: Buffer, position: number): void {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
  }
}

export function readRange(descriptor: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, to - from));
  let length = 0;
  while (length < bytes.length) {
    const count = readSync(descriptor, bytes, length, bytes.length - length, from + length);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}

function frame(payload: Buffer): Buffer[] {
  const head = Buffer.allocUnsafe(FRAME);
  head.writeUInt32LE(payload.length, 0);
  head.writeUInt32LE(crc32(payload), 4);
  return [head, payload];
}

function decode(bytes: Buffer, from: number, path: string): LogContent {
  let at = 0;
  if (from === 0) {
    if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) throw damaged(path, 0);
    at = MAGIC.length;
  }
  const payloads: Buffer[] = [];
  while (at + FRAME <= bytes.length) {
    const length = bytes.readUInt32LE(at);
    const next = at + FRAME + length;
    if (next > bytes.length) break;
    const payload = bytes.subarray(at + FRAME, next);
    if (length === 0 || crc32(payload) !== bytes.readUInt32LE(at + 4)) {
      // The last record, or only zeros: a write that was not completed.
      if (next === bytes.length || bytes.subarray(at).every((byte) => byte === 0)) break;
      throw damaged(path, from + at);
    }
    payloads.push(payload);
    at = next;
  }
  if (at < bytes.length) requireNoRecords(bytes.subarray(at), path, from + at);
  return { payloads, end: from + at };
}

/**
 * A damaged length would make all that follows look like one incomplete record, and the next writer would remove
 * it. Complete records after it show that it is damage.
 */
function requireNoRecords(rest: Buffer, path: string, offset: number): void {
  const limit = Math.min(rest.length - FRAME, 1 << 20);
  for (let at = 1; at < limit; at++) {
    const length = rest.readUInt32LE(at);
    if (length === 0 || at + FRAME + length > rest.length) continue;
    if (crc32(rest.subarray(at + FRAME, at + FRAME + length)) === rest.readUInt32LE(at + 4)) {
      throw damaged(path, offset);
    }
  }
}

function damaged(path: string, offset: number): SnapshotError {
  return new SnapshotError(
    'corrupt',
    `The snapshot store is damaged: ${path}, byte ${offset}. Nothing was changed. Move its folder away to start a new one.`,
  );
}
