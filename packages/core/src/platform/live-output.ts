/** Tells someone who watches about new output: the first at once, later ones in good time, the last always. */

const INTERVAL_MS = 1000;

export class LiveOutput {
  private timer: NodeJS.Timeout | undefined;
  private isDue = false;

  constructor(private readonly emit: () => void) {}

  /** New output is there. */
  touch(): void {
    if (this.timer) {
      this.isDue = true;
      return;
    }
    this.emit();
    this.timer = setTimeout(() => this.tick(), INTERVAL_MS);
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
