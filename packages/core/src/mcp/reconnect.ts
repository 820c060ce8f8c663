/** Connects again in the background after a connection was lost: after 1, 2, 4 … 30 s, five times. */
const MAX_ATTEMPTS = 5;
const FIRST_MS = 1_000;
const MAX_MS = 30_000;

export class Reconnect {
  private attempts = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly connect: () => Promise<void>) {}

  schedule(): void {
    if (this.timer || this.attempts >= MAX_ATTEMPTS) return;
    const delay = Math.min(MAX_MS, FIRST_MS * 2 ** this.attempts++);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      // The failure is the client's status.
      this.connect().catch(() => this.schedule());
    }, delay);
    this.timer.unref();
  }

  /**
   * Does not count earlier attempts any more once the connection has lasted: a server that crashes right after each
   * start is not started for ever.
   */
  succeeded(now = Date.now()): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (now - this.connectedAt > MAX_MS) this.attempts = 0;
    this.connectedAt = now;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.attempts = 0;
  }

  private connectedAt = 0;
}
