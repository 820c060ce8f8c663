/**
 * Where an open file or folder really is. A path that was judged may be made to lead elsewhere before it is
 * used (a folder swapped for a link); what is open stays what it is. Only Linux tells where that is; elsewhere
 * a second look at the path makes the gap small.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';

/** Node has no name for it: opens a folder for naming things in it, without the right to list it. */
const O_PATH = 0o10000000;

/** False when the file opened by `realPath` lies in another folder. Renamed or removed in its own it is still it. */
export function isOpenedAt(descriptor: number, realPath: string): boolean {
  const place = placeOf(descriptor);
  return place === undefined ? isStillAt(descriptor, realPath) : dirname(place) === dirname(realPath);
}

/** For systems that do not tell: the path must lead nowhere else by now, and to the very file that is open. */
export function isStillAt(descriptor: number, realPath: string): boolean {
  try {
    const [open, named] = [fstatSync(descriptor), lstatSync(realPath)];
    return realpathSync.native(realPath) === realPath && open.ino === named.ino && open.dev === named.dev;
  } catch {
    // Gone: then nobody can say what it was.
    return false;
  }
}

/**
 * Does the work with a name of the folder that leads to this very folder, come what may.
 * @throws what `onMoved` makes when the path leads elsewhere already
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
    // No /proc here.
    return undefined;
  }
}

function procPath(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}
