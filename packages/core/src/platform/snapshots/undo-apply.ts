/** Carries out the steps of an undo, in an order in which no step blocks another. */
import { dirname, join } from 'node:path';
import { messageOf } from '../../base/errors.js';
import { temporaryPrefix } from '../files/atomic-write.js';
import { namesIn } from '../files/try-read.js';
import { ownerPid } from '../locks/lock-owner.js';
import { readState } from './file-state.js';
import {
  ChangedMeanwhileError,
  changeModeAt,
  makeFolderAt,
  makeParents,
  moveBack,
  type Place,
  removeAt,
  removeIfThere,
  writeFileAt,
  writeLinkAt,
} from './restore-file.js';
import type { SnapshotStore } from './store.js';
import type { FileState, SnapshotRecord, UndoStep } from './types.js';

/** Sets the status of each step that is `ready`. */
export function applySteps(store: SnapshotStore, steps: readonly UndoStep[], undoId: string): void {
  new StepRunner(store, undoId).run(steps.filter(({ status }) => status === 'ready'));
}

/**
 * Syncing more files would take too long. Their contents are safe in the store, which is synced: after a power cut
 * the undo can be repeated.
 */
const MAX_SYNCED = 200;

class StepRunner {
  /** Current state of the path of each step. */
  private readonly present = new Map<UndoStep, FileState | null>();
  private written = 0;
  private isSynced = true;

  constructor(
    private readonly store: SnapshotStore,
    private readonly undoId: string,
  ) {}

  run(steps: readonly UndoStep[]): void {
    for (const step of steps) this.present.set(step, step.now);
    this.isSynced = steps.length <= MAX_SYNCED;
    const shallowFirst = [...steps].sort((a, b) => a.path.length - b.path.length);
    const deepFirst = [...shallowFirst].reverse();
    const isMove = ({ action }: UndoStep) => action === 'move';
    this.stage(steps, (step, now) => now !== null && !isDir(now) && !isFile(step.target), this.remove);
    this.stage(shallowFirst, (step, now) => isDir(step.target) && now === null, this.makeFolder);
    this.stage(steps, isMove, this.moveBack);
    this.stage(deepFirst, (step, now) => isDir(now) && !isDir(step.target), this.remove);
    this.stage(steps, (step) => isFile(step.target) && !isMove(step), this.restore);
    // Last, and innermost first: we could not write into a folder that is read-only again.
    this.stage(deepFirst, (step) => isDir(step.target), this.setFolderMode);
    for (const step of steps) if (step.status === 'ready') step.status = 'done';
  }

  private stage(
    steps: readonly UndoStep[],
    applies: (step: UndoStep, now: FileState | null) => boolean,
    work: (step: UndoStep) => void,
  ): void {
    for (const step of steps) {
      if (step.status !== 'ready' || !applies(step, this.present.get(step) ?? null)) continue;
      try {
        work.call(this, step);
      } catch (error) {
        step.status = error instanceof ChangedMeanwhileError ? 'changed-since' : 'failed';
        step.detail = messageOf(error);
      }
    }
  }

  private placeOf(step: UndoStep): Place {
    return { path: step.path, now: this.present.get(step) ?? null };
  }

  private remove(step: UndoStep): void {
    removeAt(this.placeOf(step));
    this.present.set(step, null);
  }

  private makeFolder(step: UndoStep): void {
    makeParents(step.path);
    makeFolderAt(this.placeOf(step));
    this.present.set(step, readState(step.path));
  }

  private moveBack(step: UndoStep): void {
    makeParents(step.path);
    moveBack({ path: step.from ?? step.path, now: step.target }, this.placeOf(step));
  }

  private restore(step: UndoStep): void {
    const { path, target, action } = step;
    if (target?.kind === 'file' && action === 'mode') {
      changeModeAt(this.placeOf(step), target.mode);
      return;
    }
    makeParents(path);
    const temporary = `${prefixOf(this.undoId)}${this.written++}.tmp`;
    if (target?.kind === 'link') writeLinkAt(this.placeOf(step), target.target, temporary);
    if (target?.kind === 'file') {
      const bytes = this.store.get(target.hash ?? '');
      writeFileAt(this.placeOf(step), { bytes, mode: target.mode, temporary, isSynced: this.isSynced });
    }
  }

  private setFolderMode(step: UndoStep): void {
    if (step.target?.kind === 'dir') changeModeAt(this.placeOf(step), step.target.mode);
  }
}

function isDir(state: FileState | null): boolean {
  return state?.kind === 'dir';
}

/** Also a link: both replace an existing file in one step. */
function isFile(state: FileState | null): boolean {
  return state?.kind === 'file' || state?.kind === 'link';
}

function prefixOf(undoId: string): string {
  return `.gemini-undo-${undoId}-`;
}

/** Removes the temporary files that a killed undo or tool left behind. */
export function removeLeftovers(record: SnapshotRecord): void {
  const prefix = record.kind === 'undo' ? prefixOf(record.id) : temporaryPrefix(ownerPid(record.owner));
  for (const folder of new Set(record.changes.map(({ path }) => dirname(path)))) {
    for (const name of namesIn(folder)) {
      if (name.startsWith(prefix) && name.endsWith('.tmp')) removeIfThere(join(folder, name));
    }
  }
}
