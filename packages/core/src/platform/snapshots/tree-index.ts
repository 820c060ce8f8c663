/**
 * An index of the workspace: every entry with size, times, inode and mode. A refresh costs one `lstat` per entry;
 * unchanged folders are not listed again. Links are entries and are not followed; everything named `.git` is left out.
 */
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../../base/errors.js';
import { isInside } from '../files/real-path.js';
import type { TreeLine } from './records.js';
import { fromLine, isUnchanged, type TreeEntry, toEntry } from './tree-entry.js';
import type { Uncovered } from './types.js';

export interface TreeOptions {
  /** Real paths. */
  roots: readonly string[];
  /** Absolute paths that are left out, besides everything named `.git`. */
  exclude?: readonly string[];
  maxEntries?: number;
}

/** File times have a limited resolution: a change so shortly after the last refresh could be missed. */
export const RACY_MS = 100;
const MAX_ENTRIES = 250_000;

interface Folder {
  entry: TreeEntry;
  children: TreeEntry[];
  listedAt: number;
}

/** The previous entry by path; null: there was none. */
export type TreeChanges = Map<string, TreeEntry | null>;

export class TreeIndex {
  readonly entries = new Map<string, TreeEntry>();
  /** Files without a hash yet. */
  readonly pending = new Set<TreeEntry>();
  /** Paths whose entry has changed since it was saved; the caller that saves clears it. */
  readonly unsaved = new Set<string>();
  /** Paths that the last refresh could not read. */
  problems: Uncovered[] = [];
  /** Folders that the last refresh could not list completely: a file that seems new or gone there may not be. */
  blind = new Set<string>();
  /** Inode of everything named `.git`, by path. */
  readonly repositories = new Map<string, number>();
  private readonly folders = new Map<string, Folder>();
  private readonly exclude: ReadonlySet<string>;
  private isFull = false;

  constructor(private readonly options: TreeOptions) {
    this.exclude = new Set(options.exclude);
  }

  /** Loads the index of an earlier session, so that unchanged files need not be read again. */
  load(lines: Iterable<TreeLine>): void {
    for (const line of lines) {
      if (!this.isBelowRoot(line[0])) continue;
      const entry = fromLine(line);
      this.entries.set(entry.path, entry);
      if (entry.kind === 'f' && entry.hash === null) this.pending.add(entry);
    }
  }

  refresh(): TreeChanges {
    const changes: TreeChanges = new Map();
    this.problems = [];
    this.blind = new Set();
    this.isFull = false;
    const visited = new Set<string>();
    for (const root of this.options.roots) this.walk(root, changes, visited);
    // Removed folders, and entries of an earlier session that no longer exist.
    if (this.folders.size !== visited.size || this.entries.size > this.countBelow(visited)) {
      this.dropUnvisited(visited, changes);
    }
    for (const path of changes.keys()) this.unsaved.add(path);
    return changes;
  }

  setHash(entry: TreeEntry, hash: string | null, isRacy: boolean): void {
    entry.hash = hash;
    entry.isRacy = isRacy;
    this.pending.delete(entry);
    this.unsaved.add(entry.path);
  }

  /** The content of the entry must be copied again. */
  invalidate(entry: TreeEntry): void {
    entry.hash = null;
    this.pending.add(entry);
  }

  private walk(root: string, changes: TreeChanges, visited: Set<string>): void {
    const stack = [root];
    for (let path = stack.pop(); path !== undefined; path = stack.pop()) {
      // Roots may lie inside each other.
      if (visited.has(path)) continue;
      const stats = this.statOf(path);
      if (!stats?.isDirectory()) continue;
      visited.add(path);
      const folder = this.openFolder(path, stats, changes);
      if (path !== root) this.update(path, this.entries.get(path), stats, changes);
      for (const child of folder.children) {
        if (child.kind === 'd') stack.push(child.path);
      }
    }
  }

  /** Lists the folder if it changed, and checks each of its entries. */
  private openFolder(path: string, stats: Stats, changes: TreeChanges): Folder {
    const known = this.folders.get(path);
    const isSame =
      known !== undefined &&
      known.entry.mtimeMs === stats.mtimeMs &&
      known.entry.ctimeMs === stats.ctimeMs &&
      known.entry.ino === stats.ino &&
      known.listedAt - stats.ctimeMs > RACY_MS;
    if (known && isSame) {
      this.checkChildren(known, changes);
      return known;
    }
    const folder: Folder = { entry: toEntry(path, stats), children: [], listedAt: Date.now() };
    for (const name of this.namesIn(path)) {
      const child = join(path, name);
      if (this.exclude.has(child)) continue;
      const entry = this.check(child, this.entries.get(child), changes);
      if (entry) folder.children.push(entry);
    }
    if (known) this.dropMissing(known, folder, changes);
    this.folders.set(path, folder);
    return folder;
  }

