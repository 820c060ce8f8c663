/** Finds the lines of keys in a settings file. Parses the text again, only when there is a problem to report. */
import { visitJsonc } from '../../base/jsonc.js';
import type { KeyPath } from '../key-path.js';

export interface Place {
  line: number;
  column: number;
}

/** The position of each path or offset; for a path not in the text, of its nearest parent. */
export function placesOf(text: string, targets: readonly (KeyPath | number)[]): (Place | undefined)[] {
  const wanted = new Set(targets.flatMap((target) => (typeof target === 'number' ? [] : prefixes(target))));
  const offsets = new Map<string, number>();
  visitJsonc(text, (path, offset) => {
    const id = JSON.stringify(path);
    // Of a repeated key the last one counts.
    if (wanted.has(id)) offsets.set(id, offset);
  });
  const starts = lineStarts(text);
  return targets.map((target) => {
    const offset = typeof target === 'number' ? target : nearestOffset(target, offsets);
    return offset === undefined ? undefined : placeAt(starts, offset);
  });
}

function nearestOffset(path: KeyPath, offsets: ReadonlyMap<string, number>): number | undefined {
  return prefixes(path)
    .map((id) => offsets.get(id))
    .findLast((offset) => offset !== undefined);
}

function prefixes(path: KeyPath): string[] {
  return path.map((_, index) => JSON.stringify(path.slice(0, index + 1)));
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  return starts;
}

/** Binary search: a file may have as many problems as lines. */
function placeAt(starts: readonly number[], offset: number): Place {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}
