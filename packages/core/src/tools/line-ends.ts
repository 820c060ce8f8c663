/** Tools match and show text with LF only; what they write keeps every line's own ending. */

export function toLf(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text;
}

/** A replacement of `start`..`end` of the LF text. Edits are in order and do not overlap. */
export interface TextEdit {
  start: number;
  end: number;
  /** With LF line ends. */
  text: string;
}

/** Applies edits of the LF form of `raw` to `raw` itself: outside the edits no byte changes. */
export async function applyEdits(raw: string, edits: readonly TextEdit[]): Promise<string> {
  const toRaw = offsetsOf(raw);
  const pieces: string[] = [];
  let position = 0;
  for (const edit of edits) {
    const start = toRaw(edit.start);
    const end = toRaw(edit.end);
    const lineEnd = lineEndAt(raw, start);
    const replaced = await carryLineEnds(raw.slice(start, end), edit.text, { lineEnd, pairChanged: true });
    pieces.push(raw.slice(position, start), replaced);
    position = end;
  }
  pieces.push(raw.slice(position));
  return pieces.join('');
}

export interface CarryOptions {
  /** The ending of lines that have no counterpart. */
  lineEnd: string;
  /** Whether a changed line counts as the counterpart of the line it replaces. */
  pairChanged: boolean;
}

/**
 * `text` (LF) as the new content of what was `raw`. In uniform text all lines get its ending; in mixed
 * text every line gets the ending of its counterpart.
 */
export async function carryLineEnds(raw: string, text: string, options: CarryOptions): Promise<string> {
  const crlf = count(raw, '\r\n');
  const all = count(raw, '\n');
  if (all === 0) return withLineEnd(text, options.lineEnd);
  if (crlf === 0) return text;
  if (crlf === all) return withLineEnd(text, '\r\n');
  const oldLines = splitLines(raw).map((line) => line.replace(/\r?\n$/, ''));
  const oldEnds = splitLines(raw).map((line, index) => line.slice(oldLines[index]?.length));
  const newLines = splitLines(text).map((line) => line.replace(/\n$/, ''));
  const counterparts = await matchLines(oldLines, newLines, options);
  const endOf = (index: number) => oldEnds[counterparts[index] ?? -1] || options.lineEnd;
  const last = newLines.length - 1;
  const hasEnd = (index: number) => index < last || text.endsWith('\n');
  return newLines.map((line, index) => (hasEnd(index) ? line + endOf(index) : line)).join('');
}

/** The style of a whole file: CRLF as soon as it has one; undefined when it has no line end at all. */
export function lineEndStyle(raw: string): '\n' | '\r\n' | undefined {
  if (raw.includes('\r\n')) return '\r\n';
  return raw.includes('\n') ? '\n' : undefined;
}

export function withLineEnd(text: string, lineEnd: string): string {
  return lineEnd === '\n' ? text : text.replaceAll('\n', lineEnd);
}

/** Maps offsets of the LF form to offsets of `raw`. */
function offsetsOf(raw: string): (offset: number) => number {
  const dropped: number[] = [];
  for (let at = raw.indexOf('\r\n'); at !== -1; at = raw.indexOf('\r\n', at + 2)) {
    dropped.push(at - dropped.length);
  }
  return (offset) => {
    let low = 0;
    let high = dropped.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((dropped[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return offset + low;
  };
}

/** The ending of the line at `offset`, else of the line before it. */
function lineEndAt(raw: string, offset: number): string {
  const next = raw.indexOf('\n', offset);
  const at = next === -1 ? raw.lastIndexOf('\n') : next;
  return at > 0 && raw[at - 1] === '\r' ? '\r\n' : '\n';
}

/** For each line of `after` its counterpart in `before`, or -1. */
async function matchLines(
  before: string[],
  after: string[],
  { pairChanged }: CarryOptions,
): Promise<number[]> {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const shorter = Math.min(before.length, after.length) - head;
  while (tail < shorter && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;

  const counterparts = after.map((_, index) => (index < head ? index : -1));
  for (let back = 1; back <= tail; back++) counterparts[after.length - back] = before.length - back;

  const { diffArrays } = await import('diff');
  const middle = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)] as const;
  let from = head;
  let to = head;
  let removed = 0;
  for (const change of diffArrays(...middle, { maxEditLength: 2000 }) ?? []) {
    if (change.removed) {
      removed = change.count;
      from += removed;
    } else if (change.added) {
      const paired = pairChanged ? Math.min(removed, change.count) : 0;
      for (let step = 0; step < paired; step++) counterparts[to + step] = from - removed + step;
      to += change.count;
      removed = 0;
    } else {
      for (let step = 0; step < change.count; step++) counterparts[to++] = from++;
      removed = 0;
    }
  }
  return counterparts;
}

/** Lines with their endings; the last may have none. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function count(text: string, needle: string): number {
  let hits = 0;
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) hits++;
  return hits;
}
