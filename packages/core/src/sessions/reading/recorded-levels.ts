/** Compressions in a session's file: what was there before each, so that it can be taken back. */
import type { IndexEntry } from './session-index.js';

interface Level {
  before: readonly IndexEntry[];
  /** What stood in its place. */
  after: ReadonlySet<string>;
}

export class RecordedLevels {
  private readonly levels: Level[] = [];

  /**
   * The whole list was replaced: by a summary of it, by what a summary stood for, or by another conversation.
   * @param isMarked summaries are told apart from other messages, as in files of ours
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

  /** All that are not in force any more but can come back. */
  entries(): IndexEntry[] {
    return this.levels.flatMap(({ before }) => before);
  }
}
