/** The paths of the workspace, gathered in the background and kept for searching. */

/** Paths in batches, files only, with `/`. */
export type Crawl = (signal: AbortSignal) => AsyncIterable<readonly string[]>;

export interface FileIndexOptions {
  /** `context.fileFiltering.maxFileCount`. */
  maxFiles: number;
  /** Older than this, it is gathered anew; until then the old one is searched. */
  staleAfterMs?: number;
  now?: () => number;
}

const STALE_AFTER_MS = 20_000;
/** A file system that never ends is not worth more. */
const CRAWL_LIMIT_MS = 60_000;
/** Names that would be a command to the terminal are not offered. */
const CONTROLS = /\p{C}/u;

/** What is searched: folders end with `/`. `lower` is the same in lower case. */
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

  /** What can be searched now; while it is gathered for the first time, what is there so far. */
  get paths(): Paths {
    return this.current ?? this.growing ?? NOTHING;
  }

  /** More will come. */
  get isGrowing(): boolean {
    return this.current === undefined && this.running !== undefined;
  }

  /** Begins to gather if there is nothing yet, or only something old. Returns at once. */
  ensure(): void {
    const isFresh = this.now() - this.gatheredAt < (this.options.staleAfterMs ?? STALE_AFTER_MS);
    if (this.running || (this.current && isFresh)) return;
    this.running = this.gather().finally(() => {
      this.running = undefined;
      this.wake();
    });
  }

  /** Files have changed: the next search looks again. */
  invalidate(): void {
    this.gatheredAt = Number.NEGATIVE_INFINITY;
  }

  /** Resolves when there are more paths than these, or none will come. */
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
      // What was found until then is better than nothing.
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
