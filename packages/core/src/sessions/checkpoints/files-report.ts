/** Reports what a restore or rewind did, or would do, to each file. */
import type { SnapshotService } from '../../platform/snapshots/service.js';
import type { PreviewStep, StepAction, StepStatus, UndoStep } from '../../platform/snapshots/types.js';

/** `SnapshotService` satisfies it. */
export type SnapshotPort = Pick<
  SnapshotService,
  'list' | 'preview' | 'undo' | 'beforeToolCall' | 'beforeCommand' | 'afterCall'
>;

export interface FileStep {
  /** Absolute. */
  path: string;
  action: StepAction;
  /** `ready` in a preview. `ignored`: not touched because of ignore rules. */
  status: StepStatus | 'ignored';
  /** For a move: where the file is now. */
  from?: string;
  /** Why it was not touched, or what went wrong. */
  detail?: string;
  /** In a preview: a unified diff from the current content to the restored one. */
  diff?: string;
  isBinary?: boolean;
}

export interface FilesReport {
  steps: FileStep[];
  /** Undoing these in order reverts the restore. Empty in a preview. */
  undoIds: string[];
  /** One line: why some or all files could not be restored. */
  problem?: string;
}

export const NO_FILES: FilesReport = { steps: [], undoIds: [] };

export function stepOf(step: UndoStep | PreviewStep): FileStep {
  const { path, action, status, from, detail } = step;
  const { diff, isBinary }: Partial<PreviewStep> = step;
  return {
    path,
    action,
    status,
    ...(from !== undefined && { from }),
    ...(detail !== undefined && { detail }),
    ...(diff !== undefined && { diff }),
    ...(isBinary && { isBinary }),
  };
}

/** The later part is undone first. */
export function joined(first: FilesReport, later: FilesReport): FilesReport {
  const problem = [first.problem, later.problem].filter((text) => text !== undefined).join(' ');
  return {
    steps: [...first.steps, ...later.steps],
    undoIds: [...later.undoIds, ...first.undoIds],
    ...(problem && { problem }),
  };
}
