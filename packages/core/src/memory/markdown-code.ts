/** Where in a Markdown text code stands: fences and spans. In time linear to the text, whatever is in it. */

export interface TextRange {
  start: number;
  end: number;
}

/** In order, not overlapping. An open fence goes to the end of the text. */
export function codeRanges(text: string): TextRange[] {
  const ranges: TextRange[] = [];
  let fence: { character: string; length: number; start: number } | undefined;
  let proseStart = 0;
  const endProse = (end: number) => {
    for (const span of spansIn(text, proseStart, end)) ranges.push(span);
  };
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline + 1;
    const mark = fenceMark(text, start, end);
    if (fence) {
      if (mark?.character === fence.character && mark.length >= fence.length && mark.isBare) {
        ranges.push({ start: fence.start, end });
        fence = undefined;
        proseStart = end;
      }
    } else if (mark && !(mark.character === '`' && mark.hasBacktickAfter)) {
      endProse(start);
      fence = { character: mark.character, length: mark.length, start };
    } else if (isBlank(text, start, end)) {
      // No span reaches over a blank line.
      endProse(start);
      proseStart = end;
    }
    start = end;
  }
  if (fence) ranges.push({ start: fence.start, end: text.length });
  else endProse(text.length);
  return ranges;
}

/** A fence may stand in a quotation or a list, so any indentation and `>` before it counts. */
function fenceMark(text: string, start: number, end: number) {
  let at = start;
  while (at < end && ' \t>'.includes(text[at] ?? '')) at++;
  const character = text[at] ?? '';
  if (character !== '`' && character !== '~') return undefined;
  const first = at;
  while (at < end && text[at] === character) at++;
  const length = at - first;
  if (length < 3) return undefined;
  const rest = text.slice(at, end);
  return { character, length, isBare: rest.trim() === '', hasBacktickAfter: rest.includes('`') };
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

function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!' \t\r\n'.includes(text[at] ?? '')) return false;
  return true;
}
