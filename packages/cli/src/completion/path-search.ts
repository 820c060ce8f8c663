/** Finds paths by the letters somebody typed: in slices, so that keys come first, and narrowing what was found before. */
import { Fzf } from 'fzf';
import type { Paths } from './file-index.js';

export interface SearchOptions {
  limit: number;
  /** False: the letters must stand together. */
  isFuzzy: boolean;
  signal?: AbortSignal;
}

/** Entries looked at before somebody else gets a turn. */
const SLICE = 1500;
/** So many of the best are looked at in detail. */
const RANKED = 150;
/** Of those whose letters are scattered: a closer look costs. */
const CLOSELY = 60;
const LONGEST = 255;

/** How a path fits, best first. */
const NAME_STARTS = 0;
const NAME_HAS = 1;
const PATH_HAS = 2;
const LETTERS = 3;
type Fit = typeof NAME_STARTS | typeof NAME_HAS | typeof PATH_HAS | typeof LETTERS;

export class PathSearch {
  /** Of the last search that came to its end: a longer query can only match some of these. */
  private last: { query: string; lower: readonly string[]; size: number; matches: number[] } | undefined;

  /** At once; for short lists. */
  findNow(query: string, paths: Paths, options: SearchOptions): string[] {
    const search = this.begin(query, paths, options);
    search.step(Number.POSITIVE_INFINITY);
    return search.finish();
  }

  /** Undefined when aborted. */
  async find(query: string, paths: Paths, options: SearchOptions): Promise<string[] | undefined> {
    const search = this.begin(query, paths, options);
    while (!search.step(SLICE)) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (options.signal?.aborted) return undefined;
    }
    return search.finish();
  }

  private begin(typed: string, { shown, lower }: Paths, { limit, isFuzzy }: SearchOptions) {
    const query = typed.toLowerCase();
    const { last } = this;
    const size = shown.length;
    const isNarrower = last?.lower === lower && last.size === size && query.startsWith(last.query);
    const among = isNarrower ? last.matches : undefined;
    const count = among?.length ?? size;
    const matches: number[] = [];
    const best = new BestFits();
    let at = 0;
    return {
      /** True: all have been looked at. */
      step: (entries: number): boolean => {
        for (const end = Math.min(count, at + entries); at < end; at++) {
          const index = among ? (among[at] ?? 0) : at;
          const path = lower[index] ?? '';
          const fit = fitOf(path, query, isFuzzy);
          if (fit === undefined) continue;
          matches.push(index);
          best.add(index, fit, path.length);
        }
        return at >= count;
      },
      finish: (): string[] => {
        this.last = { query, lower, size, matches };
        const groups = best.take(RANKED).map((group) => group.map((index) => shown[index] ?? ''));
        const scattered = groups.pop() ?? [];
        return [...groups.flat(), ...rank(query, scattered.slice(0, CLOSELY))].slice(0, limit);
      },
    };
  }
}

function fitOf(path: string, query: string, isFuzzy: boolean): Fit | undefined {
  const at = path.lastIndexOf(query);
  if (at < 0) return isFuzzy && hasLetters(path, query) ? LETTERS : undefined;
  const nameStart = path.lastIndexOf('/', path.length - 2) + 1;
  if (path.startsWith(query, nameStart) || path.startsWith(query)) return NAME_STARTS;
  return at > nameStart ? NAME_HAS : PATH_HAS;
}

/** All letters, in this order. */
function hasLetters(path: string, query: string): boolean {
  let from = 0;
  for (let at = 0; at < query.length; at++) {
    from = path.indexOf(query[at] ?? '', from) + 1;
    if (from === 0) return false;
  }
  return true;
}

/** The shortest of the best, without sorting all. */
class BestFits {
  private readonly groups: number[][][] = [[], [], [], []];

  add(index: number, fit: Fit, length: number): void {
    const byLength = this.groups[fit];
    if (!byLength) return;
    const place = Math.min(length, LONGEST);
    const same = byLength[place];
    if (!same) byLength[place] = [index];
    else if (same.length < RANKED) same.push(index);
  }

  /** At most so many, in groups of equal fit. */
  take(count: number): number[][] {
    let left = count;
    return this.groups.map((byLength) => {
      const taken: number[] = [];
      for (const indexes of byLength) {
        if (left <= 0) break;
        if (!indexes) continue;
        const some = indexes.slice(0, left);
        taken.push(...some);
        left -= some.length;
      }
      return taken;
    });
  }
}

/** Letters that stand apart: how well they fit, only a closer look tells. */
function rank(query: string, paths: string[]): string[] {
  if (query === '' || paths.length < 2) return paths;
  const found: { item: string }[] = new Fzf(paths, { casing: 'case-insensitive' }).find(query);
  return found.map(({ item }) => item);
}
