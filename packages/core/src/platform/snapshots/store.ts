/**
 * The snapshot store: file contents by their SHA-256 in packs, and a log of where each one is and of all snapshots.
 * Contents are written before the record that names them, so a killed writer leaves no half snapshot.
 */
import { hash as digest } from 'node:crypto';
import { closeSync, lstatSync, openSync, renameSync, rmSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../base/errors.js';
import { preparePrivateDirectory } from '../files/private-file.js';
import { randomHex } from '../random.js';
import { compact } from './compact.js';
import { SnapshotError, toSnapshotError } from './error.js';
import { Ledger } from './ledger.js';
import { appendToLog, encodeLog, readLog, syncFile, writeAllAt } from './log-file.js';
import { type BlobPlace, Packs } from './packs.js';
import {
  decodeEvent,
  encodeEvent,
  type LogEvent,
  replayTree,
  type TreeLine,
  withoutOldTrees,
} from './records.js';
import { withStoreLock } from './store-lock.js';

export interface StoreOptions {
  directory: string;
  maxBytes: number;
}

export class SnapshotStore {
  private readonly logPath: string;
  private readonly packs: Packs;
  private readonly blobs = new Map<string, BlobPlace>();
  /** Copies found to be damaged; the content must be stored again. */
  private readonly damaged = new Set<string>();
  private fresh: [string, BlobPlace][] = [];
  private lastPack: number | undefined;
  private known: { ino: number; end: number } | undefined;
  private packBytes = 0;
  private depth = 0;
  /** Contents used in the current exclusive section: compacting must keep them though no record names them yet. */
  private readonly touched = new Set<string>();
  ledger = new Ledger();
  private tree: Map<string, TreeLine> | undefined = new Map();
  /** Grows whenever the whole log was read again: contents known before may have been dropped. */
  generation = 0;
  /** Contents that the caller needs before a record names them. */
  pins: () => Iterable<string> = () => [];

  constructor(private readonly options: StoreOptions) {
    this.logPath = join(options.directory, 'log');
    this.packs = new Packs(options.directory);
  }

  get maxBytes(): number {
    return this.options.maxBytes;
  }

  get bytes(): number {
    return this.packBytes + this.packs.bytesWaiting + (this.known?.end ?? 0);
  }

  /** The only way to write. Runs `work` under the lock, after reading what other processes have written. */
  exclusive<T>(work: () => T): T {
    if (this.depth > 0) return this.inside(work);
    this.prepareDirectory();
    try {
      return withStoreLock(`${this.logPath}.lock`, () => {
        this.create();
        this.refresh();
        return this.inside(work);
      });
    } catch (error) {
      throw toSnapshotError(error, `use the snapshot store ${this.options.directory}`);
    }
  }

  /** For reading only: works even where the lock cannot be written. */
  shared<T>(work: () => T): T {
    if (this.depth > 0 || !this.logStats()) return work();
    let hasBegun = false;
    try {
      return this.exclusive(() => {
        hasBegun = true;
        return work();
      });
    } catch (error) {
      if (hasBegun || !(error instanceof SnapshotError) || !UNLOCKABLE.has(error.reason)) throw error;
      this.refresh();
      return work();
    }
  }

  /** Runs `work` without the lock, after reading what is there. Skipped when there is no store: none is made for it. */
  peek(work: () => void): void {
    if (!this.logStats()) return;
    this.refresh();
    work();
  }

  has(hash: string): boolean {
    return hash === EMPTY || this.blobs.has(hash);
  }

  /** @throws SnapshotError `full` when there is no room, even without the oldest snapshots */
  put(bytes: Buffer, hash = hashOf(bytes)): string {
    this.touched.add(hash);
    if (this.has(hash)) return hash;
    if (this.bytes + bytes.length > this.maxBytes) this.makeRoom(bytes.length);
    const place = this.packs.add(bytes);
    this.blobs.set(hash, place);
    this.fresh.push([hash, place]);
    if (this.packs.bytesWaiting > FLUSH_BYTES) this.flush();
    return hash;
  }

  /** @throws SnapshotError `corrupt` when the copy is missing or damaged */
  get(hash: string): Buffer {
    if (hash === EMPTY) return Buffer.alloc(0);
    // The caller needs it: compacting in the same section must keep it.
    this.touched.add(hash);
    const place = this.blobs.get(hash);
    const bytes = place && this.packs.read(place);
    if (bytes && hashOf(bytes) === hash) return bytes;
    if (place) this.damaged.add(`${place.pack} ${place.offset} ${hash}`);
    this.blobs.delete(hash);
    throw new SnapshotError('corrupt', `A stored copy (${hash.slice(0, 12)}) is missing or damaged.`);
  }

  /** Writes new contents first: a record never names contents that are missing. */
  append(...events: LogEvent[]): void {
    this.flush(events);
  }

  /** After it, all that was written survives a power cut. */
  sync(): void {
    this.packs.sync();
    syncFile(this.logPath);
  }

  /** The tree as the last session recorded it; can be taken once. */
  takeTree(): Iterable<TreeLine> {
    const lines = this.tree?.values() ?? [];
    this.tree = undefined;
    return lines;
  }

  events(): LogEvent[] {
    return this.decode(readLog(this.logPath).payloads);
  }

  /** Replaces the log, and with it the places of all contents; the caller may then remove unused packs. */
  replaceLog(events: readonly LogEvent[]): void {
    const temporary = `${this.logPath}.${randomHex(6)}.tmp`;
    try {
      writeNewFile(temporary, encodeLog(events.map(encodeEvent)));
      syncFile(temporary);
      renameSync(temporary, this.logPath);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
    this.refresh();
  }

  private inside<T>(work: () => T): T {
    this.depth++;
    try {
      const result = work();
      if (this.depth === 1) this.flush();
      return result;
    } catch (error) {
      if (this.depth === 1) this.forgetUnwritten();
      throw error;
    } finally {
      this.depth--;
      if (this.depth === 0) this.touched.clear();
    }
  }

  private flush(events: readonly LogEvent[] = []): void {
    const all: LogEvent[] =
      this.fresh.length > 0 ? [{ t: 'blobs', places: this.fresh }, ...events] : [...events];
    if (all.length === 0 || !this.known) return;
    const waiting = this.packs.bytesWaiting;
    this.packs.flush();
    this.packBytes += waiting;
    this.known.end = appendToLog(this.logPath, this.known.end, all.map(encodeEvent));
    this.lastPack = this.fresh.at(-1)?.[1].pack ?? this.lastPack;
    this.fresh = [];
    for (const event of events) this.ledger.note(event);
  }

  private forgetUnwritten(): void {
    for (const [hash] of this.fresh) this.blobs.delete(hash);
    this.fresh = [];
    this.packs.discard();
    // Read the log again: part of it may have been written.
    this.known = undefined;
  }

  private makeRoom(needed: number): void {
    this.flush();
    compact({
      store: this,
      packs: this.packs,
      blobs: this.blobs,
      pinned: [...this.touched, ...this.pins()],
      targetBytes: Math.floor(this.maxBytes * KEEP_SHARE) - needed,
    });
    this.measure();
    if (this.bytes + needed <= this.maxBytes) return;
    throw new SnapshotError(
      'full',
      `The snapshot store is full: ${this.maxBytes} bytes are allowed (general.checkpointing.maxBytes).`,
    );
  }

  /** Any failure means unwritable: on a read-only disk Node reports ENOENT. */
  private prepareDirectory(): void {
    const { directory } = this.options;
    try {
      preparePrivateDirectory(directory);
    } catch (cause) {
      const error = toSnapshotError(cause, `use the snapshot store ${directory}`);
      if (error.reason !== 'io') throw error;
      throw new SnapshotError('unwritable', `Cannot create the snapshot store ${directory}.`, cause);
    }
  }

  private create(): void {
    if (this.logStats()) return;
    const temporary = `${this.logPath}.${randomHex(6)}.tmp`;
    writeNewFile(temporary, encodeLog([]));
    renameSync(temporary, this.logPath);
  }

  private refresh(): void {
    const stats = this.logStats();
    if (!stats) return;
    const isSame = this.known && stats.ino === this.known.ino && stats.size >= this.known.end;
    if (isSame && stats.size === this.known?.end) return;
    if (!isSame) {
      this.generation++;
      this.blobs.clear();
      this.tree?.clear();
      this.ledger = new Ledger();
      this.lastPack = undefined;
    }
    const { payloads, end } = readLog(this.logPath, isSame ? this.known?.end : 0);
    for (const event of this.decode(withoutOldTrees(payloads))) this.learn(event);
    this.known = { ino: stats.ino, end };
    this.packs.reset(this.lastPack);
    this.measure();
  }

  private learn(event: LogEvent): void {
    this.ledger.note(event);
    if (this.tree) replayTree(this.tree, event);
    if (event.t !== 'blobs') return;
    for (const [hash, place] of event.places) {
      this.lastPack = place.pack;
      if (this.damaged.has(`${place.pack} ${place.offset} ${hash}`)) continue;
      this.blobs.set(hash, place);
    }
  }

  private decode(payloads: readonly Buffer[]): LogEvent[] {
    try {
      return payloads.flatMap((payload) => decodeEvent(payload) ?? []);
    } catch (error) {
      throw new SnapshotError('corrupt', `The snapshot store is damaged: ${this.logPath}.`, error);
    }
  }

  private measure(): void {
    this.packBytes = this.packs.list().reduce((sum, { size }) => sum + size, 0);
  }

  private logStats(): Stats | undefined {
    try {
      return lstatSync(this.logPath, { throwIfNoEntry: false });
    } catch (error) {
      // A parent of the path is a file.
      if (codeOf(error) === 'ENOTDIR') return undefined;
      throw error;
    }
  }
}

/** Hash of empty content, which is not stored. */
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
/** Reasons for which the lock cannot be written. */
const UNLOCKABLE: ReadonlySet<string> = new Set(['unwritable', 'full']);
const FLUSH_BYTES = 4 * 1024 * 1024;
/** Compacting frees more than asked for, so that it does not run for every file. */
const KEEP_SHARE = 0.8;

export function hashOf(bytes: Buffer): string {
  return digest('sha256', bytes, 'hex');
}

function writeNewFile(path: string, bytes: Buffer): void {
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    writeAllAt(descriptor, bytes, 0);
  } finally {
    closeSync(descriptor);
  }
}
