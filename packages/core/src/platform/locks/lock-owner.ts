/** Signs locks with the owning process, so that the lock of a killed process can be taken over at once. */
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from '../../base/errors.js';
import { startTimeOf } from '../process/proc-stat.js';
import { randomHex } from '../random.js';
import type { FoundLock } from './lock-file.js';

/** Age at which an unsigned lock is abandoned: its owner was killed between creating and signing it. */
const UNSIGNED_ABANDONED_MS = 2_000;
const UNKNOWN_START = '-';

/** Process id, with the host and process namespace in which it is valid. */
export function ownerName(): string {
  return `${process.pid} ${place()}`;
}

export function ownerPid(owner: string): number {
  return Number(owner.split(' ')[0]);
}

/** Also true for an owner on another host or in another container, which we cannot check. */
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

/** Unique content of a signed lock. */
export function lockSignature(): string {
  return `${ownerName()} ${startTimeOf(process.pid) ?? UNKNOWN_START} ${randomHex(6)}`;
}

/** @param unseenMs age at which a lock from another machine or container counts as abandoned */
export function isOwnerGone({ content, mtimeMs }: FoundLock, unseenMs: number): boolean {
  const age = Date.now() - mtimeMs;
  const [, where, start] = content.split(' ');
  if (!start) return age >= UNSIGNED_ABANDONED_MS;
  if (where !== place()) return age >= unseenMs;
  // Another process may have the id now; the start time tells.
  return !mayBeAlive(content) || (start !== UNKNOWN_START && start !== startTimeOf(ownerPid(content)));
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
