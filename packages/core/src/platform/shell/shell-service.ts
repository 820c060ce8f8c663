/**
 * Runs commands for the model and the user: in the foreground, in the background, and from the one to
 * the other. Light to load; what does the work comes with the first command.
 */
import type { AnsiOutput } from '../../protocol/tool-display.js';
import type { Variables } from '../environment.js';
import { createLog } from '../log.js';
import type { SandboxedCommand, SandboxRequest } from '../sandbox/types.js';
import type { BackgroundLog, LogExcerpt, LogMask } from './background-log.js';
import type { AnswerOptions, InputAnswer } from './conversation.js';
import type { BackgroundReason, ShellExecution, ShellResult } from './shell-execution.js';
import { FIRST_LOOK_MS, type ShellSettings } from './shell-settings.js';

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
  /** Puts what would be started into a sandbox. If it throws, nothing is started; the error is in the result. */
  isolate?: Isolate;
}

export type Isolate = (invocation: Omit<SandboxRequest, 'policy'>) => Promise<SandboxedCommand>;

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
  /** Killed by `kill`: its end is no news. */
  wasStopped?: boolean;
}

type ExitListener = (process: BackgroundProcess, how: { wasStopped: boolean }) => void;

export interface ProcessAnswer extends InputAnswer {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
}

/** How long the answer to an input is waited for, in all and without output. */
const ANSWER_LIMIT_MS = 30_000;
const ANSWER_QUIET_MS = 5000;

const MAX_HISTORY = 100;

export interface ShellServiceOptions {
  /** See `Storage.getBackgroundProcessDir()`. */
  logDirectory: string;
  /** What commands inherit. */
  variables: Variables;
  createMask?: () => LogMask | undefined;
}

export class ShellExecutionService {
  private readonly running = new Map<number, { command: string; execution: ShellExecution }>();
  private readonly background = new Map<number, Background>();
  private readonly exitListeners = new Set<ExitListener>();

  constructor(private readonly options: ShellServiceOptions) {}

  /** Loads what the first command needs, so that it does not wait for it. */
  async warmUp({ screen }: { screen: boolean }): Promise<void> {
    await import('./start-shell.js');
    if (screen) await Promise.all([import('../terminal/xterm-screen.js'), import('@xterm/headless')]);
  }

  /** Starts a command. What goes wrong is in the result; neither promise rejects. */
  async execute(request: ShellRequest): Promise<{ pid?: number; result: Promise<ShellResult> }> {
    const { startShell } = await import('./start-shell.js');
    const execution = await startShell(request, this.options.variables);
    const pid = execution.root?.pid;
    if (pid) {
      this.running.set(pid, { command: request.command, execution });
      const slow = this.whenSlow(pid, request.settings.backgroundAfterSeconds);
      void execution.result.then(() => {
        clearTimeout(slow);
        this.running.delete(pid);
      });
      void execution.waiting.then(() => this.letGo(pid, 'waiting'));
    }
    return { pid, result: execution.result };
  }

  /**
   * The command goes on, its call ends. False when there is no such command any more.
   * @throws when its log cannot be written; the command then stays in the foreground.
   */
  async moveToBackground(pid: number, reason: BackgroundReason = 'asked'): Promise<boolean> {
    const found = this.running.get(pid);
    if (!found) return false;
    const { BackgroundLog } = await import('./background-log.js');
    const log = BackgroundLog.create(this.options.logDirectory, pid, this.options.createMask?.());
    const remember = () =>
      this.remember({ pid, log, status: 'running', exitCode: null, signal: null, ...found });
    const isMoved = await found.execution.toBackground(log, reason, remember);
    if (!isMoved) log.remove();
    return isMoved;
  }

  /**
   * Types into the terminal of a background process and waits until it has answered, with a limit.
   * Undefined when there is no such process running, or it takes no input.
   */
  async sendInput(
    pid: number,
    data: string,
    { signal, ...limits }: Pick<AnswerOptions, 'signal'> & Partial<AnswerOptions>,
  ): Promise<ProcessAnswer | undefined> {
    const entry = this.background.get(pid);
    if (entry?.status !== 'running') return undefined;
    const { converse } = await import('./conversation.js');
    const answer = await converse(entry.execution, data, {
      limitMs: ANSWER_LIMIT_MS,
      quietMs: ANSWER_QUIET_MS,
      afterMs: FIRST_LOOK_MS,
      ...limits,
      signal,
    });
    if (answer?.state === 'waiting') entry.log.flush();
    return answer && { ...answer, exitCode: entry.exitCode, signal: entry.signal };
  }

  /** Of a background process that runs; what is typed into it is judged as this command. */
  commandOf(pid: number): string | undefined {
    const entry = this.background.get(pid);
    return entry?.status === 'running' ? entry.command : undefined;
  }

  /** Is there a background process to be stopped, or, with `takesInput`, to be typed into? */
  hasBackground({ takesInput = false } = {}): boolean {
    return [...this.background.values()].some(
      ({ status, execution }) => status === 'running' && (!takesInput || execution.takesInput),
    );
  }

  /** The user types into the terminal of a running command, in the foreground or not. */
  write(pid: number, data: string): void {
    this.find(pid)?.write(data);
  }

  resize(pid: number, columns: number, rows: number): void {
    this.find(pid)?.resize(columns, rows);
  }

  /** Of the commands that are waited for, the latest last. */
  foregroundPids(): number[] {
    return [...this.running.keys()].filter((pid) => !this.background.has(pid));
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
    background.wasStopped = true;
    const { killTree } = await import('../process/kill-tree.js');
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

  private whenSlow(pid: number, seconds: number): NodeJS.Timeout | undefined {
    if (!(seconds > 0)) return undefined;
    return setTimeout(() => void this.letGo(pid, 'slow'), Math.min(seconds * 1000, 2 ** 31 - 1));
  }

  /** Without a place for its log the command stays in the foreground, where the usual limits end it. */
  private async letGo(pid: number, reason: BackgroundReason): Promise<void> {
    try {
      await this.moveToBackground(pid, reason);
    } catch (error) {
      createLog('shell').error('no log for a background process', { pid, error });
    }
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
      const how = { wasStopped: entry.wasStopped === true };
      for (const listener of this.exitListeners) listener(publicPart(entry), how);
    });
  }
}

function publicPart({ pid, command, status, exitCode, signal }: Background): BackgroundProcess {
  return { pid, command, status, exitCode, signal };
}
