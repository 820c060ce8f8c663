/** Which entries of a list are shown: as many as fit around the chosen one, with marks for the rest. */

export interface Entries {
  count: number;
  /** Rows of one entry. Lists may be long: only those near the chosen one are asked for. */
  rowsOf(index: number): number;
}

export interface Shown {
  first: number;
  last: number;
  /** Of these entries. */
  rows: number;
  /** There is room to say how many more there are. */
  hasMarks: boolean;
}

export function listWindow({ count, rowsOf }: Entries, index: number, rows: number): Shown {
  let [first, last] = [index, index];
  let used = rowsOf(index);
  // Too low for marks: the chosen entry alone, unless all fit.
  const hasMarks = rows >= 3;
  const fits = (from: number, to: number, size: number) =>
    size + (from > 0 ? 1 : 0) + (to < count - 1 ? 1 : 0) <= rows;
  if (!hasMarks && count > rows) return { first, last, rows: used, hasMarks };
  for (;;) {
    const above = first > 0 && used < rows ? rowsOf(first - 1) : undefined;
    const below = last < count - 1 && used < rows ? rowsOf(last + 1) : undefined;
    const canRise = above !== undefined && fits(first - 1, last, used + above);
    const canSink = below !== undefined && fits(first, last + 1, used + below);
    // The chosen one stays near the middle.
    if (canSink && (!canRise || last - index <= index - first)) {
      last++;
      used += below;
    } else if (canRise) {
      first--;
      used += above;
    } else return { first, last, rows: used, hasMarks };
  }
}
