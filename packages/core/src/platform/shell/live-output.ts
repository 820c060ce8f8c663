/** Tells someone who watches about new output: the first at once, later ones in good time, the last always. */

const INTERVAL_MS = 1000;
/** Right after a key press the watcher waits for the answer. */
const TYPING_INTERVAL_MS = 50;
const TYPING_MS = 1000;

export class LiveOutput {
  private timer: NodeJS.Timeout | undefined;
  private isDue = false;
  private typingUntil = 0;

  constructor(private readonly emit: () => void) {}

  /** New output is there. */
  touch(): void {
    if (this.timer) {
      this.isDue = true;
      return;
    }
    this.emit();
    const interval = Date.now() < this.typingUntil ? TYPING_INTERVAL_MS : INTERVAL_MS;
    this.timer = setTimeout(() => this.tick(), interval);
  }

  /** Someone has typed. */
  hurry(): void {
    this.typingUntil = Date.now() + TYPING_MS;
    this.flush();
  }

  /** Emits what is held back; what comes next is not held back. */
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
