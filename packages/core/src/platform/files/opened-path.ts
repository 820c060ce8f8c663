/**
 * Finds the real location of an open file or folder. Between check and use, another process may replace a folder by
 * a link; an open descriptor is safe from that. Only Linux tells its location; on other systems a second check of
 * the path makes the gap small.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';

/** Not defined by Node: opens a folder to use paths in it, without permission to list it. */
const O_PATH = 0o10000000;

/** False when the open file is in another folder than `realPath`. A file renamed or removed in its folder still counts. */
export function isOpenedAt(descriptor: number, realPath: string): boolean {
  const place = placeOf(descriptor);
  return place === undefined ? isStillAt(descriptor, realPath) : dirname(place) === dirname(realPath);
}

/** For systems without `/proc`: the path must still be free of links and lead to the open file. */
export function isStillAt(descriptor: number, realPath: string): boolean {
  try {
    const [open, named] = [fstatSync(descriptor), lstatSync(realPath)];
    return realpathSync.native(realPath) === realPath && open.ino === named.ino && open.dev === named.dev;
  } catch {
    // The file no longer exists, so this cannot be checked.
    return false;
  }
}

/**
 * Calls `work` with a path that always leads to this very folder, even if it is renamed or replaced.
 * @throws the error of `onMoved` when the path already leads elsewhere
 */
export function inOpenFolder<T>(folder: string, onMoved: () => Error, work: (folder: string) => T): T {
  if (process.platform !== 'linux') return work(folder);
  const descriptor = openSync(folder, O_PATH | constants.O_DIRECTORY);
  try {
    const place = placeOf(descriptor);
    if (place === undefined) return work(folder);
    if (place !== folder) throw onMoved();
    return work(procPath(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

function placeOf(descriptor: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return readlinkSync(procPath(descriptor));
  } catch {
    // There is no /proc.
    return undefined;
  }
}

function procPath(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}
