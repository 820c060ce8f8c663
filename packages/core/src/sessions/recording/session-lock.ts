/** One process per session: a file that names its owner for as long as the session is recorded. */
import {
  closeSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../base/errors.js';
import { randomHex } from '../../platform/random.js';
import { mayBeAlive, ownerName } from '../../platform/snapshots/store-lock.js';
import { fileNameFor } from '../session-names.js';

/** For owners that cannot be seen from here (another machine or container); they touch the file every turn. */
const UNSEEN_ABANDONED_MS = 60 * 60 * 1000;
/** An empty lock: its owner was killed between creating and signing it. */
const UNSIGNED_ABANDONED_MS = 2_000;

export class SessionLock {
  private constructor(
    private readonly path: string,
    private readonly ours: string,
  ) {}

  /** Undefined when another process, or another recorder of this one, holds it. */
  static acquire(chatsDir: string, sessionId: string): SessionLock | undefined {
    const path = lockPath(chatsDir, sessionId);
    const ours = `${ownerName()} ${startOf(process.pid)} ${randomHex(6)}`;
    for (let attempt = 0; attempt < 3; attempt++) {
      if (create(path, ours)) return new SessionLock(path, ours);
      if (isHeld(path)) return undefined;
      removeAbandoned(path);
    }
    return undefined;
  }

  /** Still at work. */
  touch(): void {
    try {
      const now = new Date();
      utimesSync(this.path, now, now);
    } catch {
      // Gone or on a file system without times: those who look see our process.
    }
  }

  release(): void {
    try {
      if (contentOf(this.path) === this.ours) unlinkSync(this.path);
    } catch {
      // Found abandoned by the next one.
    }
  }
}

/** Somebody records this session now. */
export function isSessionLive(chatsDir: string, sessionId: string): boolean {
  return isHeld(lockPath(chatsDir, sessionId));
}

/** Of a session that is deleted. */
export function removeLock(chatsDir: string, sessionId: string): void {
  rmSync(lockPath(chatsDir, sessionId), { force: true });
}

function lockPath(chatsDir: string, sessionId: string): string {
  return join(chatsDir, `.${fileNameFor(sessionId)}.lock`);
}

function create(path: string, ours: string): boolean {
  try {
    const descriptor = openSync(path, 'wx', 0o600);
    try {
      writeSync(descriptor, ours);
    } finally {
      closeSync(descriptor);
    }
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // A full disk: an empty lock would keep others out.
    if (codeOf(error) === 'ENOSPC') rmSync(path, { force: true });
    throw error;
  }
}

function isHeld(path: string): boolean {
  const owner = contentOf(path);
  if (owner === undefined) return false;
  const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  const [pid = '', place = '', start = ''] = owner.split(' ');
  if (!start) return age < UNSIGNED_ABANDONED_MS;
  if (place !== ownerName().split(' ')[1]) return age < UNSEEN_ABANDONED_MS;
  // The number may belong to another process by now.
  return mayBeAlive(`${pid} ${place}`) && (start === startOf(Number(pid)) || start === UNKNOWN_START);
}

/** Moved aside first: it might be the fresh lock of another that found the old one abandoned, too. */
function removeAbandoned(path: string): void {
  const aside = `${path}.${randomHex(6)}`;
  try {
    renameSync(path, aside);
    if (isHeld(aside)) giveBack(aside, path);
    unlinkSync(aside);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

function giveBack(aside: string, path: string): void {
  try {
    linkSync(aside, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

const UNKNOWN_START = '-';

/** When a process began, in whatever unit the system counts. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? UNKNOWN_START;
  } catch {
    return UNKNOWN_START;
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
