/** Carries out an undo: its own snapshot first, then step by step, each file whole at any moment. */
import { readState } from './file-state.js';
import { newRecord } from './recorder.js';
import type { SnapshotStore } from './store.js';
import {
  type Change,
  type SnapshotRecord,
  sameState,
  type UndoOptions,
  type UndoPlan,
  type UndoResult,
  type UndoStep,
} from './types.js';
import { applySteps } from './undo-apply.js';
import { planUndo } from './undo-plan.js';

/** @throws SnapshotError before anything is touched, when the undo itself could not be undone */
export function undo(store: SnapshotStore, id: string, options: UndoOptions = {}): UndoResult {
  return store.exclusive(() => {
    const plan = planUndo(store, id, options);
    const ready = plan.steps.filter(({ status }) => status === 'ready');
    if (ready.length === 0) return { snapshots: plan.snapshots, steps: plan.steps };
    const record = journal(store, plan, ready);
    applySteps(store, ready, record.id);
    const done = ready.filter(({ status }) => status === 'done');
    const paths = new Set(done.flatMap(({ path, from }) => [path, from]));
    store.append({
      t: 'close',
      record: {
        ...record,
        changes: record.changes.filter(({ path }) => paths.has(path)),
        endedAt: new Date().toISOString(),
        ...(done.length === ready.length ? {} : { interrupted: true }),
      },
    });
    return { undoId: record.id, snapshots: plan.snapshots, steps: plan.steps };
  });
}

/** What is about to be replaced or removed is copied and written down before the first file is touched. */
function journal(store: SnapshotStore, plan: UndoPlan, ready: readonly UndoStep[]): SnapshotRecord {
  const ids = plan.snapshots.map(({ id }) => id);
  const call = {
    callId: '',
    toolName: 'undo',
    promptId: '',
    description: `undo of ${ids.length === 1 ? ids[0] : `${ids.length} changes since ${ids[0]}`}`,
  };
  const roots = [...new Set(plan.snapshots.flatMap((snapshot) => snapshot.roots))];
  const record = { ...newRecord('undo', call, roots), undoes: ids };
  for (const step of ready) {
    const isNothing = step.isBehindLink && step.from === undefined;
    const current = isNothing ? null : readState(step.from ?? step.path, (bytes) => store.put(bytes));
    const expected = step.action === 'move' ? step.target : step.now;
    if (!sameState(current, expected)) {
      step.status = 'changed-since';
      step.detail = 'changed meanwhile';
      continue;
    }
    // Also the times: what is removed must be the very file that was copied.
    if (step.action === 'move') step.target = current;
    else step.now = current;
    record.changes.push(...changesOf(step));
    if (current?.kind === 'file' && current.hash === null && step.action !== 'move') {
      record.uncovered.push({ path: step.path, reason: 'it is too large to be copied' });
      record.uncoveredCount++;
    }
  }
  store.append({ t: 'open', record });
  store.sync();
  return record;
}

function changesOf(step: UndoStep): Change[] {
  const { path, now, target, from } = step;
  if (from === undefined) return [{ path, before: now, after: target }];
  return [
    { path: from, before: target, after: null, movedTo: path },
    { path, before: null, after: target, movedFrom: from },
  ];
}
