/** The ways out: the user's own, a signal, a terminal that is gone. Each ends the engine first. */
import type { HistoryItemWithoutId } from '../../history/item.js';
import type { App } from './app.js';

const LEAVING_MS = 5_000;

export class Leaving {
  private isLeaving = false;

  /** @param end gives the terminal back and ends the program */
  constructor(
    private readonly app: App,
    private readonly end: (exitCode: number) => void,
  ) {}

  async quit(
    items: readonly HistoryItemWithoutId[] = [],
    { deleteSession = false }: { deleteSession?: boolean } = {},
  ): Promise<void> {
    if (this.isLeaving) return;
    this.isLeaving = true;
    const { app } = this;
    app.conversation.cancel();
    app.closeDialog(undefined);
    const own = await app.goodbye({ isDeleted: deleteSession });
    const goodbye = items.some(({ type }) => type === 'quit') || items.length === 0 ? [own] : items;
    for (const item of goodbye) app.add(item);
    await app.leaveSession({ isDeleted: deleteSession });
    this.end(0);
  }

  /** By a signal, or because the terminal is gone. */
  async leaveBy(exitCode: number): Promise<void> {
    if (this.isLeaving) process.exit(exitCode);
    this.isLeaving = true;
    const limit = setTimeout(() => process.exit(exitCode), LEAVING_MS);
    this.app.conversation.cancel();
    await this.app.engine.stop();
    clearTimeout(limit);
    this.end(exitCode);
  }
}
