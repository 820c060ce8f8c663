/** What several calls changed together: every file before the first of them, and now. */
import { changesBetween } from './changes.js';
import { readState } from './file-state.js';
import { type StepTexts, textsOf } from './step-texts.js';
import type { SnapshotStore } from './store.js';
import { type Change, type FileState, type SnapshotSummary, sameState } from './types.js';
import { mergeChanges } from './undo-plan.js';

export interface NetChange extends Change {
  /** Null for binary and large files, and beyond the first 500. */
  texts: StepTexts | null;
  /** It was also changed by something else, e.g. by the user in an editor. */
  isForeign: boolean;
}

const MAX_TEXTS = 500;

/** Sorted by path, without folders. `after` is the state now. */
export function netChanges(store: SnapshotStore, snapshots: readonly SnapshotSummary[]): NetChange[] {
  const merged = mergeChanges(snapshots);
  const now = new Map([...merged.keys()].map((path) => [path, stateNow(path)]));
  const changes = changesBetween(
    merged.keys(),
    (path) => merged.get(path)?.before ?? null,
    (path) => now.get(path) ?? null,
  );
  return changes.filter(isFile).map((change, index) => {
    const { path, before, after } = change;
    const known = merged.get(path);
    return {
      ...change,
      texts: index < MAX_TEXTS ? textsOf(store, { path, now: after, target: before }) : null,
      isForeign: known?.isBroken === true || !sameState(known?.after ?? null, after),
    };
  });
}

/** A path behind a file or without permission has nothing that could be shown. */
function stateNow(path: string): FileState | null {
  try {
    return readState(path);
  } catch {
    return null;
  }
}

function isFile({ before, after }: Change): boolean {
  return [before, after].some((state) => state !== null && state.kind !== 'dir');
}
