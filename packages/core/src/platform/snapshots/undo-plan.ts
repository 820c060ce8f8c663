/** Plans an undo: what to do to each file, and which files not to touch. Changes nothing on disk. */
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../../base/errors.js';
import { realPathOf } from '../files/real-path.js';
import { namesIn } from '../files/try-read.js';
import { readState } from './file-state.js';
import { REPOSITORY_REASON } from './repositories.js';
import type { SnapshotStore } from './store.js';
import {
  type Change,
  type FileState,
  type SnapshotSummary,
  sameContent,
  sameState,
  type UndoOptions,
  type UndoPlan,
  type UndoStep,
} from './types.js';
import { boundsCheck, type UndoBounds } from './undo-roots.js';

export interface UndoSource {
  store: SnapshotStore;
  bounds: UndoBounds;
}

export function planUndo({ store, bounds }: UndoSource, id: string, options: UndoOptions = {}): UndoPlan {
  const chosen = store.ledger.find(id);
  const snapshots = snapshotsFor(store.ledger.list(), chosen, options);
  const merged = mergeChanges(snapshots);
  for (const path of options.except ?? []) merged.delete(path);
  const isAllowed = boundsCheck(
    bounds,
    snapshots.flatMap(({ roots }) => roots),
  );
  const steps = stepsFor(merged, { store, isAllowed, force: options.force === true });
  const joined = joinMoves(steps, merged);
  keepFilledFolders(joined);
  return { snapshots, steps: joined };
}

function snapshotsFor(
  all: readonly SnapshotSummary[],
  chosen: SnapshotSummary,
  options: UndoOptions,
): SnapshotSummary[] {
  switch (options.scope) {
    case 'since':
      return since(all, chosen.id, options);
    case 'prompt':
      return samePrompt(all, chosen);
    default:
      return [chosen];
  }
}

/**
 * The changes of the same prompt that are not undone yet, oldest first; `chosen` is among them. Only neighbours count:
 * a resumed session gives the same ids to other prompts.
 */
export function samePrompt(all: readonly SnapshotSummary[], chosen: SnapshotSummary): SnapshotSummary[] {
  if (chosen.promptId === '' || chosen.kind === 'undo') return [chosen];
  const calls = all.filter(({ kind, owner }) => kind !== 'undo' && owner === chosen.owner);
  const isSame = ({ promptId }: SnapshotSummary) => promptId === chosen.promptId;
  const at = calls.findIndex(({ id }) => id === chosen.id);
  const first = calls.findLastIndex((call, index) => index < at && !isSame(call)) + 1;
  const end = calls.findIndex((call, index) => index > at && !isSame(call));
  return calls
    .slice(first, end < 0 ? undefined : end)
    .filter(
      ({ id, undoneBy, changes }) => id === chosen.id || (undoneBy === undefined && changes.length > 0),
    );
}

function since(
  all: readonly SnapshotSummary[],
  first: string,
  { among }: Pick<UndoOptions, 'among'>,
): SnapshotSummary[] {
  const later = all.slice(all.findIndex(({ id }) => id === first));
  return among ? later.filter(({ id }) => among.includes(id)) : later;
}

export interface MergedChange extends Change {
  /** It was changed between two of the calls, by neither of them. */
  isBroken?: boolean;
}

/** Merges several calls into one: the state before the first and after the last. */
export function mergeChanges(snapshots: readonly SnapshotSummary[]): Map<string, MergedChange> {
  const merged = new Map<string, MergedChange>();
  for (const change of snapshots.flatMap(({ changes }) => changes)) {
    const earlier = merged.get(change.path);
    if (!earlier) {
      merged.set(change.path, { ...change });
      continue;
    }
    if (!sameState(earlier.after, change.before)) earlier.isBroken = true;
    earlier.after = change.after;
    delete earlier.movedTo;
    delete earlier.movedFrom;
  }
  return merged;
}

interface StepContext {
  store: SnapshotStore;
  isAllowed: (path: string) => boolean;
  force: boolean;
}

/** Outer paths first: a folder of the path may be a link that this undo removes. */
function stepsFor(merged: ReadonlyMap<string, MergedChange>, context: StepContext): UndoStep[] {
  const steps = new Map<string, UndoStep>();
  for (const path of [...merged.keys()].sort()) {
    const change = merged.get(path);
    if (!change) continue;
    steps.set(path, stepFor(change, isBehindRemovedLink(path, steps), context));
  }
  return [...merged.keys()].flatMap((path) => steps.get(path) ?? []);
}

function isBehindRemovedLink(path: string, steps: ReadonlyMap<string, UndoStep>): boolean {
  for (let parent = dirname(path); parent !== dirname(parent); parent = dirname(parent)) {
    const step = steps.get(parent);
    if (step?.status === 'ready' && step.now?.kind === 'link' && step.target?.kind === 'dir') return true;
  }
  return false;
}

