/** Closes the records of calls whose process was killed, by comparing the files with their recorded states. */
import { isInside } from '../files/real-path.js';
import { changesBetween, lostIn, withoutBlind } from './changes.js';
import { readState } from './file-state.js';
import { type LogEvent, replayTree, type TreeLine } from './records.js';
import { fromLine, stateOf, type TreeEntry } from './tree-entry.js';
import type { Change, FileState, SnapshotRecord } from './types.js';

/** Files named in a record that an undo cannot restore. */
export const MAX_UNCOVERED_NAMED = 100;

export interface TreeNow {
  entries: ReadonlyMap<string, TreeEntry>;
  blind: Iterable<string>;
}

/** @param tree as it is now; used for commands only */
export function recoverRecords(
  abandoned: readonly SnapshotRecord[],
  events: readonly LogEvent[],
  tree: TreeNow,
): SnapshotRecord[] {
  return abandoned.map((record) => {
    const changes =
      record.kind === 'command'
        ? changesOfTree(record, treeAt(events, record.id), tree)
        : changesOfNamed(record);
    const uncovered = lostIn(changes, new Map(record.uncovered.map(({ path, reason }) => [path, reason])));
    return {
      ...record,
      changes,
      uncovered: uncovered.slice(0, MAX_UNCOVERED_NAMED),
      uncoveredCount: uncovered.length,
      interrupted: true,
      endedAt: new Date().toISOString(),
    };
  });
}

/** Changes of a call that named its files in advance. */
export function changesOfNamed({ changes }: SnapshotRecord): Change[] {
  const before = new Map(changes.map((change) => [change.path, change.before]));
  return changesBetween(
    before.keys(),
    (path) => before.get(path) ?? null,
    (path) => readState(path),
  );
}

function treeAt(events: readonly LogEvent[], id: string): Map<string, TreeLine> {
  const tree = new Map<string, TreeLine>();
  for (const event of events) {
    if (event.t === 'open' && event.record.id === id) break;
    replayTree(tree, event);
  }
  return tree;
}

/** Only in the folders recorded when the call began: one added to the workspace later is not its change. */
function changesOfTree(
  { roots, blind }: SnapshotRecord,
  then: ReadonlyMap<string, TreeLine>,
  now: TreeNow,
): Change[] {
  const before = (path: string): FileState | null => {
    const line = then.get(path);
    return line ? stateOf(fromLine(line)) : null;
  };
  const known = new Set([...then.keys(), ...now.entries.keys()]);
  const seen = [...known].filter((path) => roots.some((root) => isInside(path, root)));
  return changesBetween(withoutBlind(seen, [...blind, ...now.blind]), before, (path) =>
    stateOf(now.entries.get(path) ?? null),
  );
}
