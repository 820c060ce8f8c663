/**
 * Runs commands for the model and the user: in the foreground, in the background, and from the one to
 * the other. Light to load; what does the work comes with the first command.
 */
import type { AnsiOutput } from '../protocol/tool-display.js';
import type { BackgroundLog, LogExcerpt, LogMask } from './background-log.js';
import type { ShellExecution, ShellResult } from './shell-execution.js';
import type { ShellSettings } from './shell-settings.js';

export interface ShellRequest {
  command: string;
  cwd: string;
  settings: ShellSettings;
  isTrustedFolder: boolean;
  /** Variables besides our own environment. */
  environment?: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** Hard limit; without it only the inactivity limit of the settings counts. */
  timeoutMs?: number;
  onOutput?: (output: string | AnsiOutput) => void;
}

export interface BackgroundProcess {
  pid: number;
  command: string;
  status: 'running' | 'exited';
  exitCode: number | null;
  signal: NodeJS.Signals | null;
}

interface Background extends BackgroundProcess {
  log: BackgroundLog;
  execution: ShellExecution;
}

type ExitListener = (process: BackgroundProcess) => void;

const MAX_HISTORY = 100;

export class ShellExecutionService {
  private readonly running = new Map<number, { command: string; execution: ShellExecution }>();
  private readonly background = new Map<number, Background>();
  private readonly exitListeners = new Set<ExitListener>();

  /** @param logDirectory see `Storage.getBackgroundProcessDir()` */
  constructor(
    private readonly logDirectory: string,
    private readonly createMask: () => LogMask | undefined = () => undefined,
  ) {}

  /** Loads what the first command needs, so that it does not wait for it. */
  async warmUp({ screen }: { screen: boolean }): Promise<void> {
    await import('./start-shell.js');
    if (screen) await Promise.all([import('./xterm-screen.js'), import('@xterm/headless')]);
  }

  /** Starts a command. What goes wrong is in the result; neither promise rejects. */
  async execute(request: ShellRequest): Promise<{ pid?: number; result: Promise<ShellResult> }> {
    const { startShell } = await import('./start-shell.js');
    const execution = await startShell(request);
    const pid = execution.root?.pid;
    if (pid) {
      this.running.set(pid, { command: request.command, execution });
      void execution.result.then(() => this.running.delete(pid));
    }
    return { pid, result: execution.result };
  }

  /**
   * The command goes on, its call ends. False when there is no such command any more.
   * @throws when its log cannot be written; the command then stays in the foreground.
   */
  async moveToBackground(pid: number): Promise<boolean> {
    const found = this.running.get(pid);
    if (!found) return false;
    const { BackgroundLog } = await import('./background-log.js');
    const log = BackgroundLog.create(this.logDirectory, pid, this.createMask());
    if (!(await found.execution.toBackground(log))) {
      log.remove();
      return false;
    }
    this.remember({ pid, log, status: 'running', exitCode: null, signal: null, ...found });
    return true;
  }

  /** Types into the terminal of a running command, in the foreground or not. */
  write(pid: number, data: string): void {
    this.find(pid)?.write(data);
  }

  resize(pid: number, columns: number, rows: number): void {
    this.find(pid)?.resize(columns, rows);
  }

  /** In the order they went there. */
  listBackground(): BackgroundProcess[] {
    return [...this.background.values()].map(publicPart);
  }

  /** Undefined when the process is none of ours. @throws when its log cannot be read. */
  readBackground(pid: number, lines: number): LogExcerpt | undefined {
    return this.background.get(pid)?.log.read(lines);
  }

  /** Kills one, in the foreground or not, with all it has started. False when it is not running. */
  async kill(pid: number): Promise<boolean> {
    const foreground = this.running.get(pid);
    if (foreground) {
      foreground.execution.end('abort');
      await foreground.execution.result;
      return true;
    }
    const background = this.background.get(pid);
    if (background?.status !== 'running' || !background.execution.root) return false;
    const { killTree } = await import('./kill-tree.js');
    await Promise.all([killTree(background.execution.root), background.execution.exited]);
    return true;
  }

  /** Kills every command. At the end of the program see `killAllChildren`. */
  async killAll(): Promise<void> {
    const pids = [...this.running.keys(), ...this.background.keys()];
    await Promise.all(pids.map((pid) => this.kill(pid)));
  }

  /** Returns what to call to be told no more. */
  onBackgroundExit(listener: ExitListener): () => void {
    this.exitListeners.add(listener);
    return () => this.exitListeners.delete(listener);
  }

  private find(pid: number): ShellExecution | undefined {
    return this.running.get(pid)?.execution ?? this.background.get(pid)?.execution;
  }

  private remember(entry: Background): void {
    this.background.set(entry.pid, entry);
    const oldest = [...this.background.values()].find((item) => item.status === 'exited');
    if (this.background.size > MAX_HISTORY && oldest) {
      oldest.log.remove();
      this.background.delete(oldest.pid);
    }
    void entry.execution.exited.then(({ exitCode, signal }) => {
      entry.log.close();
      Object.assign(entry, { status: 'exited', exitCode, signal });
      for (const listener of this.exitListeners) listener(publicPart(entry));
    });
  }
}

function publicPart({ pid, command, status, exitCode, signal }: Background): BackgroundProcess {
  return { pid, command, status, exitCode, signal };
}
