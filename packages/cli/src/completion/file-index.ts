/** An index of the workspace paths, gathered in the background. */

/** Yields batches of file paths with `/`. */
export type Crawl = (signal: AbortSignal) => AsyncIterable<readonly string[]>;

export interface FileIndexOptions {
  /** `context.fileFiltering.maxFileCount`. */
  maxFiles: number;
  /** An older index is gathered again; meanwhile the old one is searched. */
  staleAfterMs?: number;
  now?: () => number;
}

const STALE_AFTER_MS = 20_000;
/** For file systems that never end. */
const CRAWL_LIMIT_MS = 60_000;
/** Names with control characters are not offered. */
const CONTROLS = /\p{C}/u;

/** Folders end with `/`; `lower` has the same paths in lower case. */
export interface Paths {
  readonly shown: readonly string[];
  readonly lower: readonly string[];
}

class PathList implements Paths {
  readonly shown: string[] = [];
  readonly lower: string[] = [];
  private readonly folders = new Set<string>();
  files = 0;

  add(file: string): void {
    if (CONTROLS.test(file)) return;
    this.addFolders(file);
    this.push(file);
    this.files++;
  }

  private addFolders(file: string): void {
    const end = file.lastIndexOf('/') + 1;
    const folder = file.slice(0, end);
    if (end === 0 || this.folders.has(folder)) return;
    this.folders.add(folder);
    this.addFolders(folder.slice(0, -1));
    this.push(folder);
  }

  private push(path: string): void {
    this.shown.push(path);
    this.lower.push(path.toLowerCase());
  }
}

export class FileIndex {
  private current: PathList | undefined;
  private growing: PathList | undefined;
  private running: Promise<void> | undefined;
  private gatheredAt = Number.NEGATIVE_INFINITY;
  private waiting: (() => void)[] = [];
  private readonly now: () => number;

  constructor(
    private readonly crawl: Crawl,
    private readonly options: FileIndexOptions,
  ) {
    this.now = options.now ?? Date.now;
  }

  /** The paths to search; while they are gathered for the first time, those found so far. */
  get paths(): Paths {
    return this.current ?? this.growing ?? NOTHING;
  }

  /** Whether the first gathering is still running. */
  get isGrowing(): boolean {
    return this.current === undefined && this.running !== undefined;
  }

  /** Starts to gather paths if there are none yet or they are old. Returns at once. */
  ensure(): void {
    const isFresh = this.now() - this.gatheredAt < (this.options.staleAfterMs ?? STALE_AFTER_MS);
    if (this.running || (this.current && isFresh)) return;
    this.running = this.gather().finally(() => {
      this.running = undefined;
      this.wake();
    });
  }

  /** Makes the next search gather the paths again, after files have changed. */
  invalidate(): void {
    this.gatheredAt = Number.NEGATIVE_INFINITY;
  }

  /** Resolves when there are more paths than this, or no more will come. */
  async more(than = this.paths.shown.length): Promise<void> {
    while (this.isGrowing && this.paths.shown.length <= than)
      await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private async gather(): Promise<void> {
    const list = new PathList();
    this.growing = list;
    const limit = AbortSignal.timeout(CRAWL_LIMIT_MS);
    try {
      for await (const batch of this.crawl(limit)) {
        for (const file of batch) {
          if (list.files >= this.options.maxFiles) break;
          list.add(file);
        }
        this.wake();
        if (list.files >= this.options.maxFiles) break;
      }
    } catch {
      // Keep what was found so far.
    }
    this.current = list;
    this.growing = undefined;
    this.gatheredAt = this.now();
  }

  private wake(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }
}

const NOTHING: Paths = { shown: [], lower: [] };
