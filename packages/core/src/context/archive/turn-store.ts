/** Turns on disk, for as long as the session runs: a long conversation must not live in memory as a whole. */
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { preparePrivateDirectory } from '../../platform/files/private-file.js';
import { createLog } from '../../platform/log.js';
import type { Message } from '../../protocol/messages.js';
import type { Turn } from '../compression/transcript.js';
import type { OutputStorePorts } from '../output-store.js';

const log = createLog('context');

export interface TurnPlace {
  path: string;
  offset: number;
  length: number;
}

export class TurnStore {
  /** A session may change its id, and its folder with it. */
  private readonly paths = new Set<string>();

  constructor(private readonly ports: OutputStorePorts) {}

  /** Where each of them is now; undefined when they could not be written, and then they must stay in memory. */
  save(turns: readonly Turn[]): TurnPlace[] | undefined {
    try {
      const directory = this.ports.outputDirectory();
      preparePrivateDirectory(directory);
      const path = join(directory, 'turns.jsonl');
      this.paths.add(path);
      return append(path, turns.map(this.lineOf));
    } catch (error) {
      log.warn('turns could not be saved', error);
      return undefined;
    }
  }

  read({ path, offset, length }: TurnPlace): Message | undefined {
    try {
      const { message } = JSON.parse(readAt(path, offset, length).toString('utf8')) as Turn;
      return message;
    } catch (error) {
      log.warn('a turn could not be read back', error);
      return undefined;
    }
  }

  /** The last turn whose id begins so. Looks through the files: for turns of long ago. */
  find(idStart: string): Message | undefined {
    for (const path of [...this.paths].reverse()) {
      const place = lastLineOf(path, Buffer.from(`{"id":"${idStart}`));
      if (place) return this.read(place);
    }
    return undefined;
  }

  private readonly lineOf = ({ id, message }: Turn): Buffer => {
    const clean = withTexts(message, (text) => this.ports.redactForDisk(text));
    return Buffer.from(`${JSON.stringify({ id, message: clean })}\n`);
  };
}

const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 10;

/** The last line that begins with these bytes. */
function lastLineOf(path: string, start: Buffer): TurnPlace | undefined {
  let place: TurnPlace | undefined;
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch {
    return undefined;
  }
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    let lineStart = 0;
    let head = Buffer.alloc(0);
    for (let position = 0; ; ) {
      const count = readSync(descriptor, chunk, 0, CHUNK_BYTES, position);
      if (count === 0) return place;
      for (let from = 0; from < count; ) {
        const found = chunk.subarray(0, count).indexOf(NEWLINE, from);
        const end = found < 0 ? count : found;
        if (head.length < start.length) {
          head = Buffer.concat([
            head,
            chunk.subarray(from, Math.min(end, from + start.length - head.length)),
          ]);
        }
        if (found >= 0) {
          const length = position + found - lineStart;
          if (head.equals(start)) place = { path, offset: lineStart, length };
          lineStart = position + found + 1;
          head = Buffer.alloc(0);
        }
        from = end + 1;
      }
      position += count;
    }
  } finally {
    closeSync(descriptor);
  }
}

function append(path: string, lines: readonly Buffer[]): TurnPlace[] {
  const descriptor = openSync(path, 'a', 0o600);
  try {
    let offset = fstatSync(descriptor).size;
    return lines.map((line) => {
      for (let written = 0; written < line.length; ) written += writeSync(descriptor, line, written);
      const place = { path, offset, length: line.length };
      offset += line.length;
      return place;
    });
  } finally {
    closeSync(descriptor);
  }
}

function readAt(path: string, offset: number, length: number): Buffer {
  const descriptor = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, offset));
  } finally {
    closeSync(descriptor);
  }
}

/** Proofs of thinking and media are no readable secrets, and worthless when changed. */
const AS_THEY_ARE = new Set(['thoughtSignature', 'data', 'id']);

function withTexts<T>(value: T, change: (text: string) => string): T;
function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => withTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      AS_THEY_ARE.has(key) && typeof item === 'string' ? item : withTexts(item, change),
    ]),
  );
}
