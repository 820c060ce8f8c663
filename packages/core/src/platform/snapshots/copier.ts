/**
 * Copies file contents into the store, a slice at a time: first the files that must be copied before a command may
 * run, then, as far as they fit, large files and the folders of package managers.
 */
import { sep } from 'node:path';
import { SnapshotError } from './error.js';
import { MAX_COPY_BYTES, readRegular } from './file-state.js';
import { hashOf, type SnapshotStore } from './store.js';
import type { TreeEntry } from './tree-entry.js';
import { RACY_MS, type TreeIndex } from './tree-index.js';
import type { CopyProgress, Uncovered } from './types.js';

/** Larger files are copied only in the background. */
const BULK_FILE_BYTES = 10 * 1024 * 1024;
/** Contents that can be downloaded or built again: no command waits for them. */
const BULK_FOLDERS = new Set(
  (
    'node_modules bower_components .pnpm-store .venv venv __pycache__ .tox .mypy_cache .pytest_cache ' +
    '.gradle .next .nuxt .turbo .cache'
  ).split(' '),
);
/** Share of the store that they may take. */
const BULK_SHARE = 0.25;
/** So little is copied at once, under one lock. */
const FEW_FILES = 20;
const FEW_BYTES = 64 * 1024;
/** Short, because another process may wait for the store. */
const SLICE_MS = 40;

export class ContentCopier {
  /** Why an entry was not copied. A changed file gets a new entry, and so is tried again. */
  private readonly skipReasons = new WeakMap<TreeEntry, string>();
  private queue: TreeEntry[] = [];
  private bulkBytes = 0;
  private isBulkOver = false;
  private isFull = false;

  constructor(
    private readonly store: SnapshotStore,
    private readonly tree: TreeIndex,
  ) {}

  /**
   * Copies the files that must be copied before a command may run.
   * @returns false when files changed meanwhile, so that the caller should try again
   */
  copyOrdinary(onProgress?: (progress: CopyProgress) => void): boolean {
    this.isFull = false;
    const waiting = this.ordinary();
    const totalBytes = bytesOf(waiting);
    let copiedBytes = 0;
    for (let at = 0; at < waiting.length && !this.isFull; ) {
      const next = this.copySlice(waiting, at);
      while (at < next) copiedBytes += waiting[at++]?.size ?? 0;
      onProgress?.({ copiedBytes, totalBytes });
    }
    return !waiting.some((entry) => this.skipReasons.get(entry) === CHANGED);
  }

  /** Copies what a command has to wait for if that is little. @returns false when more is left, or files changed meanwhile */
  copyFew(): boolean {
    const waiting = this.ordinary();
    if (waiting.length > FEW_FILES || bytesOf(waiting) > FEW_BYTES) return false;
    return this.copyOrdinary();
  }

  /** Copies one slice, ordinary files first. Returns true when nothing is left to copy. */
  copySome(): boolean {
    this.isFull = false;
    if (this.queue.length === 0) this.queue = this.nextQueue();
    if (this.queue.length === 0) return true;
    const end = this.copySlice(this.queue, 0);
    this.queue = this.isFull ? [] : this.queue.slice(end);
    if (this.isFull) this.isBulkOver = true;
    return this.isFull;
  }

  /** Files whose content is not in the store, with the reason. */
  uncovered(): Uncovered[] {
    return [...this.tree.pending].map((entry) => ({ path: entry.path, reason: this.reasonFor(entry) }));
  }

  private waiting(): TreeEntry[] {
    return [...this.tree.pending].filter((entry) => !this.skipReasons.has(entry));
  }

  private ordinary(): TreeEntry[] {
    return this.waiting().filter((entry) => !isBulk(entry));
  }

  private nextQueue(): TreeEntry[] {
    const ordinary = this.ordinary();
    if (ordinary.length > 0) return ordinary;
    return this.isBulkOver ? [] : this.waiting();
  }

  private reasonFor(entry: TreeEntry): string {
    const known = this.skipReasons.get(entry);
    if (known) return known;
    if (entry.size > MAX_COPY_BYTES) return TOO_LARGE;
    if (this.isFull) return 'the snapshot store is full (general.checkpointing.maxBytes)';
    return isBulk(entry) ? 'large files and folders of packages are copied later' : CHANGED;
  }

  private copySlice(entries: readonly TreeEntry[], from: number): number {
    return this.store.exclusive(() => {
      const until = performance.now() + SLICE_MS;
      let at = from;
      while (at < entries.length && performance.now() < until && !this.isFull) {
        const entry = entries[at++] as TreeEntry;
        if (this.tree.pending.has(entry)) this.copy(entry);
      }
      return at;
    });
  }

  private copy(entry: TreeEntry): void {
    if (entry.size > MAX_COPY_BYTES) {
      this.skipReasons.set(entry, TOO_LARGE);
      return;
    }
    if (isBulk(entry) && !this.takeBulkRoom(entry)) return;
    const readAt = Date.now();
    const read = readRegular(entry.path);
    if (read === 'unreadable') {
      this.skipReasons.set(entry, 'it could not be read');
      return;
    }
    if (read === 'changed' || read.stats.ino !== entry.ino || read.stats.ctimeMs !== entry.ctimeMs) {
      this.skipReasons.set(entry, CHANGED);
      return;
    }
    try {
      const hash = this.store.put(read.bytes, hashOf(read.bytes));
      this.tree.setHash(entry, hash, readAt - entry.ctimeMs < RACY_MS);
    } catch (error) {
      // Beyond the configured size, files are skipped; a full disk would fail the command anyway.
      if (!(error instanceof SnapshotError) || error.reason !== 'full') throw error;
      this.isFull = true;
    }
  }

  private takeBulkRoom({ size }: TreeEntry): boolean {
    if (this.bulkBytes + size > this.store.maxBytes * BULK_SHARE) this.isBulkOver = true;
    else this.bulkBytes += size;
    return !this.isBulkOver;
  }
}

const TOO_LARGE = 'it is too large to be copied';
const CHANGED = 'it kept changing while it was read';

function bytesOf(entries: readonly TreeEntry[]): number {
  return entries.reduce((sum, { size }) => sum + size, 0);
}

function isBulk({ path, size, isSecondLook }: TreeEntry): boolean {
  if (isSecondLook) return false;
  if (size > BULK_FILE_BYTES) return true;
  return path.split(sep).some((part) => BULK_FOLDERS.has(part));
}
