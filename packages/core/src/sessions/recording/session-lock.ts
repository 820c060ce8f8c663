/** Lets only one process record a session: a lock file names its owner. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type FoundLock, type HeldLock, readLock, tryLock } from '../../platform/locks/lock-file.js';
import { isOwnerGone, lockSignature } from '../../platform/locks/lock-owner.js';
import { fileNameFor } from '../session-names.js';

/** For owners on another machine or in another container, which touch the file every turn. */
const UNSEEN_ABANDONED_MS = 60 * 60 * 1000;

/** Undefined when another process, or another recorder of this one, holds it. */
export function lockSession(chatsDir: string, sessionId: string): HeldLock | undefined {
  return tryLock(lockPath(chatsDir, sessionId), lockSignature(), isAbandoned);
}

/** Whether a process records this session now. */
export function isSessionLive(chatsDir: string, sessionId: string): boolean {
  const found = readLock(lockPath(chatsDir, sessionId));
  return found !== undefined && !isAbandoned(found);
}

export function removeLock(chatsDir: string, sessionId: string): void {
  rmSync(lockPath(chatsDir, sessionId), { force: true });
}

function isAbandoned(found: FoundLock): boolean {
  return isOwnerGone(found, UNSEEN_ABANDONED_MS);
}

function lockPath(chatsDir: string, sessionId: string): string {
  return join(chatsDir, `.${fileNameFor(sessionId)}.lock`);
}
