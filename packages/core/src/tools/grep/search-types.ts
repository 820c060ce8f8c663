/** The request to a search engine and its answer, the same for both engines. */
import type { ToolSandbox } from '../../platform/sandbox/tool-sandbox.js';
import type { IgnoreFilter } from '../../workspace/ignore-filter.js';
import { shortenLine } from '../long-lines.js';

export interface SearchTarget {
  /** The workspace directory that holds `path`; globs and rules count from here. */
  base: string;
  /** The directory or single file to search. */
  path: string;
  isFile: boolean;
}

export interface SearchQuery {
  pattern: string;
  fixedStrings: boolean;
  caseSensitive: boolean;
  /** Glob: of a name when without a slash, else of the path below the target. */
  include: string | undefined;
  /** Glob of files left out: of a file or folder name when without a slash, else of the path below the target. */
  exclude: string | undefined;
  /** Directories and suffixes left out besides those of ignore files. */
  skippedDirectories: readonly string[];
  skippedSuffixes: readonly string[];
  namesOnly: boolean;
  maxPerFile: number | undefined;
  filter: IgnoreFilter;
}

export interface SearchRun {
  target: SearchTarget;
  query: SearchQuery;
  collector: Collector;
  signal: AbortSignal;
  /** Set where searches run in the tool sandbox. */
  sandbox?: ToolSandbox | undefined;
}

export interface GrepMatch {
  /** Absolute. */
  path: string;
  /** 1-based; 0 when only names are asked for. */
  line: number;
  text: string;
}

/** `next_file`: nothing more of this file is wanted. */
export type Wanted = 'more' | 'next_file' | 'nothing';

/** Collects what the engines find, file by file, up to the limits. */
export class Collector {
  readonly matches: GrepMatch[] = [];
  /** Files of finished targets, because one workspace directory may contain another. */
  private readonly finished = new Set<string>();
  private currentPath = '';
  private inCurrentFile = 0;
  private isCurrentOpen = true;
  private isOver = false;

  constructor(
    private readonly limit: number,
    private readonly maxPerFile: number,
    /** Lines not to be reported. */
    readonly excludes: RegExp | undefined,
    /** A folder may be readable without all of its files. */
    private readonly mayRead: (path: string) => boolean = () => true,
  ) {}

  add(path: string, line: number, text: string): Wanted {
    if (path !== this.currentPath) {
      this.currentPath = path;
      this.inCurrentFile = 0;
      this.isCurrentOpen = this.mayRead(path);
    }
    if (!this.isCurrentOpen || this.inCurrentFile === this.maxPerFile || this.finished.has(path))
      return 'next_file';
    const shown = shortenLine(text);
    if (this.excludes?.test(shown)) return 'more';
    if (this.matches.length === this.limit) {
      this.isOver = true;
      return 'nothing';
    }
    this.matches.push({ path, line, text: shown });
    this.inCurrentFile++;
    return this.inCurrentFile === this.maxPerFile ? 'next_file' : 'more';
  }

  finishTarget(): void {
    for (const { path } of this.matches) this.finished.add(path);
  }

  /** There were more matches than the limit allows. */
  get isLimited(): boolean {
    return this.isOver;
  }

  /** By path and line: ripgrep's threads report files in any order. */
  sorted(): GrepMatch[] {
    return this.matches.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
  }
}
