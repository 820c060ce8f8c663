/**
 * What was derived from files, kept from one start to the next in one file. An entry counts as long as nothing has
 * changed that was looked at for it: device, inode, owner, mode, size and both times, to the nanosecond. The time of the
 * last change (`ctime`) cannot be set back, so content that changes is always seen.
 *
 * Who can write the file decides what the program does: it belongs to the user, and no one else may write it. Whatever
 * is wrong with it is the same as having none.
 */
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { isObject } from '../../base/objects.js';
import { createLog } from '../log.js';
import { randomHex } from '../random.js';
import { isDirectory, tryLstat } from './try-read.js';

const log = createLog('file-memory');

const MAX_BYTES = 32 * 1024 * 1024;
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** When what was learnt is written, if the program still runs then. */
const KEEP_AFTER_MS = 2_000;

/** How long a file that was looked at is not looked at again for another entry: within a start. */
const ROUND_MS = 1_000;

/** A change right after a look may leave the same times: the clock of a file system moves in steps of some milliseconds. */
const STEP_MS = 50;
/** Some file systems keep whole seconds, or every second one. */
const COARSE_STEP_MS = 2_500;
const NS_PER_MS = 1_000_000n;
const NS_PER_SECOND = 1_000_000_000n;

export interface FileMemoryOptions {
  /** Where it is kept. */
  file: string;
  /** The program that derives: another version does not understand the values. */
  program: string;
  /** Milliseconds, as the file system counts. */
  now?: () => number;
}

/** What was looked at: paths, each followed by its stamp. */
type Looks = readonly string[];
/** The value as JSON: each reader gets its own. */
type Entry = readonly [looks: Looks, value: string];

export class FileMemory {
  readonly file: string;
  private readonly entries: Map<string, Entry>;
  private readonly now: () => number;
  private writing: NodeJS.Timeout | undefined;
  private round: Round = { startedMs: 0, asked: new Set(), stamps: new Map() };

  /** Reads the file. Never throws. */
  constructor(private readonly options: FileMemoryOptions) {
    this.file = options.file;
    this.entries = readEntries(options);
    this.now = options.now ?? Date.now;
  }

  /** What was learnt, if it still holds. @param key a path; an entry ends with it */
  recall<T>(kind: string, key: string): T | undefined;
  recall(kind: string, key: string): unknown {
    const stampOf = this.lookIn(`${kind} ${key}`);
    const entry = this.entries.get(`${kind} ${key}`);
    if (!entry) return undefined;
    const [looks, value] = entry;
    for (let index = 0; index < looks.length; index += 2)
      if (stampOf(looks[index] ?? '')?.text !== looks[index + 1]) return undefined;
    return JSON.parse(value);
  }

  /** For reading anew what could not be recalled: call it right after `recall`. */
  lesson(kind: string, key: string): Lesson {
    const { startedMs, stamps } = this.round;
    return new Lesson(
      startedMs,
      (path) => stampIn(stamps, path),
      (entry) => {
        this.entries.set(`${kind} ${key}`, entry);
        this.writing ??= setTimeout(() => this.keep(), KEEP_AFTER_MS).unref();
      },
    );
  }

  /** Within a round every file is looked at once. Who asks for the same again wants to know what is new. */
  private lookIn(name: string): (path: string) => Stamp | undefined {
    const now = this.now();
    if (this.round.asked.has(name) || Math.abs(now - this.round.startedMs) > ROUND_MS)
      this.round = { startedMs: now, asked: new Set(), stamps: new Map() };
    const { asked, stamps } = this.round;
    asked.add(name);
    return (path) => stampIn(stamps, path);
  }

  /** Writes what was learnt: at the end of a run, and else by itself after the start. Never throws. */
  keep(): void {
    if (!this.writing) return;
    clearTimeout(this.writing);
    this.writing = undefined;
    const { file, program } = this.options;
    const kept = [...this.entries].filter(([name]) => tryLstat(name.slice(name.indexOf(' ') + 1)));
    const text = JSON.stringify({ program, entries: Object.fromEntries(kept) });
    try {
      write(file, text + text);
    } catch (error) {
      log.debug(`${file} is not written`, error);
    }
  }
}

