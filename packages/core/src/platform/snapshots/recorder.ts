/** Records snapshots: of the named files for a file tool, of the whole tree for a command. */
import { dirname } from 'node:path';
import { realPathOf } from '../files/real-path.js';
import { mayBeAlive, ownerName } from '../locks/lock-owner.js';
import { randomHex } from '../random.js';
import { changesBetween, lostIn, withoutBlind } from './changes.js';
import { ContentCopier } from './copier.js';
import { SnapshotError } from './error.js';
import { readState, statIfThere } from './file-state.js';
import type { LogEvent } from './records.js';
import { changesOfNamed, MAX_UNCOVERED_NAMED, recoverRecords } from './recover.js';
import {
  lostRepositories,
  presentRepositories,
  REPOSITORY_REASON,
  type Repositories,
} from './repositories.js';
import type { SnapshotStore } from './store.js';
import { stateOf, toLine } from './tree-entry.js';
import { type TreeChanges, TreeIndex } from './tree-index.js';
import {
  type Change,
  type CopyProgress,
  type SnapshotCall,
  type SnapshotHandle,
  type SnapshotKind,
  type SnapshotRecord,
  sameState,
  type Uncovered,
} from './types.js';
import { removeLeftovers } from './undo-apply.js';

export interface RecorderOptions {
  store: SnapshotStore;
  /** Real paths of the workspace folders. */
  roots: readonly string[];
  exclude: readonly string[];
  /** Filters the folders of records that killed processes left open. */
  plausible?: (roots: readonly string[]) => readonly string[];
  maxEntries?: number;
}

interface OpenCall {
  record: SnapshotRecord;
  /** For commands: the earlier state of every path that has changed since. */
  touched?: TreeChanges;
  repositories?: Repositories;
  reasons: Map<string, string>;
}

/** The process of an older call has ended, even if its id is in use again, here or on another machine. */
const LONGEST_CALL_MS = 7 * 24 * 60 * 60 * 1000;
/** Attempts to copy files that are being written to all the time. */
const MAX_ROUNDS = 3;

export class SnapshotRecorder {
  private readonly store: SnapshotStore;
  private readonly tree: TreeIndex;
  private readonly copier: ContentCopier;
  private readonly roots: string[];
  private readonly plausible: NonNullable<RecorderOptions['plausible']>;
  private readonly open = new Map<string, OpenCall>();
  private generation = 0;
  private isIndexed = false;
  private isStarted = false;

  constructor(options: RecorderOptions) {
    const { store, roots, exclude, plausible = (found) => found, maxEntries } = options;
    this.store = store;
    this.plausible = plausible;
    this.roots = [...roots];
    this.tree = new TreeIndex({
      roots: this.roots,
      exclude,
      ...(maxEntries === undefined ? {} : { maxEntries }),
    });
    this.copier = new ContentCopier(store, this.tree);
    store.pins = () => [...this.tree.entries.values()].flatMap(({ hash }) => hash ?? []);
  }

  /** Indexes the tree ahead of `start`, without the lock: a worker that is ended meanwhile leaves nothing behind. */
  prepare(): void {
    if (!this.isIndexed) this.store.peek(() => this.index());
  }

  /** Indexes the tree for the first time; `copySome` then copies the contents. */
  start(): void {
    if (this.isStarted) return;
    this.store.exclusive(() => {
      for (const { roots } of this.abandoned()) {
        for (const root of this.plausible(roots)) if (!this.roots.includes(root)) this.roots.push(root);
      }
      if (this.isIndexed) {
        this.checkContents();
        this.refreshTree();
      } else this.index();
    });
    this.isStarted = true;
  }

  private index(): void {
    this.tree.load(this.store.takeTree());
    this.generation = this.store.generation;
    this.requireContents();
    this.refreshTree();
    this.isIndexed = true;
  }

  /** Copies one slice in the background. Returns true when all is done. */
  copySome(): boolean {
    const isDone = this.copier.copySome();
    if (isDone) {
      this.store.exclusive(() => {
        this.saveTree();
        this.store.sync();
      });
    }
    return isDone;
  }

