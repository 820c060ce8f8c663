/** Tracks the compressions in a session file: the messages before each, so that `/uncompress` can undo it. */
import type { IndexEntry } from './session-index.js';

interface Level {
  before: readonly IndexEntry[];
  /** The messages that replaced them. */
  after: ReadonlySet<string>;
}

export class RecordedLevels {
  private readonly levels: Level[] = [];

  /**
   * The whole list was replaced: by its summary, by the messages of an undone summary, or by another conversation.
   * @param isMarked summaries are marked as such, as in our own files
   */
  replaced(before: readonly IndexEntry[], after: readonly IndexEntry[], isMarked: boolean): void {
    const ids = new Set(after.map(({ id }) => id));
    const latest = this.levels.at(-1);
    if (latest?.before.some(({ id, isSubstance }) => isSubstance && ids.has(id) && !latest.after.has(id))) {
      this.levels.pop();
      return;
    }
    const isShorter = before.some(({ id, isSubstance }) => isSubstance && !ids.has(id));
    const isSummary = isMarked ? after.some((entry) => entry.isSummary) : after.length < before.length;
    if (isShorter && isSummary) this.levels.push({ before, after: ids });
    else if (isShorter) this.levels.length = 0;
  }

  rewound(id: string): void {
    for (const level of this.levels) {
      const index = level.before.findIndex((entry) => entry.id === id);
      if (index >= 0) level.before = level.before.slice(0, index);
    }
  }

  /** The messages before the last compression, and those since. */
  undone(entries: readonly IndexEntry[]): IndexEntry[] | undefined {
    const latest = this.levels.at(-1);
    if (!latest) return undefined;
    return [...latest.before, ...entries.filter(({ id }) => !latest.after.has(id))];
  }

  /** All replaced messages that `/uncompress` can still restore. */
  entries(): IndexEntry[] {
    return this.levels.flatMap(({ before }) => before);
  }
}
