/** Fuzzy search for paths: in slices, so that keys are handled first; a longer query searches only earlier matches. */
import { Fzf } from 'fzf';
import type { Paths } from './file-index.js';

export interface SearchOptions {
  limit: number;
  /** False: the query must occur as a whole. */
  isFuzzy: boolean;
  signal?: AbortSignal;
}

/** Entries searched in one turn of the event loop. */
const SLICE = 1500;
/** The best matches that are ranked. */
const RANKED = 150;
/** The scattered matches that fzf ranks, which is slow. */
const RANKED_BY_FZF = 60;
const LONGEST = 255;

/** How a path matches, best first. */
const NAME_STARTS = 0;
const NAME_HAS = 1;
const PATH_HAS = 2;
const LETTERS = 3;
type Fit = typeof NAME_STARTS | typeof NAME_HAS | typeof PATH_HAS | typeof LETTERS;

export class PathSearch {
  /** The last complete search: a longer query can only match some of its matches. */
  private last: { query: string; lower: readonly string[]; size: number; matches: number[] } | undefined;

  /** Synchronous, for short lists. */
  findNow(query: string, paths: Paths, options: SearchOptions): string[] {
    const search = this.begin(query, paths, options);
    search.step(Number.POSITIVE_INFINITY);
    return search.finish();
  }

  /** @returns undefined when aborted */
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
      /** @returns true when all entries were searched */
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
        return [...groups.flat(), ...rank(query, scattered.slice(0, RANKED_BY_FZF))].slice(0, limit);
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

/** Whether the path has all letters of the query in this order. */
function hasLetters(path: string, query: string): boolean {
  let from = 0;
  for (let at = 0; at < query.length; at++) {
    from = path.indexOf(query[at] ?? '', from) + 1;
    if (from === 0) return false;
  }
  return true;
}

/** Collects the best and shortest matches without sorting all of them. */
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

  /** At most `count` matches, in groups of equal fit. */
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

/** Ranks matches with scattered letters. */
function rank(query: string, paths: string[]): string[] {
  if (query === '' || paths.length < 2) return paths;
  const found: { item: string }[] = new Fzf(paths, { casing: 'case-insensitive' }).find(query);
  return found.map(({ item }) => item);
}
