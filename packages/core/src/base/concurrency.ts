/** Runs `work` over all items, at most `limit` at a time; results keep the order of the items. */
export async function mapLimited<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index] as T, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}

/** At most so many at a time; the others wait in the order they came. */
export class Slots {
  private taken = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limit: () => number) {}

  /** @returns a function that gives the place back. @throws the signal's reason while waiting */
  async take(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.taken >= Math.max(1, this.limit())) await this.wait(signal);
    else this.taken++;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const next = this.waiting.shift();
      // A place that is handed on stays taken.
      if (next) next();
      else this.taken--;
    };
  }

  private wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(go), 1);
        reject(signal?.reason);
      };
      this.waiting.push(go);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}

/** Waits for work that cannot be cancelled, no longer than the signal allows. @throws the reason of the abort */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    // Also heard when it fails after the abort: an unheard failure would end the process.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