  beforeTool(call: SnapshotCall, paths: readonly string[]): SnapshotHandle {
    return this.store.exclusive(() => {
      const record = this.newRecord('tool', call);
      const keep = (bytes: Buffer) => this.store.put(bytes);
      for (const path of withMissingParents(paths)) {
        const before = readState(path, keep);
        record.changes.push({ path, before, after: before });
        if (before?.kind === 'file' && before.hash === null) {
          addUncovered(record, [{ path, reason: 'it is too large, or cannot be read' }]);
        }
      }
      return this.begin({ record, reasons: new Map() });
    });
  }

  beforeCommand(call: SnapshotCall, onProgress?: (progress: CopyProgress) => void): SnapshotHandle {
    this.start();
    return this.upToDate(() => {
      this.saveTree();
      const record = { ...this.newRecord('command', call), blind: [...this.tree.blind] };
      const uncovered = [...this.tree.problems, ...this.copier.uncovered()];
      addUncovered(record, uncovered);
      const reasons = new Map(uncovered.map(({ path, reason }) => [path, reason]));
      const repositories = presentRepositories(this.tree.repositories);
      return this.begin({ record, touched: new Map(), repositories, reasons });
    }, onProgress);
  }

  after(id: string): SnapshotRecord {
    const call = this.open.get(id);
    if (!call) throw new SnapshotError('unknown-snapshot', `There is no open snapshot "${id}".`);
    const others = this.commandsBeside(call);
    const finish = () => {
      const changes = call.touched
        ? this.changesOfCommand(call.touched, call.record.blind)
        : changesOfNamed(call.record);
      for (const change of lostRepositories(call.repositories ?? new Map())) {
        changes.push(change);
        call.reasons.set(change.path, REPOSITORY_REASON);
      }
      for (const other of others) removeChangesOf(other, changes);
      const uncovered = call.touched
        ? [...this.tree.problems, ...lostIn(changes, call.reasons)]
        : lostIn(changes, call.reasons);
      const record = { ...call.record, changes, uncovered: [], uncoveredCount: 0, endedAt: now() };
      addUncovered(record, uncovered);
      this.saveTree();
      this.store.append({ t: 'close', record });
      this.open.delete(id);
      return record;
    };
    if (call.touched) return this.upToDate(finish);
    if (others.length > 0) this.refreshTree();
    return this.store.exclusive(finish);
  }

  /** What other commands, still running in the background, have changed so far. */
  private commandsBeside(ended: OpenCall): TreeChanges[] {
    return [...this.open.values()].flatMap((call) => (call !== ended && call.touched ? [call.touched] : []));
  }

  /** Ends all open calls as interrupted, with the changes up to now. */
  closeAll(): void {
    for (const [id, call] of [...this.open]) {
      call.record.interrupted = true;
      this.after(id);
    }
  }

  /** Closes the records of killed processes. Needs the tree only if one of them was a command. */
  recover(): SnapshotRecord[] {
    const abandoned = this.store.shared(() => this.abandoned());
    if (abandoned.length === 0) return [];
    for (const record of abandoned) if (hasLeftovers(record)) removeLeftovers(record);
    if (abandoned.some(({ kind }) => kind === 'command')) {
      this.start();
      this.bringUpToDate();
    }
    return this.store.exclusive(() => {
      const closed = recoverRecords(this.abandoned(), this.store.events(), this.tree);
      if (this.isStarted) this.saveTree();
      this.store.append(...closed.map((record): LogEvent => ({ t: 'close', record })));
      return closed;
    });
  }

  private abandoned(): SnapshotRecord[] {
    return [...this.store.ledger.open.values()].filter(
      ({ id, owner, startedAt }) =>
        !this.open.has(id) && (!mayBeAlive(owner) || Date.now() - Date.parse(startedAt) > LONGEST_CALL_MS),
    );
  }

  private begin(call: OpenCall): SnapshotHandle {
    const { record } = call;
    this.store.append({ t: 'open', record });
    this.open.set(record.id, call);
    const { id, kind, uncovered, uncoveredCount } = record;
    return { id, kind, uncovered, uncoveredCount };
  }

