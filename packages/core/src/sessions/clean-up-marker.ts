/** Remembers when old sessions were looked for last. Light: it is asked at every start. */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '../platform/log.js';

const log = createLog('sessions');
const MARKER = '.cleaned';
const DAY_MS = 86_400_000;

export function isCleanUpDue(chatsDir: string, now: number): boolean {
  try {
    const last = statSync(join(chatsDir, MARKER), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return Math.abs(now - last) >= DAY_MS;
  } catch (error) {
    // Where no folder can be (the home is a file), nothing is to be cleaned up.
    log.debug('no place for the marker', error);
    return false;
  }
}

/** Before the work, so that a crash does not repeat it for ever. */
export function markCleanUp(chatsDir: string): void {
  try {
    mkdirSync(chatsDir, { recursive: true, mode: 0o700 });
    writeFileSync(join(chatsDir, MARKER), '', { mode: 0o600 });
  } catch (error) {
    log.debug('no place for the marker', error);
  }
}
