/**
 * Fetches a list again after `list_changed`: bursts become one fetch, and a list that has not changed yet is fetched
 * once more, because some servers announce a change before they make it.
 */

/** Also the shortest time between two fetches. */
const PAUSE_MS = 500;

export class ListRefresh {
  private running = false;
  private isWanted = false;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  /**
   * @param fetch returns true when the list has changed; its errors are its own concern
   */
  constructor(
    private readonly fetch: () => Promise<boolean>,
    private readonly pauseMs = PAUSE_MS,
  ) {}

  /** The server says that the list has changed. */
  notify(): void {
    this.isWanted = true;
    if (!this.running && !this.isClosed) void this.run();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  private async run(): Promise<void> {
    this.running = true;
    try {
      while (this.isWanted && !this.isClosed) {
        this.isWanted = false;
        const hasChanged = await this.fetch();
        await this.pause();
        if (!hasChanged && !this.isWanted && !this.isClosed) await this.fetch();
      }
    } finally {
      this.running = false;
    }
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      this.timer = setTimeout(resolve, this.pauseMs);
      this.timer.unref();
    });
  }
}
