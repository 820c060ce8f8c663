/** Shows the answer while it grows: its end, and not more often than a screen needs. */
import type { Answer } from './answer.js';

const INTERVAL_MS = 100;
const SHOWN_CHARS = 8_000;

export class Progress {
  /** Set while the last state was shown a moment ago. */
  private pause: NodeJS.Timeout | undefined;
  private isStale = false;
  private last = '';

  constructor(
    private readonly answer: Answer,
    private readonly onUpdate: ((text: string) => void) | undefined,
  ) {}

  changed(): void {
    if (!this.onUpdate) return;
    if (this.pause) {
      this.isStale = true;
      return;
    }
    const text = this.answer.text();
    if (text === this.last) return;
    this.last = text;
    this.isStale = false;
    this.pause = setTimeout(() => {
      this.pause = undefined;
      if (this.isStale) this.changed();
    }, INTERVAL_MS);
    this.onUpdate(text.length > SHOWN_CHARS ? `…${text.slice(-SHOWN_CHARS)}` : text);
  }

  end(): void {
    clearTimeout(this.pause);
  }
}
