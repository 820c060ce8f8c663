/**
 * Keeps keys, in order, that the user types before the screen is ready for them. After a command, e.g. `/model`, Enter,
 * `3`, they are for the dialog that it opens; after the key that saves and closes a dialog they are for the input. When
 * that takes too long, they go to whatever is on the screen.
 */
import type { InputEvent } from '../../keys/key.js';

/** Too short for a user to notice that no key is echoed. */
const COMMAND_MS = 150;
const DIALOG_MS = 1_000;

export interface HeldKeysPorts {
  /** A dialog is open that the user has asked for. */
  isDialogOpen(): boolean;
  replay(events: readonly InputEvent[]): void;
}

export class HeldKeys {
  private events: InputEvent[] = [];
  private ready: () => void = () => undefined;
  private holds = 0;

  constructor(private readonly ports: HeldKeysPorts) {}

  get isHolding(): boolean {
    return this.holds > 0;
  }

  keep(event: InputEvent): void {
    this.events.push(event);
  }

  /** Ctrl+C cancels what was typed before it, and does not wait itself. */
  discard(): void {
    this.events = [];
  }

  /** The dialog can take keys: it is drawn, and has what it shows. */
  dialogReady(): void {
    this.ready();
  }

  /** Until the dialog that the command opens is drawn. */
  async duringCommand(command: Promise<unknown>): Promise<void> {
    const ready = new Promise<void>((resolve) => {
      this.ready = resolve;
    });
    await this.hold(async () => {
      await within(COMMAND_MS, command);
      if (this.ports.isDialogOpen()) await within(DIALOG_MS, ready);
    });
  }

  /** A dialog does something that may close it. */
  async duringAction(action: Promise<unknown>): Promise<void> {
    await this.hold(() => within(DIALOG_MS, action));
  }

  private async hold(until: () => Promise<void>): Promise<void> {
    this.holds++;
    await until();
    this.holds--;
    if (this.holds > 0) return;
    const { events } = this;
    this.events = [];
    if (events.length > 0) this.ports.replay(events);
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  // The code that started it reports its failure.
  await Promise.race([work.catch(() => undefined), limit]);
  clearTimeout(timer);
}
