/**
 * Replaces a file atomically: whatever fails, the file has either its old or its new content. Keeps mode and
 * owner, and writes through symbolic links.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../../base/errors.js';
import { randomHex } from '../random.js';
import { FileError, toFileError } from './file-error.js';
import { overwriteInPlace } from './in-place-write.js';
import { inOpenFolder } from './opened-path.js';
import { realPathOf } from './real-path.js';
import { type FileVersion, requireRegular, sameVersion, versionOf } from './safe-read.js';

export interface WriteOptions {
  /** Checks the real path right before anything is created there; returns null, or why it is refused. */
  authorize?: (realPath: string) => string | null;
  /** The version that the new content is based on; if the file has another one, it is not overwritten. */
  expect?: FileVersion | 'absent';
}

/** Prefix of temporary files; a killed process leaves one behind. */
export function temporaryPrefix(pid: number): string {
  return `.gemini-write-${pid}-`;
}

export function replaceFile(path: string, bytes: Buffer, options: WriteOptions = {}): void {
  try {
    const target = realPathOf(path);
    const refusal = options.authorize?.(target);
    if (refusal) throw new FileError('refused', refusal);
    if (!statOrUndefined(target)) createParents(target, path);
    const onMoved = () => changed(path);
    inOpenFolder(dirname(target), onMoved, (folder) => replaceIn(folder, target, { path, bytes, options }));
  } catch (error) {
    throw toFileError(error, path);
  }
}

interface Replacement {
  /** Path given by the caller, for messages. */
  path: string;
  bytes: Buffer;
  options: WriteOptions;
}

function replaceIn(folder: string, target: string, replacement: Replacement): void {
  const { path, bytes, options } = replacement;
  const place = join(folder, basename(target));
  const existing = statOrUndefined(place);
  if (existing) {
    requireRegular(existing, path);
    requireWritable(place);
  }
  requireExpected(existing, path, options);
  const temporary = join(folder, `${temporaryPrefix(process.pid)}${randomHex(8)}.tmp`);
  try {
    writeTemporary(temporary, bytes, existing);
    // Last check before the rename: another process may have changed the file, or replaced a folder by a link
    // that leads outside the authorized path.
    if (realPathOf(target) !== target) throw changed(path);
    const now = statOrUndefined(place);
    if (now) requireRegular(now, path);
    requireExpected(now, path, options);
    renameSync(temporary, place);
  } catch (error) {
    removeQuietly(temporary);
    if (!existing || !CANNOT_REPLACE.has(codeOf(error) ?? '')) throw error;
    overwriteInPlace(place, bytes, existing, path);
    return;
  }
  syncDirectory(folder);
}

/** A rename would succeed on a read-only file, but the user wants it unchanged. */
function requireWritable(place: string): void {
  const flags = constants.O_WRONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  closeSync(openSync(place, flags));
}

/** Creates each folder inside its opened parent, so that a folder replaced by a link is not followed. */
function createParents(target: string, path: string): void {
  const missing: string[] = [];
  let folder = dirname(target);
  for (; !statOrUndefined(folder); folder = dirname(folder)) missing.unshift(basename(folder));
  try {
    for (const name of missing) {
      inOpenFolder(
        folder,
        () => changed(path),
        (open) => makeFolder(join(open, name)),
      );
      folder = join(folder, name);
    }
  } catch (error) {
    if (codeOf(error) !== 'ENOTDIR') throw error;
    throw parentIsFile(path, error);
  }
  if (statOrUndefined(folder)?.isFile()) throw parentIsFile(path);
}

/** If another process created it first, it is checked before it is used. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function parentIsFile(path: string, cause?: unknown): FileError {
  return new FileError('io', `Cannot create ${path}: a parent of it is a file, not a directory.`, cause);
}

/** Errors after which writing into the file itself may still work. */
const CANNOT_REPLACE = new Set(['EACCES', 'EPERM', 'EBUSY', 'EXDEV', 'EROFS']);

function writeTemporary(temporary: string, bytes: Buffer, existing: Stats | undefined): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  // A new file gets the umask's mode; a copy of an existing one stays private until it is complete.
  const descriptor = openSync(temporary, flags, existing ? 0o600 : 0o666);
  try {
    writeAll(descriptor, bytes);
    if (existing) keepIdentity(descriptor, existing);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function keepIdentity(descriptor: number, existing: Stats): void {
  if (process.platform === 'win32') return;
  // Only what differs, as some file systems have neither owners nor modes. Owner first, because changing it
  // clears the set-id bits.
  const { uid, gid, mode } = fstatSync(descriptor);
  if (uid !== existing.uid || gid !== existing.gid) fchownSync(descriptor, existing.uid, existing.gid);
  if (mode !== existing.mode) fchmodSync(descriptor, existing.mode & 0o7777);
}

function writeAll(descriptor: number, bytes: Buffer): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(descriptor, bytes, written);
}

function requireExpected(now: Stats | undefined, path: string, { expect }: WriteOptions): void {
  if (expect === undefined) return;
  const same =
    expect === 'absent' ? now === undefined : now !== undefined && sameVersion(versionOf(now), expect);
  if (!same) throw changed(path);
}

function changed(path: string): FileError {
  return new FileError(
    'changed',
    `${path} was changed by another program and was not overwritten. Read it again and retry.`,
  );
}

function statOrUndefined(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It does not exist.
  }
}

/** Makes the rename survive a power cut, on systems that can sync directories. */
function syncDirectory(directory: string): void {
  try {
    const descriptor = openSync(directory, constants.O_RDONLY);
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Windows and some network file systems refuse; the file's content is already on disk.
  }
}
