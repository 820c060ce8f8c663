/** Whose the terminal is: ours, an editor's, or the shell's while we are stopped. */
import { type FirstPaint, terminalSize } from '../../../terminal/first-paint.js';
import type { App } from '../app.js';

export interface LeasePorts {
  draw(): void;
  /** Everything again, after the width has changed. */
  reprint(): void;
  onResize(): void;
}

/** Nobody drags the edge of a window slower. */
const REPRINT_AFTER_MS = 150;

export class TerminalLease {
  private reprinting: NodeJS.Timeout | undefined;

  constructor(
    private readonly app: App,
    private readonly firstPaint: FirstPaint,
    private readonly ports: LeasePorts,
  ) {}

  begin(): void {
    this.app.modes.enter();
    process.on('SIGWINCH', this.resized);
    process.on('SIGCONT', this.continued);
  }

  end(): void {
    clearTimeout(this.reprinting);
    process.off('SIGWINCH', this.resized);
    process.off('SIGCONT', this.continued);
    this.app.modes.leave();
  }

  /** Another program has the terminal meanwhile. */
  async withTerminal<T>(work: () => Promise<T>): Promise<T> {
    const { writer } = this.firstPaint;
    writer.suspend();
    this.app.modes.leave();
    process.stdin.pause();
    try {
      return await work();
    } finally {
      process.stdin.resume();
      this.app.modes.enter();
      writer.resume();
      this.ports.draw();
    }
  }

  /** Ctrl+Z. */
  suspend(): void {
    if (process.platform === 'win32') return;
    this.firstPaint.writer.suspend();
    this.app.modes.leave();
    process.kill(process.pid, 'SIGTSTP');
  }

  /** `fg`, or a stop that nobody announced: modes and frame are set up anew. */
  private readonly continued = (): void => {
    this.app.modes.leave();
    this.app.modes.enter();
    this.firstPaint.writer.resume();
    this.resized();
  };

  private readonly resized = (): void => {
    const size = terminalSize();
    const isNarrower = size.columns < this.app.store.getState().columns;
    this.firstPaint.writer.resized();
    this.app.store.dispatch({ type: 'resized', ...size });
    this.ports.onResize();
    this.ports.draw();
    if (!isNarrower && !this.reprinting) return;
    clearTimeout(this.reprinting);
    this.reprinting = setTimeout(() => {
      this.reprinting = undefined;
      this.ports.reprint();
    }, REPRINT_AFTER_MS);
  };
}
