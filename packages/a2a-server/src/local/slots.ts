/** How many turns run at the same time; the others wait in order. */
export class Slots {
  private taken = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limit: number) {}

  /** A turn that is ended while it waits runs at once: it has only its end to report. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const hasSlot = await this.take(signal);
    try {
      return await work();
    } finally {
      if (hasSlot) this.free();
    }
  }

  private take(signal: AbortSignal): Promise<boolean> {
    if (this.taken < this.limit) {
      this.taken++;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const next = () => {
        signal.removeEventListener('abort', leave);
        resolve(true);
      };
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(next), 1);
        resolve(false);
      };
      this.waiting.push(next);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** The next one that waits gets the slot as it is. */
  private free(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.taken--;
  }
}
