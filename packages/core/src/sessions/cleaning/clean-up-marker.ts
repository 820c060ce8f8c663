/** Remembers when old sessions were looked for last. Light: it is asked at every start. */
import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../base/errors.js';
import { createLog } from '../../platform/log.js';
import type { ClockLeap } from './clock-leaps.js';

const log = createLog('sessions');
const MARKER = '.cleaned';
const DAY_MS = 86_400_000;
/** Older ones concern sessions that are long gone. */
const MOST_LEAPS = 50;

export interface CleanUpMark {
  /** What the clock said. */
  at: number;
  leaps: readonly ClockLeap[];
}

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

/** Before the work, so that a crash does not repeat it for ever. @returns false: there is no place for it */
export function writeMark(chatsDir: string, { at, leaps }: CleanUpMark): boolean {
  try {
    mkdirSync(chatsDir, { recursive: true, mode: 0o700 });
    const text = `${JSON.stringify({ at, leaps: leaps.slice(-MOST_LEAPS) })}\n`;
    const path = join(chatsDir, MARKER);
    writeFileSync(path, text, { mode: 0o600 });
    utimesSync(path, at / 1000, at / 1000);
    return true;
  } catch (error) {
    log.debug('no place for the marker', error);
    return false;
  }
}

/** Undefined for the empty file of earlier versions, and for what a crash left. */
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