  private checkChildren(folder: Folder, changes: TreeChanges): void {
    const { children } = folder;
    let isShorter = false;
    for (let index = 0; index < children.length; index++) {
      const child = children[index] as TreeEntry;
      const now = this.check(child.path, child, changes);
      if (now) children[index] = now;
      else isShorter = true;
    }
    if (isShorter) folder.children = children.filter(({ path }) => this.entries.has(path));
  }

  private dropMissing(known: Folder, now: Folder, changes: TreeChanges): void {
    const there = new Set(now.children.map(({ path }) => path));
    for (const { path } of known.children) if (!there.has(path)) this.drop(path, changes);
  }

  private check(path: string, known: TreeEntry | undefined, changes: TreeChanges): TreeEntry | undefined {
    const stats = this.statOf(path);
    if (!stats) {
      if (known) this.drop(path, changes);
      else if (path.includes('\ufffd')) this.problem(path, 'its name is not valid UTF-8');
      return undefined;
    }
    // Folders are compared when they are walked: their times do not cover their contents.
    if (known && known.kind === 'd' && stats.isDirectory()) return known;
    return this.update(path, known, stats, changes);
  }

  private update(
    path: string,
    known: TreeEntry | undefined,
    stats: Stats,
    changes: TreeChanges,
  ): TreeEntry | undefined {
    if (known && !known.isRacy && isUnchanged(known, stats)) return known;
    if (!known && this.entries.size >= (this.options.maxEntries ?? MAX_ENTRIES)) {
      if (!this.isFull)
        this.problem(path, 'the workspace has too many files; this one and others are not covered');
      this.isFull = true;
      // Which files are left out depends on how many others exist.
      for (const root of this.options.roots) this.blind.add(root);
      return undefined;
    }
    const isSecondLook = known?.isRacy === true && isUnchanged(known, stats);
    const entry = { ...toEntry(path, stats), isSecondLook };
    if (known && entry.kind === 'd' && known.kind === 'd' && entry.mode === known.mode) {
      // Only its times changed: keep the object that the parent's list holds.
      return known;
    }
    if (!changes.has(path)) changes.set(path, known ?? null);
    if (known) this.pending.delete(known);
    if (known?.kind === 'd' && entry.kind !== 'd') this.dropBelow(path, changes);
    this.entries.set(path, entry);
    if (entry.kind === 'f') this.pending.add(entry);
    return entry;
  }

  private drop(path: string, changes: TreeChanges): void {
    const known = this.entries.get(path);
    if (!known) return;
    this.entries.delete(path);
    this.pending.delete(known);
    if (!changes.has(path)) changes.set(path, known);
    if (known.kind === 'd') this.dropBelow(path, changes);
  }

  private dropBelow(path: string, changes: TreeChanges): void {
    const folder = this.folders.get(path);
    this.folders.delete(path);
    for (const child of folder?.children ?? []) this.drop(child.path, changes);
  }

  private dropUnvisited(visited: ReadonlySet<string>, changes: TreeChanges): void {
    for (const path of this.folders.keys()) if (!visited.has(path)) this.folders.delete(path);
    const there = new Set<string>();
    for (const { children } of this.folders.values()) for (const { path } of children) there.add(path);
    for (const path of [...this.entries.keys()]) if (!there.has(path)) this.drop(path, changes);
  }

  private countBelow(visited: ReadonlySet<string>): number {
    let count = 0;
    for (const path of visited) count += this.folders.get(path)?.children.length ?? 0;
    return count;
  }

  private namesIn(path: string): string[] {
    try {
      return readdirSync(path).filter((name) => name !== '.git' || !this.noteRepository(join(path, name)));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      this.problem(path, `it cannot be listed (${codeOf(error) ?? 'error'})`);
      this.blind.add(path);
      return [];
    }
  }

  private noteRepository(path: string): true {
    const ino = this.statOf(path)?.ino;
    if (ino !== undefined) this.repositories.set(path, ino);
    return true;
  }

  private statOf(path: string): Stats | undefined {
    try {
      return lstatSync(path, { throwIfNoEntry: false });
    } catch (error) {
      // If a parent became a file, this path is gone; after any other failure it may still exist.
      if (codeOf(error) !== 'ENOTDIR') this.blind.add(dirname(path));
      return undefined;
    }
  }

  private problem(path: string, reason: string): void {
    this.problems.push({ path, reason });
  }

  private isBelowRoot(path: string): boolean {
    return this.options.roots.some((root) => path !== root && isInside(path, root));
  }
}
