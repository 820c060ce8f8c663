/** Reads the text of a settings file, or tells why it cannot. Never hangs and never fills the memory. */
import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { codeOf, messageOf } from '../../base/errors.js';
import { FileError } from '../../platform/files/file-error.js';
import { type FileVersion, requireRegular, versionOf } from '../../platform/files/safe-read.js';

/** Far more than any real settings file. */
export const MAX_SETTINGS_BYTES = 4 * 1024 * 1024;

export interface SettingsText {
  path: string;
  exists: boolean;
  /** Without byte order mark. */
  text: string;
  hasMark: boolean;
  /** False: writing the text back would change other bytes. */
  isUtf8: boolean;
  version?: FileVersion;
  /** Why an existing file was not read, for the user. */
  failure?: string;
}

export function readSettingsText(path: string): SettingsText {
  const none: SettingsText = { path, exists: false, text: '', hasMark: false, isUtf8: true };
  try {
    // Most of these files do not exist; an exception would cost many times more than this check.
    if (!statSync(path, { throwIfNoEntry: false })) return none;
    const { bytes, version } = readBounded(path);
    const refusal = whyNotText(bytes);
    if (refusal) return { ...none, exists: true, failure: refusal };
    const whole = bytes.toString('utf8');
    const hasMark = whole.charCodeAt(0) === 0xfeff;
    const text = hasMark ? whole.slice(1) : whole;
    return { path, exists: true, text, hasMark, isUtf8: isUtf8(bytes), version };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return none;
    return { ...none, exists: true, failure: whyUnreadable(error) };
  }
}

/** Non-blocking: opening a FIFO would wait for a writer. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

function readBounded(path: string): { bytes: Buffer; version: FileVersion } {
  const descriptor = openSync(path, FLAGS);
  try {
    const stats = fstatSync(descriptor);
    requireRegular(stats, path);
    // One byte more than the limit, to notice a file that is too large.
    const buffer = Buffer.allocUnsafe(Math.min(stats.size, MAX_SETTINGS_BYTES) + 1);
    let length = 0;
    for (let count = -1; count !== 0 && length < buffer.length; length += count)
      count = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (length > MAX_SETTINGS_BYTES) throw new FileError('too_large', path);
    return { bytes: buffer.subarray(0, length), version: versionOf(stats) };
  } finally {
    closeSync(descriptor);
  }
}

function whyNotText(bytes: Buffer): string | undefined {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return 'the file is UTF-16; save it as UTF-8.';
  // The parser finds other bytes that are not text.
  return bytes.includes(0) ? 'this is a binary file, not JSON.' : undefined;
}

function whyUnreadable(error: unknown): string {
  if (error instanceof FileError) {
    if (error.problem === 'directory') return 'a directory stands where the file should be.';
    if (error.problem === 'too_large')
      return `it is larger than ${MAX_SETTINGS_BYTES / 1024 / 1024} MB, which no settings file is.`;
    return 'it is not a regular file.';
  }
  switch (codeOf(error)) {
    case 'ELOOP':
      return 'the symbolic links to it form a ring.';
    case 'EACCES':
    case 'EPERM':
      return 'no permission to read it.';
    default:
      return `it cannot be read: ${messageOf(error)}`;
  }
}
