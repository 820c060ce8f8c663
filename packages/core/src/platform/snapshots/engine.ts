/**
 * All snapshot operations on disk, synchronous. Runs in a worker thread during a session, and directly in
 * `gemini undo`, which has nothing else to do.
 */
import { realPathOf } from '../files/real-path.js';
import { type NetChange, netChanges } from './net-changes.js';
import { SnapshotRecorder } from './recorder.js';
import { type StepTexts, textsOf } from './step-texts.js';
import { SnapshotStore } from './store.js';
import type {
  CopyProgress,
  SnapshotCall,
  SnapshotHandle,
  SnapshotRecord,
  SnapshotSummary,
  UndoOptions,
  UndoPlan,
  UndoResult,
} from './types.js';
import { undo } from './undo.js';
import { planUndo, samePrompt, type UndoSource } from './undo-plan.js';
import { plausibleRoots, type UndoBounds } from './undo-roots.js';

export interface EngineOptions {
  /** See `Storage.getSnapshotDir`. */
  storeDir: string;
  /** Our own files, never copied: see `Storage.getGlobalGeminiDir`. */
  globalDir: string;
  /** Folders of the workspace. */
  roots: readonly string[];
  /** `general.checkpointing.maxBytes` */
  maxBytes: number;
}

export interface PlanWithTexts extends UndoPlan {
  /** In the order of the steps; null for binary and large files, and beyond the first 100. */
  texts: (StepTexts | null)[];
}

const MAX_TEXTS = 100;

export class SnapshotEngine {
  private readonly store: SnapshotStore;
  private readonly recorder: SnapshotRecorder;
  private readonly bounds: UndoBounds;

  constructor({ storeDir, globalDir, roots, maxBytes }: EngineOptions) {
    this.store = new SnapshotStore({ directory: storeDir, maxBytes });
    this.bounds = { roots: [...new Set(roots.map(realPathOf))], globalDir };
    this.recorder = new SnapshotRecorder({
      store: this.store,
      roots: this.bounds.roots,
      // Our own files are in the workspace if the user works in the home directory.
      exclude: [storeDir, globalDir].map(realPathOf),
      plausible: (recorded) => plausibleRoots(this.bounds, recorded),
    });
  }

  start(): void {
    this.recorder.start();
  }

  /** Indexes the workspace ahead of the first call. Writes nothing, and can be broken off at any moment. */
  prepare(): void {
    this.recorder.prepare();
  }

  copySome(): boolean {
    return this.recorder.copySome();
  }

  /** Closes the snapshots that killed processes left open. */
  recover(): SnapshotRecord[] {
    return this.recorder.recover();
  }

  beforeTool(call: SnapshotCall, paths: readonly string[]): SnapshotHandle {
    return this.recorder.beforeTool(call, paths);
  }

  beforeCommand(call: SnapshotCall, onProgress?: (progress: CopyProgress) => void): SnapshotHandle {
    return this.recorder.beforeCommand(call, onProgress);
  }

  after(id: string): SnapshotRecord {
    return this.recorder.after(id);
  }

  list(): SnapshotSummary[] {
    return this.store.shared(() => this.store.ledger.list());
  }

  /** The changes of the last prompt that changed something and is not undone, oldest first. */
  lastPrompt(): SnapshotSummary[] {
    return this.store.shared(() => {
      const { ledger } = this.store;
      const last = ledger.last();
      return last ? samePrompt(ledger.list(), last) : [];
    });
  }

  preview(id: string, options: UndoOptions = {}): PlanWithTexts {
    return this.store.shared(() => {
      const plan = planUndo(this.source(), id, options);
      let count = 0;
      const texts = plan.steps.map((step) =>
        step.status === 'ready' && step.action !== 'mode' && step.action !== 'move' && count++ < MAX_TEXTS
          ? textsOf(this.store, step)
          : null,
      );
      return { ...plan, texts };
    });
  }

  /** The net changes of a session: from before its first call to now. */
  changesOf(sessionId: string): NetChange[] {
    return this.store.shared(() => netChanges(this.store, this.store.ledger.ofSession(sessionId)));
  }

  undo(id: string, options: UndoOptions = {}): UndoResult {
    return undo(this.source(), id, options);
  }

  private source(): UndoSource {
    return { store: this.store, bounds: this.bounds };
  }

  close(): void {
    this.recorder.closeAll();
  }
}
