/** The user's own commands (`!command`), and what the user does with a command that runs. */
import { setTimeout as delay } from 'node:timers/promises';
import { BOX_COLUMNS } from '../../history/box.js';
import { RESULT_ROWS } from '../../history/tool-result.js';
import type { AppContext } from '../context/app-context.js';
import type { Conversation } from './conversation.js';
import type { EngineHost } from './engine-host.js';
import { runShellCommand } from './shell-command.js';

/** The rows below and around the output. */
const OTHER_ROWS = 11;
const MIN_ROWS = 4;
const MIN_COLUMNS = 16;
const CHECK_MS = 20;

export class UserShell {
  private pid: number | undefined;
  private earlier = Promise.resolve();

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
        columns: this.boxColumns(),
        onPid: (pid) => {
          this.pid = pid;
          store.dispatch({ type: 'switched', what: 'isShellRunning', to: pid !== undefined });
        },
      }),
    );
  }

  /** True while a command of the user runs. */
  get isRunning(): boolean {
    return this.pid !== undefined;
  }

  /** Gives the keyboard to the running command, in a terminal as large as what is shown of it. */
  focus(): void {
    const { store } = this.context;
    const { rows } = store.getState();
    const width = this.boxColumns();
    const height = Math.max(MIN_ROWS, Math.min(RESULT_ROWS, rows - OTHER_ROWS));
    this.whenStarted((pid) => this.engine.shells?.resize(pid, width, height));
    store.dispatch({ type: 'switched', what: 'isShellFocused', to: true });
  }

  /** Types into the running command, the user's or the model's. */
  write(bytes: string): void {
    this.whenStarted((pid) => this.engine.shells?.write(pid, bytes));
  }

  /** Lets running agents or the running command continue in the background; without one, opens or closes the list of those. */
  async moveToBackground(): Promise<void> {
    const agents = this.engine.config?.getAgentCaller().moveToBackground() ?? 0;
    if (agents > 0) {
      const many = agents === 1 ? 'The agent works' : `${agents} agents work`;
      this.context.toasts.show(`${many} on in the background: /tasks.`, 'info');
      return;
    }
    const pid = this.runningPid();
    const isMoved = pid !== undefined && (await this.engine.shells?.moveToBackground(pid));
    if (!isMoved) this.context.store.dispatch({ type: 'toggled', what: 'showTasks' });
  }

  /** In order. The files are saved before a command of the model starts; what is typed meanwhile waits. */
  private whenStarted(work: (pid: number) => void): void {
    this.earlier = this.earlier.then(async () => {
      while (this.runningPid() === undefined && this.context.store.getState().isShellRunning)
        await delay(CHECK_MS);
      const pid = this.runningPid();
      if (pid !== undefined) work(pid);
    });
  }

  private boxColumns(): number {
    return Math.max(MIN_COLUMNS, this.context.store.getState().columns - BOX_COLUMNS);
  }

  private runningPid(): number | undefined {
    return this.pid ?? this.engine.shells?.foregroundPids().at(-1);
  }
}
