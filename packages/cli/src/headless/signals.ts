/** Signals of a headless run: the first stops the work and limits the time to clean up; the second ends at once. */

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

export const SIGNAL_EXIT_CODES: Readonly<Record<StopSignal, number>> = {
  SIGINT: 130,
  SIGTERM: 143,
  SIGHUP: 129,
};

const CLEANUP_MS = 5_000;
const SLOW_MS = 200;

export interface InterruptionOptions {
  /** Called when the run has not ended soon after the first signal. */
  onSlow(signal: StopSignal): void;
  /** Called at the second signal; must end the process. */
  onSecond(signal: StopSignal): void;
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

  /** @returns the value of `work`, or undefined when the time to clean up ran out first */
  settle<T>(work: Promise<T>): Promise<T | undefined> {
    return Promise.race([work, this.expired]);
  }

  /** Starts the time limit for cleaning up. Does nothing the second time. */
  limit(): void {
    if (this.limited) return;
    this.limited = true;
    this.timers.push(setTimeout(this.expire, this.options.cleanupMs ?? CLEANUP_MS));
  }

  /** Stops the work as a signal would. */
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
