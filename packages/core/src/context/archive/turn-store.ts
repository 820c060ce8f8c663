/** Stores removed turns on disk while the session runs, so that a long conversation does not fill memory. */
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { preparePrivateDirectory } from '../../platform/files/private-file.js';
import { createLog } from '../../platform/log.js';
import type { Message } from '../../protocol/messages.js';
import type { Turn } from '../compression/transcript.js';
import type { OutputStorePorts } from '../output-store.js';

const log = createLog('context');

export interface TurnLocation {
  path: string;
  offset: number;
  length: number;
}

export class TurnStore {
  /** Several, since a session may change its id and with it its folder. */
  private readonly paths = new Set<string>();

  constructor(private readonly ports: OutputStorePorts) {}

  /** The location of each turn; undefined when they could not be written, so they must stay in memory. */
  save(turns: readonly Turn[]): TurnLocation[] | undefined {
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

  read({ path, offset, length }: TurnLocation): Message | undefined {
    try {
      const { message } = JSON.parse(readAt(path, offset, length).toString('utf8')) as Turn;
      return message;
    } catch (error) {
      log.warn('a turn could not be read back', error);
      return undefined;
    }
  }

  /** Searches the files for the last turn whose id begins with `idStart`. */
  find(idStart: string): Message | undefined {
    for (const path of [...this.paths].reverse()) {
      const location = lastLineOf(path, Buffer.from(`{"id":"${idStart}`));
      if (location) return this.read(location);
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
function lastLineOf(path: string, start: Buffer): TurnLocation | undefined {
  let location: TurnLocation | undefined;
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
      if (count === 0) return location;
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
          if (head.equals(start)) location = { path, offset: lineStart, length };
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

function append(path: string, lines: readonly Buffer[]): TurnLocation[] {
  const descriptor = openSync(path, 'a', 0o600);
  try {
    let offset = fstatSync(descriptor).size;
    return lines.map((line) => {
      for (let written = 0; written < line.length; ) written += writeSync(descriptor, line, written);
      const location = { path, offset, length: line.length };
      offset += line.length;
      return location;
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

/** Thought signatures and media contain no readable secrets and would be invalid if changed. */
const UNCHANGED_KEYS = new Set(['thoughtSignature', 'data', 'id']);

function withTexts<T>(value: T, change: (text: string) => string): T;
function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => withTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      UNCHANGED_KEYS.has(key) && typeof item === 'string' ? item : withTexts(item, change),
    ]),
  );
}
