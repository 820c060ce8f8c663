/** Finds code in a Markdown text: fences and spans. Always takes linear time. */
import { fencedBlocks } from '../base/markdown-fences.js';

export interface TextRange {
  start: number;
  end: number;
}

/** In order, not overlapping. An open fence goes to the end of the text. */
export function codeRanges(text: string): TextRange[] {
  const ranges: TextRange[] = [];
  let proseStart = 0;
  for (const { start, end } of fencedBlocks(text)) {
    addSpans(ranges, text, proseStart, start);
    ranges.push({ start, end });
    proseStart = end;
  }
  addSpans(ranges, text, proseStart, text.length);
  return ranges;
}

/** A span ends at a blank line. */
function addSpans(ranges: TextRange[], text: string, start: number, end: number): void {
  let from = start;
  for (const { index } of text.slice(start, end).matchAll(/\n[ \t\r]*(?=\n)/g)) {
    for (const span of spansIn(text, from, start + index)) ranges.push(span);
    from = start + index;
  }
  for (const span of spansIn(text, from, end)) ranges.push(span);
}

/** Runs of backticks close with the next run of the same length. */
function spansIn(text: string, start: number, end: number): TextRange[] {
  const runs = runsIn(text, start, end);
  const later = new Map<number, number[]>();
  runs.forEach(({ length }, index) => {
    const same = later.get(length);
    if (same) same.push(index);
    else later.set(length, [index]);
  });
  const taken = new Map<number, number>();
  const ranges: TextRange[] = [];
  for (let index = 0; index < runs.length; index++) {
    const { at, length } = runs[index] as Run;
    const same = later.get(length) ?? [];
    let next = taken.get(length) ?? 0;
    while (next < same.length && (same[next] as number) <= index) next++;
    taken.set(length, next);
    const closing = same[next];
    if (closing === undefined) continue;
    ranges.push({ start: at, end: (runs[closing] as Run).at + length });
    index = closing;
  }
  return ranges;
}

interface Run {
  at: number;
  length: number;
}

function runsIn(text: string, start: number, end: number): Run[] {
  const runs: Run[] = [];
  for (let at = text.indexOf('`', start); at !== -1 && at < end; ) {
    let after = at;
    while (after < end && text[after] === '`') after++;
    runs.push({ at, length: after - at });
    at = text.indexOf('`', after);
  }
  return runs;
}
