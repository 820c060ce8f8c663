/**
 * Keys typed right behind a command, e.g. `/model`, Enter, `3`: they are for the dialog the command is about to open,
 * and wait until it is there. Where none opens, or it takes long, they are for the input as ever.
 */
import type { InputEvent } from '../../keys/key.js';

/** So long nobody notices that nothing is echoed. */
const COMMAND_MS = 150;
const DIALOG_MS = 1_000;

export interface HeldKeysPorts {
  /** A dialog is open that the user has asked for. */
  isDialogOpen(): boolean;
  replay(events: readonly InputEvent[]): void;
}

export class HeldKeys {
  private events: InputEvent[] = [];
  private shown: () => void = () => undefined;
  isHolding = false;

  constructor(private readonly ports: HeldKeysPorts) {}

  keep(event: InputEvent): void {
    this.events.push(event);
  }

  /** The first frame of a dialog is drawn. */
  dialogShown(): void {
    this.shown();
  }

  /** From now on, until what the command opens is there. */
  async during(command: Promise<unknown>): Promise<void> {
    this.isHolding = true;
    const drawn = new Promise<void>((resolve) => {
      this.shown = resolve;
    });
    await within(COMMAND_MS, command);
    if (this.ports.isDialogOpen()) await within(DIALOG_MS, drawn);
    this.isHolding = false;
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
  // Whoever started it hears of its failure.
  await Promise.race([work.catch(() => undefined), limit]);
  clearTimeout(timer);
}
