/**
 * The file operations of an undo. Each works inside the very folder that was checked, follows no link, and leaves
 * either the complete old or the complete new file.
 */
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf, DeveloperError } from '../../base/errors.js';
import { inOpenFolder } from '../files/opened-path.js';
import { realPathOf } from '../files/real-path.js';
import { statIfThere } from './file-state.js';
import { writeAllAt } from './log-file.js';
import type { FileState } from './types.js';

/** Another process changed the file after the undo was planned. */
export class ChangedMeanwhileError extends DeveloperError {}

export interface Place {
  path: string;
  /** The state that the path must still have; null: nothing exists there. */
  now: FileState | null;
}

export interface NewFile {
  bytes: Buffer;
  mode: number;
  /** Name of the temporary file, known in advance so that the next run can remove it. */
  temporary: string;
  /** Sync the file to disk before renaming it into place. */
  isSynced: boolean;
}

export function writeFileAt(place: Place, { bytes, mode, temporary, isSynced }: NewFile): void {
  inFolderOf(place, (target, folder) => {
    const helper = join(folder, temporary);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
    const descriptor = openSync(helper, flags, 0o600);
    try {
      try {
        writeAllAt(descriptor, bytes, 0);
        keepOwner(descriptor, target);
        fchmodSync(descriptor, mode);
        if (isSynced) fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      requireUnchanged(target, place);
      renameSync(helper, target);
    } catch (error) {
      removeIfThere(helper);
      throw error;
    }
  });
}

export function writeLinkAt(place: Place, linkTarget: string, temporary: string): void {
  inFolderOf(place, (target, folder) => {
    const helper = join(folder, temporary);
    try {
      symlinkSync(linkTarget, helper);
      requireUnchanged(target, place);
      renameSync(helper, target);
    } catch (error) {
      removeIfThere(helper);
      throw error;
    }
  });
}

export function removeAt(place: Place): void {
  inFolderOf(place, (target) => {
    requireUnchanged(target, place);
    if (place.now?.kind === 'dir') rmdirSync(target);
    else unlinkSync(target);
  });
}

export function makeFolderAt(place: Place): void {
  inFolderOf(place, (target) => mkdirSync(target, 0o700));
}

export function changeModeAt(place: Place, mode: number): void {
  inFolderOf(place, (target) => {
    requireUnchanged(target, place);
    let descriptor: number;
    try {
      descriptor = openSync(target, constants.O_RDONLY | SAFE_OPEN);
    } catch (error) {
      if (codeOf(error) !== 'EACCES') throw error;
      // Its mode keeps the owner out too. It is not a link: we have just checked that.
      return chmodSync(target, mode);
    }
    try {
      fchmodSync(descriptor, mode);
    } finally {
      closeSync(descriptor);
    }
  });
}

const SAFE_OPEN = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Links the old name, then removes the new one, so that a file created meanwhile is not overwritten. */
export function moveBack(from: Place, to: Place): void {
  inFolderOf(from, (source) => {
    requireUnchanged(source, from);
    inFolderOf(to, (target) => {
      try {
        linkSync(source, target);
      } catch (error) {
        if (codeOf(error) === 'EEXIST') throw new ChangedMeanwhileError(`${to.path} is there again`);
        // The file system has no hard links.
        if (statIfThere(target)) throw new ChangedMeanwhileError(`${to.path} is there again`);
        renameSync(source, target);
        return;
      }
      unlinkSync(source);
    });
  });
}

/** Creates parent folders that are not part of the plan. */
export function makeParents(path: string): void {
  const parent = dirname(path);
  if (statIfThere(parent)) return;
  if (realPathOf(parent) !== parent) throw new ChangedMeanwhileError(`${parent} leads elsewhere now`);
  mkdirSync(parent, { recursive: true });
}

function inFolderOf({ path }: Place, work: (target: string, folder: string) => void): void {
  const parent = dirname(path);
  if (realPathOf(parent) !== parent) throw new ChangedMeanwhileError(`${parent} leads elsewhere now`);
  const onMoved = () => new ChangedMeanwhileError(`${parent} leads elsewhere now`);
  inOpenFolder(parent, onMoved, (folder) => work(join(folder, basename(path)), folder));
}

function requireUnchanged(target: string, { path, now }: Place): void {
  if (!hasState(target, now)) throw new ChangedMeanwhileError(`${path} was changed meanwhile`);
}

function hasState(target: string, state: FileState | null): boolean {
  const stats = statIfThere(target);
  if (!stats || state === null) return !stats && state === null;
  switch (state.kind) {
    case 'file':
      return (
        stats.isFile() &&
        stats.ino === state.ino &&
        stats.size === state.size &&
        stats.mtimeMs === state.mtimeMs
      );
    case 'link':
      return stats.isSymbolicLink();
    case 'dir':
      return stats.isDirectory();
    default:
      return stats.ino === state.ino;
  }
}

/** Keeps the owner of the file, if we are permitted to. */
function keepOwner(descriptor: number, target: string): void {
  const stats = statIfThere(target);
  if (!stats?.isFile() || process.platform === 'win32') return;
  if (stats.uid === process.getuid?.() && stats.gid === process.getgid?.()) return;
  try {
    fchownSync(descriptor, stats.uid, stats.gid);
  } catch {
    // Not permitted; restoring the content matters more.
  }
}

export function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It does not exist.
  }
}
