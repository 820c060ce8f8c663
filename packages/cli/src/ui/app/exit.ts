/** The ways out: the user quits, a signal arrives, the terminal is gone. Each stops the engine first. */
import type { HistoryItemWithoutId } from '../../history/item.js';
import type { AppContext } from './context/app-context.js';
import type { ChatSession } from './conversation/chat-session.js';
import type { EngineHost } from './conversation/engine-host.js';
import type { Dialogs } from './dialogs/dialogs.js';

/** After a signal the process ends at the latest then. */
const STOP_MS = 5_000;

export class Exit {
  private isLeaving = false;
  private readonly ending = new AbortController();
  private leave: (exitCode: number) => void = () => undefined;
  /** Resolves with the exit code once the engine has stopped. */
  readonly done = new Promise<number>((resolve) => {
    this.leave = resolve;
  });

  constructor(
    private readonly context: AppContext,
    private readonly engine: EngineHost,
    private readonly chat: ChatSession,
    private readonly dialogs: Dialogs,
  ) {}

  /** Work in the background ends with it. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  async quit(
    items: readonly HistoryItemWithoutId[] = [],
    { deleteSession: isDeleted = false }: { deleteSession?: boolean } = {},
  ): Promise<void> {
    if (this.isLeaving) return;
    this.isLeaving = true;
    const { chat } = this;
    chat.conversation.cancel({ keepsPrompt: true });
    this.dialogs.close(undefined);
    const own = await chat.stats.goodbye({ isDeleted });
    const goodbye = items.some(({ type }) => type === 'quit') || items.length === 0 ? [own] : items;
    for (const item of goodbye) this.context.add(item);
    this.ending.abort();
    await chat.end({ isDeleted });
    this.leave(0);
  }

  /** By a signal, or because the terminal is gone. A second one does not wait. */
  async leaveBy(exitCode: number): Promise<void> {
    if (this.isLeaving) process.exit(exitCode);
    this.isLeaving = true;
    const limit = setTimeout(() => process.exit(exitCode), STOP_MS);
    this.chat.conversation.cancel({ keepsPrompt: true });
    await this.engine.stop();
    clearTimeout(limit);
    this.leave(exitCode);
  }
}
