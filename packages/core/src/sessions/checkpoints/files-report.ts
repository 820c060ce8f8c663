/** What happened, or would happen, to files when a checkpoint is restored or a turn is taken back. */
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
  /** `ready` in a preview. `ignored`: left because of ignore rules. */
  status: StepStatus | 'ignored';
  /** For a move: where the file is now. */
  from?: string;
  /** Why it is left, or what went wrong. */
  detail?: string;
  /** In a preview: unified, from what is there now to what will be. */
  diff?: string;
  isBinary?: boolean;
}

export interface FilesReport {
  steps: FileStep[];
  /** Undoing these one after the other brings everything back as it was. Empty in a preview. */
  undoIds: string[];
  /** One line: why files could not be brought back, or not all. */
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
