/** The built-in search, for when there is no ripgrep: same rules, same results, one thread. */
import { type WalkedFile, walkFolders } from '../../workspace/file-walker.js';
import { createGuard } from './guard.js';
import { pathFilter } from './include-filter.js';
import { LineReader } from './line-reader.js';
import { toLineRegExp } from './regex-translate.js';
import type { Collector, SearchQuery, SearchRun, SearchTarget } from './search-types.js';

const SLICE_MS = 12;

/** Throws a PatternError or the signal's reason. */
export async function searchByWalking(run: SearchRun): Promise<void> {
  const { query, collector, signal } = run;
  const regex = toLineRegExp(query.pattern, query);
  const guard = createGuard();
  const reader = new LineReader();
  const state = { isDone: false };
  try {
    let nextPause = 0;
    for await (const batch of batchesOf(run.target, query, signal)) {
      // Many small folders never fill a slice, and a time limit must take effect between them too.
      if (performance.now() >= nextPause) {
        await letOthersRun(signal);
        nextPause = performance.now() + SLICE_MS;
      }
      const work = searchFiles(batch, { reader, regex, collector, namesOnly: query.namesOnly, state });
      while (!guard(() => advance(work))) await letOthersRun(signal);
      if (state.isDone) return;
    }
  } finally {
    reader.close();
  }
}

async function letOthersRun(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
}

/** Continues for one slice of time; true at the end. */
function advance(work: Generator<void>): boolean {
  const end = performance.now() + SLICE_MS;
  while (performance.now() < end) {
    if (work.next().done) return true;
  }
  return false;
}

interface Search {
  reader: LineReader;
  regex: RegExp;
  collector: Collector;
  namesOnly: boolean;
  state: { isDone: boolean };
}

/** Pauses after every block of lines. */
function* searchFiles(paths: readonly string[], search: Search): Generator<void> {
  for (const path of paths) {
    for (const { first, lines } of search.reader.read(path)) {
      const wanted = searchLines(path, first, lines, search);
      if (wanted === 'nothing') {
        search.state.isDone = true;
        return;
      }
      yield;
      if (wanted === 'next_file') break;
    }
  }
}

function searchLines(
  path: string,
  first: number,
  lines: readonly string[],
  { regex, collector, namesOnly }: Search,
) {
  for (let index = 0; index < lines.length; index++) {
    const text = lines[index] ?? '';
    if (!regex.test(text)) continue;
    const wanted = collector.add(path, namesOnly ? 0 : first + index, text);
    if (wanted !== 'more') return wanted;
  }
  return 'more';
}

async function* batchesOf(
  target: SearchTarget,
  query: SearchQuery,
  signal: AbortSignal,
): AsyncGenerator<string[]> {
  if (target.isFile) return yield [target.path];
  const isSearched = await pathFilter(query.include, query.exclude);
  const skipped = new Set(query.skippedDirectories);
  const isWanted = ({ name, relative, isSymlink }: WalkedFile) =>
    !isSymlink && !query.skippedSuffixes.some((suffix) => name.endsWith(suffix)) && isSearched(relative);
  const folders = walkFolders({
    root: target.path,
    filter: query.filter,
    entersDirectory: (_relative, name) => !skipped.has(name),
    signal,
  });
  for await (const files of folders) yield files.filter(isWanted).map(({ path }) => path);
}
