/** The time limit of a run. Time that waits for the user is not counted. */
import type { Clock } from '../../platform/clock.js';

export class RunClock {
  private readonly up = new AbortController();
  private readonly waiting = new Set<string>();
  private used = 0;
  private since: number;
  private sleeping: AbortController | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly limitMs: number,
  ) {
    this.since = clock.now();
    void this.sleep();
  }

  /** Aborts when the time is up. */
  get signal(): AbortSignal {
    return this.up.signal;
  }

  /** A call waits for the user; several may. */
  pause(callId: string): void {
    if (this.waiting.size === 0) {
      this.used += this.clock.now() - this.since;
      this.sleeping?.abort();
    }
    this.waiting.add(callId);
  }

  resume(callId: string): void {
    if (!this.waiting.delete(callId) || this.waiting.size > 0) return;
    this.since = this.clock.now();
    void this.sleep();
  }

  stop(): void {
    this.waiting.clear();
    this.sleeping?.abort();
  }

  private async sleep(): Promise<void> {
    const sleeping = new AbortController();
    this.sleeping = sleeping;
    await this.clock.sleep(this.limitMs - this.used, sleeping.signal);
    if (!sleeping.signal.aborted) this.up.abort();
  }
}
