/** A queue read by async iteration: many producers, one consumer. */
export class EventQueue<T> implements AsyncIterable<T> {
  private readonly items: T[] = [];
  private wake: (() => void) | undefined;
  private ended = false;
  private failure: unknown;

  push(item: T): void {
    this.items.push(item);
    this.wake?.();
  }

  end(): void {
    this.ended = true;
    this.wake?.();
  }

  /** Ends the iteration with an error, after the items pushed before it. */
  fail(error: unknown): void {
    this.failure = error;
    this.end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (;;) {
      while (this.items.length > 0) {
        const batch = this.items.splice(0);
        for (const item of batch) yield item;
      }
      if (this.ended) break;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      this.wake = undefined;
    }
    if (this.failure !== undefined) throw this.failure;
  }
}