  private changesOfCommand(touched: TreeChanges, blind: readonly string[]): Change[] {
    return changesBetween(
      withoutBlind(touched.keys(), [...blind, ...this.tree.blind]),
      (path) => stateOf(touched.get(path) ?? null),
      (path) => stateOf(this.tree.entries.get(path) ?? null),
    );
  }

  /** Runs `work` with an index and contents that are up to date: under one lock if little has to be copied. */
  private upToDate<T>(work: () => T, onProgress?: (progress: CopyProgress) => void): T {
    const quick = this.store.exclusive(() => {
      this.checkContents();
      this.refreshTree();
      return this.copier.copyFew() ? { result: work() } : undefined;
    });
    if (quick) return quick.result;
    this.bringUpToDate(onProgress);
    return this.store.exclusive(work);
  }

  /** Refreshes the tree and copies the contents; repeats when files changed meanwhile. */
  private bringUpToDate(onProgress?: (progress: CopyProgress) => void): void {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      this.store.exclusive(() => this.checkContents());
      if (this.refreshTree() === 0 && round > 0) break;
      if (this.copier.copyOrdinary(onProgress)) break;
    }
  }

  private refreshTree(): number {
    const changes = this.tree.refresh();
    for (const [path, before] of changes) {
      for (const { touched } of this.open.values()) {
        if (touched && !touched.has(path)) touched.set(path, before);
      }
    }
    return changes.size;
  }

  /** Another process may have compacted the store and dropped contents that no record named yet. */
  private checkContents(): void {
    if (this.generation === this.store.generation) return;
    this.generation = this.store.generation;
    this.requireContents();
  }

  private requireContents(): void {
    for (const entry of this.tree.entries.values()) {
      if (entry.hash !== null && !this.store.has(entry.hash)) this.tree.invalidate(entry);
    }
  }

  private saveTree(): void {
    const { entries, unsaved } = this.tree;
    if (!this.store.ledger.hasTree || unsaved.size > entries.size / 2) {
      this.store.append({ t: 'tree', lines: [...entries.values()].map(toLine) });
    } else if (unsaved.size > 0) {
      const paths = [...unsaved];
      const set = paths.flatMap((path) => entries.get(path) ?? []).map(toLine);
      this.store.append({ t: 'delta', set, gone: paths.filter((path) => !entries.has(path)) });
    }
    unsaved.clear();
  }

  private newRecord(kind: SnapshotKind, call: SnapshotCall): SnapshotRecord {
    return newRecord(kind, call, this.roots);
  }
}

export function newRecord(kind: SnapshotKind, call: SnapshotCall, roots: readonly string[]): SnapshotRecord {
  const { callId, toolName, promptId, sessionId, description } = call;
  return {
    id: randomHex(4),
    kind,
    callId,
    toolName,
    promptId,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(description === undefined ? {} : { description }),
    startedAt: now(),
    owner: ownerName(),
    roots: [...roots],
    blind: [],
    changes: [],
    uncovered: [],
    uncoveredCount: 0,
  };
}

/** Changes of a finished call do not belong to a command that still runs in the background. */
function removeChangesOf(background: TreeChanges, changes: readonly Change[]): void {
  for (const { path, before } of changes) {
    const known = background.get(path);
    // The command had not changed the file before the call began.
    if (known !== undefined && sameState(stateOf(known), before)) background.delete(path);
  }
}

function now(): string {
  return new Date().toISOString();
}

function addUncovered(record: SnapshotRecord, uncovered: readonly Uncovered[]): void {
  record.uncovered.push(...uncovered.slice(0, MAX_UNCOVERED_NAMED - record.uncovered.length));
  record.uncoveredCount += uncovered.length;
}

/** Whether we may have left temporary files for it; a command does not write through us. */
function hasLeftovers({ kind, owner }: SnapshotRecord): boolean {
  return kind === 'undo' || (kind === 'tool' && !mayBeAlive(owner));
}

/** The real paths, and the folders that writing to them would create. */
function withMissingParents(paths: readonly string[]): string[] {
  const all = new Set<string>();
  for (const path of paths) {
    const real = realPathOf(path);
    const parents: string[] = [];
    for (let parent = dirname(real); !statIfThere(parent); parent = dirname(parent)) parents.unshift(parent);
    for (const item of [...parents, real]) all.add(item);
  }
  return [...all];
}
