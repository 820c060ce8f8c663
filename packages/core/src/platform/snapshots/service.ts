/** Snapshots for a session: what a call may touch is kept before it runs, and can be brought back. */
import type { EngineOptions, PlanWithTexts } from './engine.js';
import { previewOf } from './preview.js';
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
  sessionId?: string;
}

/** Every method rejects with a `SnapshotError`; nothing about a failed snapshot is hidden. */
export class SnapshotService {
  private readonly sessionId: string | undefined;
  private readonly options: EngineOptions;
  private client: WorkerClient | undefined;
  private started: Promise<SnapshotRecord[]> | undefined;

  constructor({ sessionId, ...options }: SnapshotServiceOptions) {
    this.sessionId = sessionId;
    this.options = options;
  }

  /**
   * Starts the worker, which looks at the workspace and copies contents in the background.
   * @returns snapshots that killed processes left open; they are closed now and can be undone
   */
  start(): Promise<SnapshotRecord[]> {
    this.started ??= this.worker().ask<SnapshotRecord[]>({ method: 'start' });
    return this.started;
  }

  /** Before a tool that changes named files: exactly these, and the folders it would make for them. */
  beforeToolCall({ paths, ...call }: SnapshotCall & { paths: string[] }): Promise<SnapshotHandle> {
    return this.worker().ask({ method: 'beforeTool', call: this.signed(call), paths });
  }

  /** Before a command: the whole workspace. Waits for contents that are not copied yet, and says how far it is. */
  beforeCommand(call: SnapshotCall, onProgress?: (progress: CopyProgress) => void): Promise<SnapshotHandle> {
    return this.worker().ask({ method: 'beforeCommand', call: this.signed(call) }, onProgress);
  }

  /** After the call, whatever came of it: records what changed. */
  afterCall(handle: SnapshotHandle): Promise<SnapshotRecord> {
    return this.worker().ask({ method: 'after', snapshot: handle.id });
  }

  /** Oldest first. */
  list(): Promise<SnapshotSummary[]> {
    return this.worker().ask({ method: 'list' });
  }

  async preview(id: string, options: UndoOptions = {}): Promise<UndoPreview> {
    const plan = await this.worker().ask<PlanWithTexts>({ method: 'preview', snapshot: id, options });
    return previewOf(plan);
  }

  /** @param id or the beginning of one, or `last`; the id of an undo is the redo */
  undo(id: string, options: UndoOptions = {}): Promise<UndoResult> {
    return this.worker().ask({ method: 'undo', snapshot: id, options });
  }

  /** Ends open calls as interrupted, and the worker. */
  async close(): Promise<void> {
    if (!this.client) return;
    try {
      await this.client.ask({ method: 'close' });
    } finally {
      await this.client.stop();
    }
  }

  private worker(): WorkerClient {
    this.client ??= new WorkerClient(this.options);
    return this.client;
  }

  private signed(call: SnapshotCall): SnapshotCall {
    return this.sessionId === undefined ? call : { sessionId: this.sessionId, ...call };
  }
}