/** Collects what a value depends on. Begun before anything is read: a file that changes since then teaches nothing. */
export class Lesson {
  private readonly looks: string[] = [];
  private isCertain = true;

  constructor(
    private readonly startedMs: number,
    private readonly stampOf: (path: string) => Stamp | undefined,
    private readonly onLearnt: (entry: Entry) => void,
  ) {}

  /** For each file and folder that is read, or not there. */
  look(path: string): void {
    const found = this.stampOf(path);
    if (!found || this.startedMs - found.changedMs < found.stepMs) this.isCertain = false;
    else this.looks.push(path, found.text);
  }

  /** A value that JSON would change is not learnt. */
  learn(value: unknown): void {
    if (this.isCertain && survivesJson(value)) this.onLearnt([this.looks, JSON.stringify(value)]);
  }
}

function survivesJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (Array.isArray(value)) return value.every(survivesJson);
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((item) => item === undefined || survivesJson(item));
}

interface Round {
  startedMs: number;
  /** Names of entries. */
  asked: Set<string>;
  stamps: Map<string, Stamp | undefined>;
}

interface Stamp {
  text: string;
  /** The later one of both times. */
  changedMs: number;
  stepMs: number;
}

const ABSENT: Stamp = { text: '-', changedMs: Number.NEGATIVE_INFINITY, stepMs: 0 };

function stampIn(stamps: Map<string, Stamp | undefined>, path: string): Stamp | undefined {
  if (!stamps.has(path)) stamps.set(path, stampOf(path));
  return stamps.get(path);
}

/** Undefined: it cannot be told. */
function stampOf(path: string): Stamp | undefined {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (!stats) return ABSENT;
    const { dev, ino, uid, mode, size, mtimeNs, ctimeNs } = stats;
    const isCoarse = mtimeNs % NS_PER_SECOND === 0n && ctimeNs % NS_PER_SECOND === 0n;
    return {
      text: `${dev} ${ino} ${uid} ${mode} ${size} ${mtimeNs} ${ctimeNs}`,
      changedMs: Math.max(Number(mtimeNs / NS_PER_MS), Number(ctimeNs / NS_PER_MS)),
      stepMs: isCoarse ? COARSE_STEP_MS : STEP_MS,
    };
  } catch {
    return undefined;
  }
}

function readEntries({ file, program }: FileMemoryOptions): Map<string, Entry> {
  try {
    const bytes = readOwn(file);
    if (!bytes) return new Map();
    const half = bytes.subarray(0, bytes.length >> 1);
    // Written twice, which shows damage for less than a checksum costs.
    if (!half.equals(bytes.subarray(half.length))) throw new Error('it is damaged');
    const value: unknown = JSON.parse(half.toString('utf8'));
    if (!isObject(value) || value['program'] !== program || !isObject(value['entries'])) return new Map();
    return new Map(Object.entries(value['entries']).filter(isNamedEntry));
  } catch (error) {
    log.debug(`${file} is not used`, error);
    return new Map();
  }
}

function isNamedEntry(named: [string, unknown]): named is [string, Entry] {
  const entry = named[1];
  return Array.isArray(entry) && Array.isArray(entry[0]) && typeof entry[1] === 'string';
}

/** Undefined: there is none. @throws when it is another user's, or others may write it */
function readOwn(file: string): Buffer | undefined {
  if (!tryLstat(file)) return undefined;
  const descriptor = openSync(file, FLAGS);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > MAX_BYTES) throw new Error('it is not a file of ours');
    if (process.getuid && (stats.uid !== process.getuid() || (stats.mode & 0o022) !== 0))
      throw new Error('others may have written it');
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Atomic, for two processes at once. Not flushed to the disk: what a power failure leaves is recognized as damaged. */
function write(file: string, text: string): void {
  const folder = dirname(file);
  // Not with its parents: without a home folder there is nothing to remember.
  if (!isDirectory(folder)) mkdirSync(folder, { mode: 0o700 });
  const temporary = `${file}.${randomHex(8)}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
