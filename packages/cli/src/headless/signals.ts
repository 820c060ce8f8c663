/** What a signal means to a run: stop the work, clean up for a bounded time, then go; a second one goes at once. */

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

export const SIGNAL_EXIT_CODES: Readonly<Record<StopSignal, number>> = {
  SIGINT: 130,
  SIGTERM: 143,
  SIGHUP: 129,
};

const CLEANUP_MS = 5_000;
const SLOW_MS = 200;

export interface InterruptionOptions {
  /** The first signal has not ended the run quickly. */
  onSlow(signal: StopSignal): void;
  /** The second signal: the process must end within this call. */
  onSecond(signal: StopSignal): void;
  /** How long cleaning up may take. */
  cleanupMs?: number;
}

export class Interruption {
  private readonly controller = new AbortController();
  private readonly timers: NodeJS.Timeout[] = [];
  private expire: () => void = () => undefined;
  private readonly expired = new Promise<undefined>((resolve) => {
    this.expire = () => resolve(undefined);
  });
  private limited = false;
  /** The signal that ended the run, if one did. */
  received: StopSignal | undefined;

  constructor(private readonly options: InterruptionOptions) {
    for (const signal of Object.keys(SIGNAL_EXIT_CODES)) process.on(signal, this.onSignal);
  }

  /** Aborted by the first signal. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** The value of `work`; undefined when the time for cleaning up ran out first. */
  settle<T>(work: Promise<T>): Promise<T | undefined> {
    return Promise.race([work, this.expired]);
  }

  /** From now on there is only the time for cleaning up. Counts once. */
  limit(): void {
    if (this.limited) return;
    this.limited = true;
    this.timers.push(setTimeout(this.expire, this.options.cleanupMs ?? CLEANUP_MS));
  }

  /** Stops the work as a signal would, for reasons of our own. */
  abort(): void {
    this.controller.abort();
  }

  dispose(): void {
    for (const timer of this.timers) clearTimeout(timer);
    for (const signal of Object.keys(SIGNAL_EXIT_CODES)) process.off(signal, this.onSignal);
  }

  private readonly onSignal = (name: NodeJS.Signals): void => {
    if (name !== 'SIGINT' && name !== 'SIGTERM' && name !== 'SIGHUP') return;
    if (this.received) {
      this.options.onSecond(name);
      return;
    }
    this.received = name;
    this.limit();
    this.timers.push(setTimeout(() => this.options.onSlow(name), SLOW_MS));
    this.controller.abort();
  };
}
