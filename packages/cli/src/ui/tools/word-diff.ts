/** Finds the words that differ in two versions of a line. The work for one line is bounded, however long it is. */

export interface Part {
  start: number;
  end: number;
}

export interface ChangedParts {
  removed: Part[];
  added: Part[];
}

/** More differing words than this are marked as one piece: comparing all with all would cost too much. */
const MOST_WORDS = 64;
/** With a smaller share in common, two lines are different lines, and marks would only disturb. */
const LEAST_COMMON = 0.4;
/** Longer lines are data. */
const LONGEST = 10_000;

/** Undefined: the lines are equal, or have too little in common. */
export function changedParts(before: string, after: string): ChangedParts | undefined {
  if (before === after || before.length > LONGEST || after.length > LONGEST) return undefined;
  const [old, fresh] = [wordsOf(before), wordsOf(after)];
  const head = commonStart(old, fresh);
  const tail = commonEnd(old, fresh, head);
  const middle = differences(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail));
  const offset = lengthOf(old, head);
  const removed = partsOf(old, head, middle.removed, offset);
  const added = partsOf(fresh, head, middle.added, offset);
  return isSimilar(before, after, removed, added) ? { removed, added } : undefined;
}

export interface LinePair extends ChangedParts {
  /** Indexes of the two lines. */
  from: number;
  to: number;
}

/** The removed and added lines of one place that belong together, in order. */
export function pairedLines(removed: readonly string[], added: readonly string[]): LinePair[] {
  const pairs: LinePair[] = [];
  let [from, to] = [0, 0];
  while (from < removed.length && to < added.length) {
    const parts = changedParts(removed[from] ?? '', added[to] ?? '');
    if (parts) pairs.push({ ...parts, from: from++, to: to++ });
    else {
      const surplus = removed.length - from - (added.length - to);
      if (surplus >= 0) from++;
      if (surplus <= 0) to++;
    }
  }
  return pairs;
}

/** Names and numbers; spaces and signs one by one. */
function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s|[^\p{L}\p{N}_\s]/gu) ?? [];
}

function commonStart(old: readonly string[], fresh: readonly string[]): number {
  let count = 0;
  while (count < old.length && count < fresh.length && old[count] === fresh[count]) count++;
  return count;
}

function commonEnd(old: readonly string[], fresh: readonly string[], head: number): number {
  const most = Math.min(old.length, fresh.length) - head;
  let count = 0;
  while (count < most && old[old.length - 1 - count] === fresh[fresh.length - 1 - count]) count++;
  return count;
}

/** One flag for each word: true when it differs. */
function differences(
  old: readonly string[],
  fresh: readonly string[],
): { removed: boolean[]; added: boolean[] } {
  const removed = old.map(() => true);
  const added = fresh.map(() => true);
  if (old.length > MOST_WORDS || fresh.length > MOST_WORDS) return { removed, added };
  const common = commonCounts(old, fresh);
  const columns = fresh.length + 1;
  for (let [at, to] = [0, 0]; at < old.length && to < fresh.length; ) {
    if (old[at] === fresh[to]) {
      removed[at++] = false;
      added[to++] = false;
    } else if ((common[(at + 1) * columns + to] ?? 0) >= (common[at * columns + to + 1] ?? 0)) at++;
    else to++;
  }
  return { removed, added };
}

/** For each pair of positions: how many words the rests have in common (longest common subsequence). */
function commonCounts(old: readonly string[], fresh: readonly string[]): Uint8Array {
  const columns = fresh.length + 1;
  const counts = new Uint8Array((old.length + 1) * columns);
  for (let at = old.length - 1; at >= 0; at--) {
    for (let to = fresh.length - 1; to >= 0; to--) {
      counts[at * columns + to] =
        old[at] === fresh[to]
          ? (counts[(at + 1) * columns + to + 1] ?? 0) + 1
          : Math.max(counts[(at + 1) * columns + to] ?? 0, counts[at * columns + to + 1] ?? 0);
    }
  }
  return counts;
}

/** Neighbours become one part; a lone space between two parts joins them. */
function partsOf(words: readonly string[], first: number, flags: readonly boolean[], offset: number): Part[] {
  const parts: Part[] = [];
  let at = offset;
  for (const [index, isChanged] of flags.entries()) {
    const word = words[first + index] ?? '';
    const last = parts.at(-1);
    const joins = isChanged || (word === ' ' && flags[index + 1] === true);
    if (joins && last?.end === at) last.end += word.length;
    else if (isChanged) parts.push({ start: at, end: at + word.length });
    at += word.length;
  }
  return parts;
}

function isSimilar(before: string, after: string, removed: readonly Part[], added: readonly Part[]): boolean {
  const visible = (text: string) => text.replace(/\s+/g, '').length;
  const changed = (text: string, parts: readonly Part[]) =>
    parts.reduce((sum, { start, end }) => sum + visible(text.slice(start, end)), 0);
  const common = Math.min(visible(before) - changed(before, removed), visible(after) - changed(after, added));
  return common > 0 && common >= LEAST_COMMON * Math.min(visible(before), visible(after));
}

function lengthOf(words: readonly string[], count: number): number {
  let length = 0;
  for (let index = 0; index < count; index++) length += words[index]?.length ?? 0;
  return length;
}
