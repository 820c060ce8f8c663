/**
 * Replaces the content of a file so that at any moment, whatever fails, the old or the new content is
 * there as a whole. Mode and owner stay, and a symbolic link stays a link.
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
  /** Judges the real location right before anything is created there: null, or why not. */
  authorize?: (realPath: string) => string | null;
  /** What the caller's content is based on; anything else on disk is somebody's work and is kept. */
  expect?: FileVersion | 'absent';
}

/** How names of files in the making begin: whoever is killed meanwhile leaves one behind. */
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
  /** As the caller named it, for messages. */
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
    // The last look before the point of no return: another process may have been here meanwhile, and a
    // folder swapped for a link would lead elsewhere than what was authorized.
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

/** Renaming needs no right to the file itself, yet a file made read-only is meant to stay. */
function requireWritable(place: string): void {
  const flags = constants.O_WRONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  closeSync(openSync(place, flags));
}

/** One by one, each in its open parent: a folder swapped for a link gets no new folders where it leads. */
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

/** Another process may have been faster; what it made is looked at before it is used. */
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

/** Failures after which writing into the file itself may still work. */
const CANNOT_REPLACE = new Set(['EACCES', 'EPERM', 'EBUSY', 'EXDEV', 'EROFS']);

function writeTemporary(temporary: string, bytes: Buffer, existing: Stats | undefined): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  // A new file gets what the umask leaves; a copy of an existing one is nobody else's before it is complete.
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
  // Only what differs: some file systems know neither owners nor modes. Owner first: changing it clears
  // the set-id bits.
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
    `${path} was changed by someone else in the meantime and was left as it is. Read it again and retry.`,
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
    // It was never created, or the directory is gone: nothing is left behind either way.
  }
}

/** Makes the rename itself survive a power cut, where directories can be synced. */
function syncDirectory(directory: string): void {
  try {
    const descriptor = openSync(directory, constants.O_RDONLY);
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Windows and some network file systems refuse; the file's content is safe already.
  }
}
