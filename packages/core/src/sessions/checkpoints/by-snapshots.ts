/** Restores files from the snapshot store: undoes what the session's own calls changed. */
import type { SnapshotSummary, UndoStep } from '../../platform/snapshots/types.js';
import { type FileStep, type FilesReport, NO_FILES, type SnapshotPort, stepOf } from './files-report.js';

export interface SnapshotRange {
  first: string;
  /** Ids of all its snapshots; any other change counts as not made by this session. */
  among: string[];
}

/** `isIgnored`: files not to touch. */
export async function restoreRange(
  store: SnapshotPort,
  range: SnapshotRange | undefined,
  options: { isPreview: boolean; isIgnored?: (path: string, isFolder: boolean) => boolean },
): Promise<FilesReport> {
  const { isPreview, isIgnored = () => false } = options;
  if (!range) return NO_FILES;
  const scope = { scope: 'since', among: range.among } as const;
  const { steps: planned } = await store.preview(range.first, scope);
  const left = planned.filter(
    ({ path, status, now, target }) =>
      status !== 'already' && isIgnored(path, (now ?? target)?.kind === 'dir'),
  );
  const except = left.map(({ path }) => path);
  const ignored = left.map((step): FileStep => {
    const { diff: _diff, ...rest } = stepOf(step);
    return { ...rest, status: 'ignored', detail: 'ignore rules cover it' };
  });
  if (isPreview) {
    return { steps: [...shown(planned, new Set(except)), ...ignored], undoIds: [] };
  }
  const { steps, undoId } = await store.undo(range.first, { ...scope, except });
  return { steps: [...shown(steps, new Set()), ...ignored], undoIds: undoId === undefined ? [] : [undoId] };
}

/** The snapshots of `sessions` from the first wanted one on, with the undos that belong to them. */
export function rangeOf(
  all: readonly SnapshotSummary[],
  sessions: ReadonlySet<string | undefined>,
  isWanted: (snapshot: SnapshotSummary) => boolean,
): SnapshotRange | undefined {
  const start = all.findIndex((snapshot) => sessions.has(snapshot.sessionId) && isWanted(snapshot));
  const first = all[start];
  if (!first) return undefined;
  const among = new Set<string>();
  for (const { id, sessionId, undoes } of all.slice(start)) {
    const isOurs = undoes ? undoes.some((target) => among.has(target)) : sessions.has(sessionId);
    if (isOurs) among.add(id);
  }
  return { first: first.id, among: [...among] };
}

/** Files that need no change are not reported. */
function shown(steps: readonly UndoStep[], without: ReadonlySet<string>): FileStep[] {
  return steps.filter(({ path, status }) => status !== 'already' && !without.has(path)).map(stepOf);
}
