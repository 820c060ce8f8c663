/** Saves what a call may change before it runs, so that it can be undone; reports when that was not possible. */
import { messageOf } from '../base/errors.js';
import { SnapshotError } from '../platform/snapshots/error.js';
import type { SnapshotCall, SnapshotHandle, SnapshotRecord, Uncovered } from '../platform/snapshots/types.js';
import { Kind } from '../protocol/tool-declaration.js';
import { RUN_SHELL_COMMAND } from '../protocol/tool-names.js';
import { MUTATOR_KINDS, type ToolResult } from '../tools/tools.js';

/** `SnapshotService` satisfies it. */
export interface SnapshotStore {
  beforeToolCall(call: SnapshotCall & { paths: string[] }): Promise<SnapshotHandle>;
  beforeCommand(
    call: SnapshotCall,
    onProgress?: (progress: { copiedBytes: number; totalBytes: number }) => void,
  ): Promise<SnapshotHandle>;
  afterCall(handle: SnapshotHandle): Promise<SnapshotRecord>;
}

export interface SnapshotOptions {
  /** Started on first use. */
  open: () => Promise<SnapshotStore>;
  changesNothing: (command: string) => Promise<boolean>;
  redact: (text: string) => string;
  notice: (message: string) => void;
  /** Called right before the call, with its snapshot id where there is one (checkpoints). Never throws. */
  onKept?: (call: CallToKeep, snapshotId?: string) => Promise<void>;
}

export interface CallToKeep {
  callId: string;
  promptId: string;
  toolName: string;
  kind: Kind;
  args: Record<string, unknown>;
  description: string;
  /** Files that the call names. */
  paths: string[];
  onProgress?: (text: string) => void;
}

/** Without a writable place the work continues and the user is told; a damaged or full store stops the call. */
const GOES_ON = new Set(['unwritable', 'locked', 'unavailable']);
const MEGABYTE = 1024 * 1024;
const MAX_NAMED = 5;

/** What goes around each call of an agent. */
export interface AroundCalls {
  around(
    call: CallToKeep,
    run: () => Promise<ToolResult>,
    isRunning: (result: ToolResult) => boolean,
  ): Promise<ToolResult>;
}

export class CallSnapshots {
  private readonly said = new Set<string>();

  constructor(private readonly options: SnapshotOptions) {}

  /**
   * Runs the call. `isRunning` of its result: it continues in the background, and the snapshot stays open.
   * @throws SnapshotError when nothing could be saved; the call did not run then
   */
  async around<T>(call: CallToKeep, run: () => Promise<T>, isRunning: (result: T) => boolean): Promise<T> {
    const isKept = !(await this.needsNone(call));
    const handle = isKept ? await this.before(call) : undefined;
    if (isKept) await this.options.onKept?.(call, handle?.id);
    let continues = false;
    try {
      const result = await run();
      continues = isRunning(result);
      return result;
    } finally {
      if (handle && !continues) await this.after(handle);
    }
  }

  private async needsNone({ toolName, kind, args }: CallToKeep): Promise<boolean> {
    if (!MUTATOR_KINDS.includes(kind)) return true;
    const { command } = args;
    return (
      toolName === RUN_SHELL_COMMAND &&
      typeof command === 'string' &&
      (await this.options.changesNothing(command))
    );
  }

  private async before(call: CallToKeep): Promise<SnapshotHandle | undefined> {
    const { callId, toolName, promptId, paths, kind } = call;
    const description = this.options.redact(call.description);
    try {
      const store = await this.options.open();
      return kind === Kind.Execute || paths.length === 0
        ? await store.beforeCommand(
            { callId, toolName, promptId, description },
            ({ copiedBytes, totalBytes }) =>
              call.onProgress?.(
                `Keeping files for undo: ${Math.round(copiedBytes / MEGABYTE)} of ${Math.round(totalBytes / MEGABYTE)} MB`,
              ),
          )
        : await store.beforeToolCall({ callId, toolName, promptId, description, paths });
    } catch (error) {
      if (!(error instanceof SnapshotError) || !GOES_ON.has(error.reason)) throw error;
      this.sayOnce(`Changes cannot be undone: ${messageOf(error)}`);
      return undefined;
    }
  }

  private async after(handle: SnapshotHandle): Promise<void> {
    try {
      const store = await this.options.open();
      const { uncovered, uncoveredCount } = await store.afterCall(handle);
      if (uncoveredCount > 0) this.options.notice(notCovered(uncovered, uncoveredCount));
    } catch (error) {
      this.sayOnce(`What the last change did could not be recorded for undo: ${messageOf(error)}`);
    }
  }

  private sayOnce(message: string): void {
    if (this.said.has(message)) return;
    this.said.add(message);
    this.options.notice(message);
  }
}

function notCovered(uncovered: readonly Uncovered[], count: number): string {
  const named = uncovered.slice(0, MAX_NAMED).map(({ path, reason }) => `${path} (${reason})`);
  const more = count > named.length ? ` and ${count - named.length} more` : '';
  return `An undo cannot restore: ${named.join(', ')}${more}`;
}
