/** The interactive app from its first frame to its last. Its parts are made in `compose.ts`. */
import { type AppOptions, type AppParts, composeApp } from './compose.js';

export class App {
  private readonly parts: AppParts;

  constructor(options: AppOptions) {
    this.parts = composeApp(options);
  }

  readonly notice = (text: string): void => this.parts.context.notice(text);

  readonly noteProblem = (error: unknown): void => this.parts.context.noteProblem(error);

  /** Takes the terminal over from the first paint. */
  begin(): void {
    const { terminal, receiver, screen, dialogView, exit, appearance } = this.parts;
    terminal.begin({
      receive: (chunk) => receiver.feed(chunk),
      draw: () => screen.draw(),
      reprint: () => screen.reprint(),
      resized: () => dialogView.live.resized(),
      lost: () => void exit.leaveBy(HANGUP),
    });
    appearance.themes.watchBackground();
  }

  /** @returns the exit code, once the user has quit. @throws what ends the program */
  async run(whenIdle: () => void): Promise<number> {
    const { startup, idle, exit } = this.parts;
    const started = startup.run().then(() => {
      setTimeout(() => idle.add(whenIdle), START_IS_OVER_MS).unref();
      return exit.done;
    });
    // The user may quit before the engine is up.
    return Promise.race([started, exit.done]);
  }

  /** Ends the app by a signal. Where Ctrl+C arrives as one, it cancels a running request first. */
  leaveBy(exitCode: number): void {
    const { appearance, chat, exit } = this.parts;
    const isCancelled = exitCode === INTERRUPTED && appearance.isPlain && chat.conversation.cancel();
    if (!isCancelled) void exit.leaveBy(exitCode);
  }

  /** Makes the terminal usable after any failure. Safe to call twice, and while the process ends. */
  restore(): void {
    this.parts.terminal.restore();
  }

  /** Settled lines stay, the frame goes, and the terminal is given back. */
  end(): void {
    const { idle, dialogView, startup, appearance, terminal, screen } = this.parts;
    idle.stop();
    dialogView.live.close();
    startup.stop();
    appearance.themes.stop();
    terminal.leaveFullScreen();
    screen.finish();
    terminal.end();
  }
}

/** Exit codes after SIGHUP and SIGINT. */
const HANGUP = 129;
const INTERRUPTED = 130;
const START_IS_OVER_MS = 3_000;
