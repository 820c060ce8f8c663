/**
 * All snapshot operations on disk, synchronous. Runs in a worker thread during a session, and directly in
 * `gemini undo`, which has nothing else to do.
 */
import { realPathOf } from '../files/real-path.js';
import { readRegular } from './file-state.js';
import { SnapshotRecorder } from './recorder.js';
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
  UndoStep,
} from './types.js';
import { undo } from './undo.js';
import { planUndo } from './undo-plan.js';

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

/** Both sides of a text file, for a diff. */
export interface StepTexts {
  now: string;
  target: string;
}

export interface PlanWithTexts extends UndoPlan {
  /** In the order of the steps; null for binary and large files, and beyond the first 100. */
  texts: (StepTexts | null)[];
}

const MAX_TEXTS = 100;
const MAX_TEXT_BYTES = 128 * 1024;

export class SnapshotEngine {
  private readonly store: SnapshotStore;
  private readonly recorder: SnapshotRecorder;

  constructor({ storeDir, globalDir, roots, maxBytes }: EngineOptions) {
    this.store = new SnapshotStore({ directory: storeDir, maxBytes });
    this.recorder = new SnapshotRecorder({
      store: this.store,
      roots: [...new Set(roots.map(realPathOf))],
      // Our own files are in the workspace if the user works in the home directory.
      exclude: [storeDir, globalDir].map(realPathOf),
    });
  }

  start(): void {
    this.recorder.start();
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

  preview(id: string, options: UndoOptions = {}): PlanWithTexts {
    return this.store.shared(() => {
      const plan = planUndo(this.store, id, options);
      let count = 0;
      const texts = plan.steps.map((step) =>
        step.status === 'ready' && step.action !== 'mode' && step.action !== 'move' && count++ < MAX_TEXTS
          ? this.textsOf(step)
          : null,
      );
      return { ...plan, texts };
    });
  }

  undo(id: string, options: UndoOptions = {}): UndoResult {
    return undo(this.store, id, options);
  }

  close(): void {
    this.recorder.closeAll();
  }

  private textsOf({ path, now, target }: UndoStep): StepTexts | null {
    const isText = (state: typeof now) =>
      state === null || (state.kind === 'file' && state.size <= MAX_TEXT_BYTES);
    if (!isText(now) || !isText(target)) return null;
    const read = now === null ? { bytes: Buffer.alloc(0) } : readRegular(path);
    if (typeof read === 'string') return null;
    const targetBytes =
      target?.kind === 'file' && target.hash ? this.store.get(target.hash) : Buffer.alloc(0);
    if (read.bytes.includes(0) || targetBytes.includes(0)) return null;
    return { now: read.bytes.toString('utf8'), target: targetBytes.toString('utf8') };
  }
}