function stepFor(
  change: MergedChange,
  isBehindLink: boolean,
  { store, isAllowed, force }: StepContext,
): UndoStep {
  if (!isAllowed(change.path)) return refusedStep(change);
  try {
    // The target of the link is another file; once the link is removed, nothing exists at this path.
    if (isBehindLink) return { ...planStep(change, null, store, force), isBehindLink };
    const now = readState(change.path);
    const leadsElsewhere =
      !sameState(now, change.before) && realPathOf(dirname(change.path)) !== dirname(change.path);
    if (!leadsElsewhere) return planStep(change, now, store, force);
    const detail = 'a folder of its path is a link now';
    return { ...planStep(change, now, store, force), status: 'unsafe', detail };
  } catch (error) {
    const { path, before: target, after: now } = change;
    return { path, action: actionFor(now, target), status: 'failed', now, target, detail: messageOf(error) };
  }
}

function refusedStep({ path, before: target, after: now }: Change): UndoStep {
  const detail = 'it is outside the workspace; start with --include-directories, then /undo';
  return { path, action: actionFor(now, target), status: 'unsafe', now, target, detail };
}

function planStep(
  change: MergedChange,
  now: FileState | null,
  store: SnapshotStore,
  force: boolean,
): UndoStep {
  const { path, before: target, after } = change;
  const step: UndoStep = { path, action: actionFor(now, target), status: 'ready', now, target };
  if (sameState(now, target)) return { ...step, status: 'already' };
  const isOurs = sameState(now, after) && !change.isBroken;
  if (!isOurs && !(force && isReplaceable(now, target))) {
    return { ...step, status: 'changed-since', detail: 'changed since' };
  }
  return { ...step, ...contentProblem(step, store) };
}

/** Not a folder with contents, and not a device. */
function isReplaceable(now: FileState | null, target: FileState | null): boolean {
  return now?.kind !== 'other' && (now?.kind !== 'dir' || target?.kind === 'dir');
}

function actionFor(now: FileState | null, target: FileState | null): UndoStep['action'] {
  if (target === null) return 'delete';
  if (now === null) return 'recreate';
  if (now.kind === 'dir' && target.kind === 'dir') return 'mode';
  return now.kind === 'file' && target.kind === 'file' && sameContent(now, target) ? 'mode' : 'restore';
}

function contentProblem({ path, action, target }: UndoStep, store: SnapshotStore): Partial<UndoStep> {
  if (target?.kind === 'other')
    return {
      status: 'not-covered',
      detail: basename(path) === '.git' ? REPOSITORY_REASON : 'devices and sockets are not copied',
    };
  if (action === 'mode' || target?.kind !== 'file') return {};
  if (target.hash === null) return { status: 'not-covered', detail: 'its old content was not copied' };
  try {
    store.get(target.hash);
    return {};
  } catch {
    return { status: 'damaged', detail: 'the copy of its old content is damaged' };
  }
}

/** A file that still exists under its new name is moved back; that works even without a copy. */
function joinMoves(steps: UndoStep[], merged: ReadonlyMap<string, Change>): UndoStep[] {
  const byPath = new Map(steps.map((step) => [step.path, step]));
  const taken = new Set<string>();
  for (const step of steps) {
    const from = merged.get(step.path)?.movedTo;
    const source = from === undefined ? undefined : byPath.get(from);
    if (from === undefined || source === undefined || !canMoveBack(step, source)) continue;
    Object.assign(step, { action: 'move', status: 'ready', from });
    delete step.detail;
    taken.add(from);
  }
  return steps.filter(({ path }) => !taken.has(path));
}

function canMoveBack(step: UndoStep, source: UndoStep): boolean {
  const { now, target } = step;
  if (step.action !== 'recreate' || now !== null || step.status === 'unsafe') return false;
  if (source.action !== 'delete' || source.status !== 'ready') return false;
  return target?.kind === 'file' && source.now?.kind === 'file' && sameState(source.now, target);
}

/** Keeps folders with contents that the undo does not remove. Deepest first, so that a kept folder keeps its parents. */
function keepFilledFolders(steps: readonly UndoStep[]): void {
  const going = new Set(
    steps.filter(isRemoval).flatMap(({ path, from, action }) => (action === 'move' ? [from] : [path])),
  );
  const folders = steps.filter((step) => isRemoval(step) && step.now?.kind === 'dir');
  for (const step of folders.sort((a, b) => b.path.length - a.path.length)) {
    const stays = namesIn(step.path).find((name) => !going.has(join(step.path, name)));
    if (stays === undefined) continue;
    step.status = 'changed-since';
    step.detail = `it contains "${stays}", which this undo does not remove`;
    going.delete(step.path);
  }
}

/** The path becomes free: the file is deleted, moved back, or replaced by an entry of another kind. */
function isRemoval({ status, action, now, target }: UndoStep): boolean {
  if (status !== 'ready') return false;
  return action === 'delete' || action === 'move' || (now?.kind === 'dir' && target?.kind !== 'dir');
}
