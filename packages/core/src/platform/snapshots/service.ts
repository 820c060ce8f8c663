/** Snapshots of a session: copies files before a call may change them, and undoes its changes. */
import type { EngineOptions, PlanWithTexts } from './engine.js';
import type {
  CopyProgress,
  SnapshotCall,
  SnapshotHandle,
  SnapshotRecord,
  SnapshotSummary,
  UndoOptions,
  UndoPreview,
  UndoResult,
} from './types.js';
import { WorkerClient } from './worker-client.js';

export interface SnapshotServiceOptions extends EngineOptions {
  /** The session that a call belongs to; another one after `/clear`. */
  sessionId?: () => string;
}

/** Every method rejects with a `SnapshotError`; failures are never hidden. */
export class SnapshotService {
  private readonly sessionId: (() => string) | undefined;
  private readonly options: EngineOptions;
  private client: WorkerClient | undefined;
  private started: Promise<SnapshotRecord[]> | undefined;
  /** False: nothing was recorded, and the worker can be stopped in the middle of its index, which takes no lock. */
  private isUsed = false;

  constructor({ sessionId, ...options }: SnapshotServiceOptions) {
    this.sessionId = sessionId;
    this.options = options;
  }

  /** Starts the worker and its index ahead of the first call; no call waits for it, and an error comes up in that call. */
  prepare(): void {
    this.client ??= new WorkerClient(this.options);
    this.client.tell({ method: 'prepare' });
  }

  /**
   * Starts the worker, which indexes the workspace and copies contents in the background.
   * @returns snapshots that killed processes left open; now they are closed and can be undone
   */
  start(): Promise<SnapshotRecord[]> {
    this.started ??= this.worker().ask<SnapshotRecord[]>({ method: 'start' });
    return this.started;
  }

  /** Call before a tool that changes these files; covers also the folders it would create. */
  beforeToolCall({ paths, ...call }: SnapshotCall & { paths: string[] }): Promise<SnapshotHandle> {
    return this.worker().ask({ method: 'beforeTool', call: this.withSession(call), paths });
  }

  /** Call before a command; covers the whole workspace. Waits until contents are copied, and reports progress. */
  beforeCommand(call: SnapshotCall, onProgress?: (progress: CopyProgress) => void): Promise<SnapshotHandle> {
    return this.worker().ask({ method: 'beforeCommand', call: this.withSession(call) }, onProgress);
  }

  /** Call after the call has ended, successfully or not: records what changed. */
  afterCall(handle: SnapshotHandle): Promise<SnapshotRecord> {
    return this.worker().ask({ method: 'after', snapshot: handle.id });
  }

  /** Oldest first. */
  list(): Promise<SnapshotSummary[]> {
    return this.worker().ask({ method: 'list' });
  }

  async preview(id: string, options: UndoOptions = {}): Promise<UndoPreview> {
    const plan = await this.worker().ask<PlanWithTexts>({ method: 'preview', snapshot: id, options });
    const { previewOf } = await import('./preview.js');
    return previewOf(plan);
  }

  /** @param id an id, a prefix of one, or `last`; undoing an undo is the redo */
  undo(id: string, options: UndoOptions = {}): Promise<UndoResult> {
    return this.worker().ask({ method: 'undo', snapshot: id, options });
  }

  /** Ends open calls as interrupted, and the worker. */
  async close(): Promise<void> {
    if (!this.client) return;
    try {
      if (this.isUsed) await this.client.ask({ method: 'close' });
    } finally {
      await this.client.stop();
    }
  }

  private worker(): WorkerClient {
    this.isUsed = true;
    this.client ??= new WorkerClient(this.options);
    return this.client;
  }

  private withSession(call: SnapshotCall): SnapshotCall {
    return this.sessionId === undefined ? call : { sessionId: this.sessionId(), ...call };
  }
}
