/** The finished snapshots, in the order they ended, and the open ones. */
import { SnapshotError } from './error.js';
import type { LogEvent } from './records.js';
import type { SnapshotRecord, SnapshotSummary } from './types.js';

export class Ledger {
  private readonly closed = new Map<string, SnapshotRecord>();
  readonly open = new Map<string, SnapshotRecord>();
  hasTree = false;

  note(event: LogEvent): void {
    if (event.t === 'tree') this.hasTree = true;
    if (event.t === 'open') this.open.set(event.record.id, event.record);
    if (event.t === 'close') {
      this.open.delete(event.record.id);
      this.closed.set(event.record.id, event.record);
    }
  }

  /** Oldest first. */
  list(): SnapshotSummary[] {
    const undoneBy = this.undone();
    return [...this.closed.values()].map((record) => {
      const by = undoneBy.get(record.id);
      return by === undefined ? record : { ...record, undoneBy: by };
    });
  }

  /** The newest change that is not undone yet. */
  last(): SnapshotSummary | undefined {
    return this.list().findLast(
      ({ kind, changes, undoneBy }) => kind !== 'undo' && changes.length > 0 && undoneBy === undefined,
    );
  }

  /** Finds a snapshot by id or unique prefix; `last` is the newest change that is not undone yet. */
  find(id: string): SnapshotSummary {
    const all = this.list();
    if (id === 'last') {
      const last = this.last();
      if (last) return last;
      throw new SnapshotError('unknown-snapshot', 'There is nothing to undo in this folder.');
    }
    const found = all.filter((record) => record.id === id);
    const matches = found.length > 0 || id.length < 3 ? found : all.filter((item) => item.id.startsWith(id));
    if (matches.length === 1) return matches[0] as SnapshotSummary;
    const problem = matches.length === 0 ? 'There is no snapshot' : 'There are several snapshots';
    throw new SnapshotError(
      'unknown-snapshot',
      `${problem} "${id}" in this folder. List them with: gemini undo --list`,
    );
  }

  /** What a session changed, with the undos of it, oldest first. */
  ofSession(sessionId: string): SnapshotSummary[] {
    const own = new Set<string>();
    return this.list().filter((record) => {
      const isOwn = record.undoes
        ? record.undoes.some((target) => own.has(target))
        : record.sessionId === sessionId;
      if (isOwn) own.add(record.id);
      return isOwn;
    });
  }

  /** Maps a snapshot to the undo that reverted it. An undo that was itself undone or interrupted does not count. */
  private undone(): Map<string, string> {
    const undoneBy = new Map<string, string>();
    for (const { id, undoes, interrupted } of [...this.closed.values()].reverse()) {
      if (!undoes || interrupted || undoneBy.has(id)) continue;
      for (const target of undoes) if (!undoneBy.has(target)) undoneBy.set(target, id);
    }
    return undoneBy;
  }
}
