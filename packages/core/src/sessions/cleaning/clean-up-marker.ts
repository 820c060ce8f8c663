/** Remembers when the last clean-up ran. Reads one small file, because every start asks. */
import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../base/errors.js';
import { createLog } from '../../platform/log.js';
import type { ClockLeap } from './clock-leaps.js';

const log = createLog('sessions');
const MARKER = '.cleaned';
const DAY_MS = 86_400_000;
/** Older leaps concern sessions that were deleted long ago. */
const MAX_LEAPS = 50;

export interface CleanUpMark {
  /** The clock's time at the clean-up. */
  at: number;
  leaps: readonly ClockLeap[];
}

export function isCleanUpDue(chatsDir: string, now: number): boolean {
  try {
    const last = statSync(join(chatsDir, MARKER), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return Math.abs(now - last) >= DAY_MS;
  } catch (error) {
    // The folder cannot exist (the home is a file), so there is nothing to clean up.
    log.debug('no place for the marker', error);
    return false;
  }
}

export function readMark(chatsDir: string): CleanUpMark | undefined {
  const path = join(chatsDir, MARKER);
  try {
    const text = readFileSync(path, 'utf8');
    return parseMark(text) ?? { at: statSync(path).mtimeMs, leaps: [] };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Written before the work, so that a crash does not repeat it for ever. @returns false when it cannot be written */
export function writeMark(chatsDir: string, { at, leaps }: CleanUpMark): boolean {
  try {
    mkdirSync(chatsDir, { recursive: true, mode: 0o700 });
    const text = `${JSON.stringify({ at, leaps: leaps.slice(-MAX_LEAPS) })}\n`;
    const path = join(chatsDir, MARKER);
    writeFileSync(path, text, { mode: 0o600 });
    utimesSync(path, at / 1000, at / 1000);
    return true;
  } catch (error) {
    log.debug('no place for the marker', error);
    return false;
  }
}

/** Undefined for the empty file of earlier versions and for a file cut off by a crash. */
function parseMark(text: string): CleanUpMark | undefined {
  try {
    const { at, leaps }: { at?: unknown; leaps?: unknown } = JSON.parse(text);
    if (typeof at !== 'number' || !Array.isArray(leaps)) return undefined;
    return { at, leaps: leaps.filter(isLeap) };
  } catch {
    return undefined;
  }
}

function isLeap(value: unknown): value is ClockLeap {
  return Array.isArray(value) && value.length === 2 && value.every((time) => typeof time === 'number');
}
