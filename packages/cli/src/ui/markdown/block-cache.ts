/** Caches drawn blocks, so that splitting an answer does not draw them again. */
export interface Drawn {
  lines: string[];
  /** The number of the last item, if the block ends in an ordered list. */
  lastNumber?: number;
}

export class BlockCache {
  readonly #entries = new Map<string, Drawn>();

  get(source: string, start: number | undefined): Drawn | undefined {
    return this.#entries.get(`${start ?? ''}:${source}`);
  }

  set(source: string, start: number | undefined, drawn: Drawn): void {
    if (source.length > MAX_CACHED) return;
    this.#entries.set(`${start ?? ''}:${source}`, drawn);
    if (this.#entries.size > CACHED_BLOCKS) {
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest);
        break;
      }
    }
  }

  clear(): void {
    this.#entries.clear();
  }
}

const CACHED_BLOCKS = 64;
const MAX_CACHED = 8_000;
