/** A line that disappears by itself, and keys that must be pressed twice. */
import type { Toast } from '../../store/state.js';
import type { Store } from '../../store/store.js';

const TOAST_MS = 3_000;

export class Toasts {
  private timer: NodeJS.Timeout | undefined;
  private armed: { what: string; until: number } | undefined;

  constructor(
    private readonly store: Store,
    private readonly now: () => number,
  ) {}

  show(text: string, tone: Toast['tone'] = 'info', ms = TOAST_MS): void {
    clearTimeout(this.timer);
    this.store.dispatch({ type: 'toast', toast: { text, tone } });
    this.timer = setTimeout(() => this.store.dispatch({ type: 'toast', toast: undefined }), ms);
    this.timer.unref();
  }

  clear(): void {
    clearTimeout(this.timer);
    this.armed = undefined;
    if (this.store.getState().toast) this.store.dispatch({ type: 'toast', toast: undefined });
  }

  /** @returns whether it is the second press; the first one shows what the second would do */
  isSecond(what: string, text: string): boolean {
    const isArmed = this.armed?.what === what && this.now() < this.armed.until;
    if (isArmed) {
      this.armed = undefined;
      return true;
    }
    this.armed = { what, until: this.now() + TOAST_MS };
    this.show(text, 'warning');
    return false;
  }
}
