/** The user's own commands (`!command`), and what the user does with a command that runs. */
import type { AppContext } from '../context/app-context.js';
import type { Conversation } from './conversation.js';
import type { EngineHost } from './engine-host.js';
import { runShellCommand } from './shell-command.js';

export class UserShell {
  private pid: number | undefined;

  constructor(
    private readonly context: AppContext,
    private readonly engine: EngineHost,
    private readonly conversation: Conversation,
  ) {}

  /** Esc cancels it like a request. */
  async run(command: string): Promise<void> {
    const { config } = this.engine;
    const { store, now } = this.context;
    if (!config) return;
    await this.conversation.during((signal) =>
      runShellCommand(command, {
        store,
        config,
        signal,
        now,
        onPid: (pid) => {
          this.pid = pid;
        },
      }),
    );
  }

  /** Types into the running command, the user's or the model's. */
  write(bytes: string): void {
    const pid = this.runningPid();
    if (pid !== undefined) this.engine.shells?.write(pid, bytes);
  }

  /** Lets the running command continue in the background; without one, opens or closes the list of those. */
  async moveToBackground(): Promise<void> {
    const pid = this.runningPid();
    const isMoved = pid !== undefined && (await this.engine.shells?.moveToBackground(pid));
    if (!isMoved) this.context.store.dispatch({ type: 'toggled', what: 'showTasks' });
  }

  private runningPid(): number | undefined {
    return this.pid ?? this.engine.shells?.foregroundPids().at(-1);
  }
}
