/** Limits how often new output is drawn: the first at once, then once a second, the last always. */

const INTERVAL_MS = 1000;
/** Right after a key press the user waits for the answer. */
const TYPING_INTERVAL_MS = 50;
const TYPING_MS = 1000;

export class LiveOutput {
  private timer: NodeJS.Timeout | undefined;
  private isDue = false;
  private typingUntil = 0;

  constructor(private readonly emit: () => void) {}

  /** Call when there is new output. */
  touch(): void {
    if (this.timer) {
      this.isDue = true;
      return;
    }
    this.emit();
    const interval = Date.now() < this.typingUntil ? TYPING_INTERVAL_MS : INTERVAL_MS;
    this.timer = setTimeout(() => this.tick(), interval);
  }

  /** Call when the user has typed. */
  hurry(): void {
    this.typingUntil = Date.now() + TYPING_MS;
    this.flush();
  }

  /** Emits pending output now, and the next output without delay. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.isDue) return;
    this.isDue = false;
    this.emit();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isDue = false;
  }

  private tick(): void {
    this.timer = undefined;
    if (!this.isDue) return;
    this.isDue = false;
    this.touch();
  }
}
