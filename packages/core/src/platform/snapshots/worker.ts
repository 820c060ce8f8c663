/** The worker thread of the snapshots, so that the screen never waits for the disk. */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../base/errors.js';
import { type EngineOptions, SnapshotEngine } from './engine.js';
import { SnapshotError, type SnapshotReason } from './error.js';
import type { CopyProgress, SnapshotCall, UndoOptions } from './types.js';

export type WorkerRequest = { id: number } & (
  | { method: 'prepare' | 'start' | 'close' | 'list' }
  | { method: 'beforeTool'; call: SnapshotCall; paths: readonly string[] }
  | { method: 'beforeCommand'; call: SnapshotCall }
  | { method: 'after'; snapshot: string }
  | { method: 'preview' | 'undo'; snapshot: string; options: UndoOptions }
);

export type WorkerAnswer =
  | { id: number; result: unknown }
  | { id: number; error: { reason: SnapshotReason; message: string } }
  | { id: number; progress: CopyProgress };

const port = parentPort;
if (port) {
  const engine = new SnapshotEngine(workerData as EngineOptions);
  let isCopying = false;

  /** Copies a slice, handles waiting requests, then copies the next. A failure comes up again in the call it affects. */
  const copy = () => {
    try {
      isCopying = !engine.copySome();
    } catch {
      isCopying = false;
    }
    if (isCopying) setImmediate(copy);
  };
  const copyInBackground = () => {
    if (!isCopying) setImmediate(copy);
    isCopying = true;
  };

  const answer = (request: WorkerRequest): unknown => {
    switch (request.method) {
      case 'prepare':
        return engine.prepare();
      case 'start': {
        engine.start();
        const recovered = engine.recover();
        copyInBackground();
        return recovered;
      }
      case 'beforeTool':
        return engine.beforeTool(request.call, request.paths);
      case 'beforeCommand':
        return engine.beforeCommand(request.call, (progress) =>
          port.postMessage({ id: request.id, progress } satisfies WorkerAnswer),
        );
      case 'after':
        return engine.after(request.snapshot);
      case 'list':
        return engine.list();
      case 'preview':
        return engine.preview(request.snapshot, request.options);
      case 'undo':
        return engine.undo(request.snapshot, request.options);
      case 'close':
        return engine.close();
    }
  };

  port.on('message', (request: WorkerRequest) => {
    let reply: WorkerAnswer;
    try {
      reply = { id: request.id, result: answer(request) };
    } catch (error) {
      const reason = error instanceof SnapshotError ? error.reason : 'io';
      reply = { id: request.id, error: { reason, message: messageOf(error) } };
    }
    port.postMessage(reply);
  });
}
