/** Runs an undo: records its own snapshot first, then applies the steps. */
import { randomHex } from '../random.js';
import { SnapshotError } from './error.js';
import { readState } from './file-state.js';
import { newRecord } from './recorder.js';
import type { SnapshotStore } from './store.js';
import {
  type Change,
  type FileState,
  type SnapshotRecord,
  sameState,
  type UndoOptions,
  type UndoPlan,
  type UndoResult,
  type UndoStep,
} from './types.js';
import { applySteps } from './undo-apply.js';
import { planUndo, type UndoSource } from './undo-plan.js';

/** @throws SnapshotError before any file is changed, when the undo itself could not be undone */
export function undo(source: UndoSource, id: string, options: UndoOptions = {}): UndoResult {
  if (options.isRecorded === false) return undoUnrecorded(source, id, options);
  const { store } = source;
  let hasBegun = false;
  try {
    return store.exclusive(() => {
      const plan = planUndo(source, id, options);
      const ready = plan.steps.filter(({ status }) => status === 'ready');
      if (ready.length === 0) return { snapshots: plan.snapshots, steps: plan.steps };
      const record = openRecord(store, plan, ready);
      hasBegun = true;
      applySteps(store, ready, record.id);
      closeRecord(store, record, ready);
      return { undoId: record.id, snapshots: plan.snapshots, steps: plan.steps };
    });
  } catch (error) {
    throw hasBegun ? error : withNoRecordHint(error);
  }
}

/** Needs neither space in the store nor permission to write to it, but cannot be undone. */
function undoUnrecorded(source: UndoSource, id: string, options: UndoOptions): UndoResult {
  const { store } = source;
  return store.shared(() => {
    const { snapshots, steps } = planUndo(source, id, options);
    const ready = steps.filter(({ status }) => status === 'ready');
    for (const step of ready) checkAgain(step);
    applySteps(store, ready, randomHex(4));
    return { snapshots, steps };
  });
}

function withNoRecordHint(error: unknown): unknown {
  if (!(error instanceof SnapshotError) || !['full', 'unwritable'].includes(error.reason)) return error;
  const hint = 'Nothing was changed. "gemini undo --no-record" does it; that cannot be undone itself.';
  return new SnapshotError(error.reason, `${error.message.replace(/[.\s]*$/, '.')} ${hint}`, error);
}

function closeRecord(store: SnapshotStore, record: SnapshotRecord, ready: readonly UndoStep[]): void {
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
}

/** Copies and records what will be replaced or removed, before the first file is changed. */
function openRecord(store: SnapshotStore, plan: UndoPlan, ready: readonly UndoStep[]): SnapshotRecord {
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
    const current = checkAgain(step, (bytes) => store.put(bytes));
    if (step.status !== 'ready') continue;
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

/** Compares the times too: the file must be the very one that was planned for. */
function checkAgain(step: UndoStep, keep?: (bytes: Buffer) => string): FileState | null {
  const isNothing = step.isBehindLink && step.from === undefined;
  const current = isNothing ? null : readState(step.from ?? step.path, keep);
  const expected = step.action === 'move' ? step.target : step.now;
  if (!sameState(current, expected)) {
    step.status = 'changed-since';
    step.detail = 'changed meanwhile';
  } else if (step.action === 'move') step.target = current;
  else step.now = current;
  return current;
}

function changesOf(step: UndoStep): Change[] {
  const { path, now, target, from } = step;
  if (from === undefined) return [{ path, before: now, after: target }];
  return [
    { path: from, before: target, after: null, movedTo: path },
    { path, before: null, after: target, movedFrom: from },
  ];
}
