/** Signed locks name the process that holds them, so that the lock of a killed process is taken over at once. */
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from '../../base/errors.js';
import { startTimeOf } from '../process/proc-stat.js';
import { randomHex } from '../random.js';
import type { FoundLock } from './lock-file.js';

/** An unsigned lock this old: its owner was killed between creating and signing it. */
const UNSIGNED_ABANDONED_MS = 2_000;
const UNKNOWN_START = '-';

/** Process id, and the host and process namespace in which that id means something. */
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

/** The content of a signed lock; no two are the same. */
export function lockSignature(): string {
  return `${ownerName()} ${startTimeOf(process.pid) ?? UNKNOWN_START} ${randomHex(6)}`;
}

/** @param unseenMs age at which a lock from another machine or container counts as abandoned */
export function isOwnerGone({ content, mtimeMs }: FoundLock, unseenMs: number): boolean {
  const age = Date.now() - mtimeMs;
  const [, where, start] = content.split(' ');
  if (!start) return age >= UNSIGNED_ABANDONED_MS;
  if (where !== place()) return age >= unseenMs;
  // Another process may have got the id since: its start time tells.
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
