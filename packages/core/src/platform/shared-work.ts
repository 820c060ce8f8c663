/** One piece of work for all who wait for it; it ends when the last of them gives up. */
export class SharedWork<T> {
  private running: { result: Promise<T>; waiting: number; controller: AbortController } | undefined;

  /** Settles when the work has ended, if some is running. */
  get ended(): Promise<unknown> {
    return this.running?.result.catch(() => {}) ?? Promise.resolve();
  }

  /** @param work started only if none is running */
  async run(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    this.running ??= this.start(work);
    const { running } = this;
    running.waiting++;
    let stop = () => {};
    const aborted = new Promise<never>((_, reject) => {
      stop = () => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([running.result, aborted]);
    } finally {
      signal.removeEventListener('abort', stop);
      if (--running.waiting === 0) running.controller.abort(signal.reason);
    }
  }

  private start(work: (signal: AbortSignal) => Promise<T>) {
    const controller = new AbortController();
    const running = { result: work(controller.signal), waiting: 0, controller };
    const end = () => {
      if (this.running === running) this.running = undefined;
    };
    running.result.then(end, end);
    // A caller that comes while the work is being given up starts it anew.
    controller.signal.addEventListener('abort', end, { once: true });
    return running;
  }
}
