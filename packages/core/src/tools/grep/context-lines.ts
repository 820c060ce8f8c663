/** The lines around matches, read from the files themselves so that both engines show the same. */

import { shortenLine } from '../long-lines.js';
import { LineReader } from './line-reader.js';
import type { GrepMatch } from './search-types.js';

export interface ShownLine {
  line: number;
  text: string;
  isMatch: boolean;
}

export interface ContextSize {
  before: number;
  after: number;
}

const SLICE_MS = 12;

/** The matches of each file in order, with the lines around them. */
export async function withContext(
  matches: readonly GrepMatch[],
  size: ContextSize,
  signal: AbortSignal,
): Promise<Map<string, ShownLine[]>> {
  const files = new Map<string, ShownLine[]>();
  for (const { path, line, text } of matches) {
    const shown = files.get(path) ?? [];
    files.set(path, shown);
    shown.push({ line, text, isMatch: true });
  }
  if (size.before === 0 && size.after === 0) return files;
  const reader = new LineReader();
  for (const [path, found] of files) files.set(path, await addContext(reader, path, found, size, signal));
  return files;
}

async function addContext(
  reader: LineReader,
  path: string,
  found: readonly ShownLine[],
  { before, after }: ContextSize,
  signal: AbortSignal,
): Promise<ShownLine[]> {
  const byLine = new Map(found.map((shown) => [shown.line, shown]));
  const lastWanted = Math.max(...byLine.keys()) + after;
  const isWanted = rangeTest([...byLine.keys()], before, after);
  let sliceEnd = performance.now() + SLICE_MS;
  for (const { first, lines } of reader.read(path)) {
    for (let index = 0; index < lines.length; index++) {
      const line = first + index;
      if (byLine.has(line) || !isWanted(line)) continue;
      byLine.set(line, { line, text: shortenLine(lines[index] ?? ''), isMatch: false });
    }
    if (first + lines.length > lastWanted) break;
    if (performance.now() < sliceEnd) continue;
    await new Promise<void>((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    sliceEnd = performance.now() + SLICE_MS;
  }
  return [...byLine.values()].sort((a, b) => a.line - b.line);
}

/** Only for lines requested in ascending order. */
function rangeTest(matchLines: number[], before: number, after: number): (line: number) => boolean {
  const rising = matchLines.sort((a, b) => a - b);
  let next = 0;
  return (line) => {
    while (next < rising.length && line > (rising[next] ?? 0) + after) next++;
    const match = rising[next];
    return match !== undefined && line >= match - before;
  };
}
