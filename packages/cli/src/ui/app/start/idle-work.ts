/** Work that can wait: one task at a time, while no keys and no answers come in. */

const QUIET_MS = 500;
/** Between two tasks: a key that came meanwhile is echoed first. */
const PAUSE_MS = 50;

export interface IdleWorkOptions {
  isBusy: () => boolean;
  now: () => number;
  onFailure: (error: unknown) => void;
}

export class IdleWork {
  private readonly tasks: (() => unknown)[] = [];
  private lastKeyAt: number;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(private readonly options: IdleWorkOptions) {
    this.lastKeyAt = options.now();
  }

  keyPressed(): void {
    this.lastKeyAt = this.options.now();
  }

  add(...tasks: (() => unknown)[]): void {
    this.tasks.push(...tasks);
    this.wait(QUIET_MS);
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private wait(ms: number): void {
    if (this.timer || this.isStopped) return;
    this.timer = setTimeout(() => void this.proceed(), ms);
    this.timer.unref();
  }

  private async proceed(): Promise<void> {
    const { isBusy, now, onFailure } = this.options;
    const quietFor = now() - this.lastKeyAt;
    this.timer = undefined;
    if (isBusy() || quietFor < QUIET_MS)
      return this.wait(Math.max(PAUSE_MS, QUIET_MS - Math.max(0, quietFor)));
    try {
      await this.tasks.shift()?.();
    } catch (error) {
      onFailure(error);
    }
    if (this.tasks.length > 0) this.wait(PAUSE_MS);
  }
}
