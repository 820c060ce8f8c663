/** Copies of files before they change. The store opens with the first change, in a worker thread. */
import { CallSnapshots, type SnapshotOptions } from '../agent/call-snapshots.js';
import type { SnapshotService } from '../platform/snapshots/service.js';
import type { Storage } from '../platform/storage/storage.js';
import type { CompleteParameters } from './parameters.js';

export interface SnapshotParts {
  parameters: Pick<CompleteParameters, 'undo' | 'checkpointing'>;
  sessionId: () => string;
  /** The `PATH` commands are looked up in. */
  path: string | undefined;
  storage: Storage;
  directories: () => readonly string[];
  redact: (text: string) => string;
  notice: (message: string) => void;
}

export interface SnapshotServices {
  /** For the calls of one agent. @param onKept called right before a call, see `SnapshotOptions` */
  forCalls(onKept?: SnapshotOptions['onKept']): CallSnapshots;
  /** Starts the thread of the snapshots and its index, so that the first change need not wait for them. */
  prepare(): Promise<void>;
  /** For front ends that undo; opens the store. */
  open(): Promise<SnapshotService>;
  close(): Promise<void>;
}

/** Undefined: changes are not saved. */
export function composeSnapshots(parts: SnapshotParts): SnapshotServices | undefined {
  const { sessionId, path, storage, directories, redact, notice } = parts;
  const { undo, checkpointing } = parts.parameters;
  // A checkpoint needs its files.
  if (!undo.enabled && !checkpointing) return undefined;
  let prepared: { service: SnapshotService; roots: readonly string[] } | undefined;
  let opened: Promise<SnapshotService> | undefined;
  const make = async () => {
    const { SnapshotService } = await import('../platform/snapshots/service.js');
    const roots = [...directories()];
    const service = new SnapshotService({
      storeDir: storage.getSnapshotDir(),
      globalDir: storage.getGlobalGeminiDir(),
      roots,
      maxBytes: undo.maxBytes,
      sessionId,
    });
    return { service, roots };
  };
  /** What was prepared, unless a folder was added since. */
  const takePrepared = async () => {
    const ready = prepared;
    prepared = undefined;
    if (!ready || ready.roots.join('\0') === directories().join('\0')) return ready?.service;
    await ready.service.close();
    return undefined;
  };
  const start = async () => {
    const service = (await takePrepared()) ?? (await make()).service;
    const interrupted = await service.start();
    if (interrupted.length > 0) {
      notice(
        `${interrupted.length} interrupted change(s) of an earlier session can be undone: gemini undo --list`,
      );
    }
    return service;
  };
  const open = () => {
    // Try again next time: a disk may be emptied, a lock released.
    opened ??= start().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    forCalls: (onKept) =>
      new CallSnapshots({
        open,
        changesNothing: async (command) =>
          (await import('../policy/shell/read-only.js')).changesNothing(command, path),
        redact,
        notice,
        ...(onKept && { onKept }),
      }),
    prepare: async () => {
      if (prepared || opened) return;
      const ready = await make();
      // A first change came meanwhile.
      if (opened) return;
      prepared = ready;
      ready.service.prepare();
    },
    open,
    close: async () => {
      const closing = opened;
      opened = undefined;
      const service = await closing?.catch(() => undefined);
      await Promise.all([service?.close(), prepared?.service.close()]);
      prepared = undefined;
    },
  };
}
