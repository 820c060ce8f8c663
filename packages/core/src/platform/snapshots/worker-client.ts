/** Sends requests to the snapshot worker and waits for its answers. */
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../base/errors.js';
import { findBuiltFile } from '../built-file.js';
import type { EngineOptions } from './engine.js';
import { SnapshotError } from './error.js';
import type { CopyProgress } from './types.js';
import type { WorkerAnswer, WorkerRequest } from './worker.js';

type Unnumbered<T> = T extends unknown ? Omit<T, 'id'> : never;

interface Waiting {
  resolve(result: unknown): void;
  reject(error: SnapshotError): void;
  onProgress?: ((progress: CopyProgress) => void) | undefined;
}

export class WorkerClient {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;
  private failure: SnapshotError | undefined;

  constructor(options: EngineOptions) {
    this.worker = startWorker(options);
    // Only a pending request keeps the program running.
    this.worker.unref();
    this.worker.on('message', (answer: WorkerAnswer) => this.take(answer));
    this.worker.on('error', (error) => this.fail(messageOf(error)));
    this.worker.on('exit', () => this.fail('its worker has ended'));
  }

  ask<T>(request: Unnumbered<WorkerRequest>, onProgress?: (progress: CopyProgress) => void): Promise<T> {
    if (this.failure) return Promise.reject(this.failure);
    const id = ++this.lastId;
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (result: unknown) => void, reject, onProgress });
      this.worker.ref();
      this.worker.postMessage({ ...request, id });
    });
  }

  /** Sends a request whose answer is not waited for; it does not keep the program running. */
  tell(request: Unnumbered<WorkerRequest>): void {
    this.worker.postMessage({ ...request, id: ++this.lastId });
  }

  async stop(): Promise<void> {
    this.fail('it was closed');
    await this.worker.terminate();
  }

  private take(answer: WorkerAnswer): void {
    const waiting = this.waiting.get(answer.id);
    if (!waiting) return;
    if ('progress' in answer) {
      waiting.onProgress?.(answer.progress);
      return;
    }
    this.waiting.delete(answer.id);
    if (this.waiting.size === 0) this.worker.unref();
    if ('error' in answer) waiting.reject(new SnapshotError(answer.error.reason, answer.error.message));
    else waiting.resolve(answer.result);
  }

  private fail(reason: string): void {
    this.failure ??= new SnapshotError('unavailable', `The snapshot service does not run: ${reason}.`);
    for (const { reject } of this.waiting.values()) reject(this.failure);
    this.waiting.clear();
  }
}

/** The build bundles the worker as a separate file; from source, tsx compiles it. */
function startWorker(options: EngineOptions): Worker {
  // Node's own flags apply only to the main program.
  const common = { workerData: options, execArgv: [] };
  const built = findBuiltFile('snapshot-worker.cjs');
  if (built) return new Worker(built, common);
  const source = JSON.stringify(new URL('./worker.ts', import.meta.url).pathname);
  return new Worker(`require('tsx/cjs');require(${source})`, { ...common, eval: true });
}
