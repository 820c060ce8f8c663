/** Reads the beginning of a file, so that discovering a skill does not read its instructions. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { UserError } from '../base/errors.js';
import { requireRegular } from '../platform/files/safe-read.js';

/** Of a SKILL.md. Instructions that long would fill the window of most models. */
export const MAX_SKILL_BYTES = 512 * 1024;
/** Holds most headers, and comes from a pool. */
const FIRST_READ = 1024;
/** As long as a header may be, with its delimiters. */
const LONGEST_HEADER = 68 * 1024;

/** Non-blocking: a FIFO without a writer would wait. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** @throws a system error, or one for the user, when it cannot be read, is too large or not a regular file */
export function readHeader(file: string): string {
  const descriptor = openSync(file, FLAGS);
  try {
    const stats = fstatSync(descriptor);
    requireRegular(stats, file);
    if (stats.size > MAX_SKILL_BYTES) throw new UserError(`is larger than ${MAX_SKILL_BYTES / 1024} KB`);
    const start = read(descriptor, FIRST_READ, 0);
    const end = endOfHeader(start);
    if (end > 0) return start.toString('utf8', 0, end);
    if (start.length < FIRST_READ) return start.toString('utf8');
    return Buffer.concat([start, read(descriptor, LONGEST_HEADER - FIRST_READ, FIRST_READ)]).toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** After the line that closes it; 0: not within these bytes. */
function endOfHeader(bytes: Buffer): number {
  const delimiter = '\n---';
  for (let at = bytes.indexOf(delimiter, 3); at >= 0; at = bytes.indexOf(delimiter, at + 1)) {
    const lineEnd = bytes.indexOf('\n', at + delimiter.length);
    if (lineEnd < 0) return 0;
    if (bytes.toString('latin1', at + delimiter.length, lineEnd).trim() === '') return lineEnd + 1;
  }
  return 0;
}

function read(descriptor: number, length: number, position: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  return buffer.subarray(0, readSync(descriptor, buffer, 0, length, position));
}
