/** Copies of files before they change. The store is opened with the first change, in a thread of its own. */
import { CallSnapshots } from '../agent/call-snapshots.js';
import { messageOf } from '../base/errors.js';
import { loadSnapshots } from '../platform/snapshots/load.js';
import type { SnapshotService } from '../platform/snapshots/service.js';
import type { Storage } from '../platform/storage.js';
import type { CheckpointServices } from './compose-checkpoints.js';
import type { Config } from './config.js';

const DEFAULT_MAX_BYTES = 1_073_741_824;

export interface SnapshotServices {
  calls: CallSnapshots;
  /** For front ends that undo; opens the store. */
  open(): Promise<SnapshotService>;
  close(): Promise<void>;
}

/** Undefined: switched off. */
export function composeSnapshots(
  config: Config,
  { storage, directories, redact, checkpoints }: SnapshotSurroundings,
): SnapshotServices | undefined {
  const { undo, checkpointing } = config.parameters;
  // A checkpoint is nothing without its files.
  if (undo?.enabled === false && !checkpointing) return undefined;
  const notice = (message: string) => config.parameters.onNotice?.(message);
  let opened: Promise<SnapshotService> | undefined;
  const start = async () => {
    const { SnapshotService } = await loadSnapshots();
    const service = new SnapshotService({
      storeDir: storage.getSnapshotDir(),
      globalDir: storage.getGlobalGeminiDir(),
      roots: [...directories()],
      maxBytes: undo?.maxBytes ?? DEFAULT_MAX_BYTES,
      sessionId: config.getSessionId(),
    });
    const interrupted = await service.start();
    if (interrupted.length > 0) {
      notice(
        `${interrupted.length} interrupted change(s) of an earlier session can be undone: gemini undo --list`,
      );
    }
    return service;
  };
  const open = () => {
    // What failed may work the next time: a disk is emptied, a lock released.
    opened ??= start().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    calls: new CallSnapshots({
      open,
      changesNothing: async (command) =>
        (await import('../policy/shell/read-only.js')).changesNothing(
          command,
          config.getEnvironment().variables['PATH'],
        ),
      redact,
      notice,
      ...(checkpointing && {
        onKept: async ({ toolName: name, args, paths }, snapshotId) => {
          try {
            const { checkpoints: made } = await checkpoints();
            made.beforeCall({ name, args, paths, ...(snapshotId && { snapshotId }) });
          } catch (error) {
            notice(`No checkpoint was made before ${name}: ${messageOf(error)}`);
          }
        },
      }),
    }),
    open,
    close: async () => {
      const closing = opened;
      opened = undefined;
      const service = await closing?.catch(() => undefined);
      await service?.close();
    },
  };
}

interface SnapshotSurroundings {
  storage: Storage;
  directories: () => readonly string[];
  redact: (text: string) => string;
  checkpoints: () => Promise<CheckpointServices>;
}
