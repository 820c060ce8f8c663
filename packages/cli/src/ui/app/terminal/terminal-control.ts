/** Owns the terminal: takes it from the first paint, lends it to editors and the shell, and gives it back at the end. */
import { type FirstPaint, terminalSize, writeToTerminal } from '../../../terminal/first-paint.js';
import type { FrameOutput } from '../../../terminal/frame-writer.js';
import { createTerminalModes, NO_MODES, type TerminalModes } from '../../../terminal/modes.js';
import { RESTORE_TITLE, SAVE_TITLE, titleSequence, windowTitle } from '../../layout/title.js';
import { ansiWidth } from '../../text/width.js';
import type { AppContext } from '../context/app-context.js';
import type { Appearance } from '../screen/appearance.js';
import { watchTerminal } from './exit-guard.js';

export interface TerminalUser {
  receive(chunk: Buffer): void;
  draw(): void;
  /** Writes the history again, after the window became narrower. */
  reprint(): void;
  resized(): void;
  /** The window was closed without a signal. */
  lost(): void;
}

/** A pause this long while resizing means that the user has finished. */
const REPRINT_AFTER_MS = 150;

export class TerminalControl {
  readonly writer: FrameOutput;
  private readonly modes: TerminalModes;
  private user: TerminalUser | undefined;
  private hasMouse = false;
  private title = '';
  private reprinting: NodeJS.Timeout | undefined;
  private stopWatching: () => void = () => undefined;

  constructor(
    private readonly context: AppContext,
    private readonly firstPaint: FirstPaint,
    private readonly kind: Pick<Appearance, 'fullScreen' | 'isPlain'>,
  ) {
    this.writer = firstPaint.writer;
    this.writer.measureWith(ansiWidth);
    this.modes = kind.isPlain ? NO_MODES : createTerminalModes(writeToTerminal, process.stdin);
  }

  begin(user: TerminalUser): void {
    this.user = user;
    this.modes.enter();
    process.on('SIGWINCH', this.resized);
    process.on('SIGCONT', this.continued);
    if (this.kind.fullScreen) {
      this.writer.enterFullScreen();
      this.setMouse(true);
    }
    this.watchState();
    this.stopWatching = watchTerminal(() => user.lost());
    this.firstPaint.takeOver((chunk) => user.receive(chunk));
    user.draw();
    this.updateTitle();
  }

  /** Ctrl+S. @returns whether we have the mouse now */
  toggleMouse(): boolean {
    this.setMouse(!this.hasMouse);
    return this.hasMouse;
  }

  /** Another program has the terminal meanwhile. */
  async withTerminal<T>(work: () => Promise<T>): Promise<T> {
    this.writer.suspend();
    this.modes.leave();
    process.stdin.pause();
    try {
      return await work();
    } finally {
      process.stdin.resume();
      this.modes.enter();
      this.writer.resume();
      this.user?.draw();
    }
  }

  /** Ctrl+Z. */
  suspend(): void {
    if (process.platform === 'win32') return;
    this.writer.suspend();
    this.modes.leave();
    // The whole group, as the terminal does it: a sandbox or npx around us must stop too.
    process.kill(0, 'SIGTSTP');
  }

  leaveFullScreen(): void {
    if (this.kind.fullScreen) this.writer.leaveFullScreen();
  }

  /** The last frame is drawn: stops listening and gives the terminal back. */
  end(): void {
    this.stopWatching();
    clearTimeout(this.reprinting);
    process.off('SIGWINCH', this.resized);
    process.off('SIGCONT', this.continued);
    this.restoreTitle();
    this.modes.leave();
  }

  /** Makes the terminal usable after any failure. Safe to call twice, and while the process ends. */
  restore(): void {
    this.writer.leaveFullScreen();
    this.writer.suspend();
    this.restoreTitle();
    this.modes.leave();
  }

  /** The title shows the state; in copy mode the terminal gets the mouse, so that the user can select. */
  private watchState(): void {
    const { store } = this.context;
    let isCopying = false;
    store.subscribe(() => {
      this.updateTitle();
      const { isCopyMode } = store.getState();
      if (isCopyMode === isCopying) return;
      isCopying = isCopyMode;
      this.modes.setMouse(this.hasMouse && !isCopyMode);
    });
  }

  private setMouse(on: boolean): void {
    this.hasMouse = on;
    this.modes.setMouse(on);
  }

  private updateTitle(): void {
    const { store, settings, env } = this.context;
    const title = windowTitle(store.getState(), settings.ui, env) ?? '';
    if (title === this.title) return;
    if (this.title === '') writeToTerminal(SAVE_TITLE);
    this.title = title;
    if (title !== '') writeToTerminal(titleSequence(title));
  }

  private restoreTitle(): void {
    if (this.title !== '') writeToTerminal(RESTORE_TITLE);
    this.title = '';
  }

  /** After `fg`, or after a SIGSTOP that we could not see: modes and frame are set up again. */
  private readonly continued = (): void => {
    this.modes.leave();
    this.modes.enter();
    this.writer.resume();
    this.resized();
  };

  private readonly resized = (): void => {
    const { store } = this.context;
    const size = terminalSize();
    const isNarrower = size.columns < store.getState().columns;
    this.writer.resized();
    store.dispatch({ type: 'resized', ...size });
    this.user?.resized();
    this.user?.draw();
    if (!isNarrower && !this.reprinting) return;
    clearTimeout(this.reprinting);
    this.reprinting = setTimeout(() => {
      this.reprinting = undefined;
      this.user?.reprint();
    }, REPRINT_AFTER_MS);
  };
}
