/**
 * One writer of the store at a time. Synchronous, because all that happens under it is; and it knows its owner,
 * so that the lock of a killed process is taken over at once, however long an honest one is held.
 */
import { linkSync, lstatSync, readFileSync, readlinkSync, renameSync, unlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from '../../base/errors.js';
import { createExclusively } from '../locks/create-exclusively.js';
import { randomHex } from '../random.js';
import { SnapshotError } from './error.js';

const GIVE_UP_MS = 20_000;
/** For locks whose owner cannot be seen from here: another machine or container. */
const UNSEEN_ABANDONED_MS = 60_000;

export function withStoreLock<T>(lockPath: string, work: () => T, giveUpMs = GIVE_UP_MS): T {
  const ours = `${ownerName()} ${randomHex(6)}`;
  const deadline = Date.now() + giveUpMs;
  while (!createExclusively(lockPath, ours)) {
    if (removeAbandoned(lockPath)) continue;
    if (Date.now() >= deadline) {
      throw new SnapshotError(
        'locked',
        `Another process is using the snapshot store: ${lockPath} exists. If none is running, delete that file.`,
      );
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5 + Math.random() * 10);
  }
  try {
    return work();
  } finally {
    release(lockPath, ours);
  }
}

/** Process and the place in which its number means something. */
export function ownerName(): string {
  return `${process.pid} ${place()}`;
}

export function ownerPid(owner: string): number {
  return Number(owner.split(' ')[0]);
}

/** True also for an owner that cannot be seen from here. */
export function mayBeAlive(owner: string): boolean {
  const [, where] = owner.split(' ');
  if (where !== place()) return true;
  try {
    process.kill(ownerPid(owner), 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

let knownPlace: string | undefined;

function place(): string {
  knownPlace ??= `${hostname()}/${processSpace()}`.replaceAll(' ', '_');
  return knownPlace;
}

function processSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return process.platform;
  }
}

/** Moved aside before it is deleted: it might be the fresh lock of another that found the old one abandoned. */
function removeAbandoned(lockPath: string): boolean {
  const owner = contentOf(lockPath);
  if (owner === undefined) return true;
  if (!isAbandoned(lockPath, owner)) return false;
  const aside = `${lockPath}.${randomHex(6)}`;
  try {
    renameSync(lockPath, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return true;
    throw error;
  }
  if (contentOf(aside) !== owner) giveBack(aside, lockPath);
  unlinkSync(aside);
  return true;
}

function isAbandoned(lockPath: string, owner: string): boolean {
  const ageMs = Date.now() - (lstatSync(lockPath, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  // Empty: its owner is between creating and signing it, or was killed there.
  if (owner === '') return ageMs > 1_000;
  const [, where] = owner.split(' ');
  return where === place() ? !mayBeAlive(owner) : ageMs > UNSEEN_ABANDONED_MS;
}

function giveBack(aside: string, lockPath: string): void {
  try {
    linkSync(aside, lockPath);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function release(lockPath: string, ours: string): void {
  try {
    if (contentOf(lockPath) === ours) unlinkSync(lockPath);
  } catch {
    // Found abandoned by the next one.
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
