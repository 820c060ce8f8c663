/**
 * Runs commands for the model and the user, in the foreground and in the background. Cheap to import: the
 * modules that do the work are loaded with the first command.
 */
import { LONGEST_TIMER_MS } from '../../base/longest-timer.js';
import type { AnsiOutput } from '../../protocol/tool-display.js';
import type { Variables } from '../environment.js';
import { createLog } from '../log.js';
import type { SandboxedCommand, SandboxRequest } from '../sandbox/types.js';
import type { BackgroundLog, LogExcerpt, LogMask } from './background-log.js';
import type { AnswerOptions, InputAnswer } from './send-input.js';
import type { BackgroundReason, ShellExecution, ShellResult } from './shell-execution.js';
import { FIRST_CHECK_MS, type ShellSettings } from './shell-settings.js';

export interface ShellRequest {
  command: string;
  cwd: string;
  settings: ShellSettings;
  isTrustedFolder: boolean;
  /** Variables in addition to our own environment. */
  environment?: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** Hard limit; without it only the inactivity limit of the settings applies. */
  timeoutMs?: number;
  onOutput?: (output: string | AnsiOutput) => void;
  /** Puts the shell into a sandbox. If it throws, nothing is started; the error is in the result. */
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
  /** Stopped by `kill`, so the caller knows already. */
  wasStopped?: boolean;
}

type ExitListener = (process: BackgroundProcess, how: { wasStopped: boolean }) => void;

export interface ProcessAnswer extends InputAnswer {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
}

/** How long to wait for the answer to an input, in total and without output. */
const ANSWER_LIMIT_MS = 30_000;
const ANSWER_QUIET_MS = 5000;

const MAX_HISTORY = 100;

export interface ShellServiceOptions {
  /** See `Storage.getBackgroundProcessDir()`. */
  logDirectory: string;
  /** Environment that commands inherit. */
  variables: Variables;
  createMask?: () => LogMask | undefined;
}

export class ShellExecutionService {
  private readonly running = new Map<number, { command: string; execution: ShellExecution }>();
  private readonly background = new Map<number, Background>();
  private readonly exitListeners = new Set<ExitListener>();

  constructor(private readonly options: ShellServiceOptions) {}

  /** Loads the modules of the first command in advance. */
  async warmUp({ screen }: { screen: boolean }): Promise<void> {
    await import('./start-shell.js');
    if (process.platform === 'linux') await (await import('../terminal/pty-native.js')).loadBinding();
    if (screen) await Promise.all([import('../terminal/xterm-screen.js'), import('@xterm/headless')]);
  }

  /** Starts a command. Neither promise rejects: errors are in the result. */
  async execute(request: ShellRequest): Promise<{ pid?: number; result: Promise<ShellResult> }> {
    const { startShell } = await import('./start-shell.js');
    const execution = await startShell(request, this.options.variables);
    const pid = execution.root?.pid;
    if (pid) {
      this.running.set(pid, { command: request.command, execution });
      const slow = this.moveAfter(pid, request.settings.backgroundAfterSeconds);
      void execution.result.then(() => {
        clearTimeout(slow);
        this.running.delete(pid);
      });
      void execution.waiting.then(() => this.tryMoveToBackground(pid, 'waiting'));
    }
    return { pid, result: execution.result };
  }

  /**
   * Ends the call of a command that continues to run. Returns false if the command is not running.
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
   * Types into the terminal of a background process and waits for its answer, up to a limit.
   * Undefined when the process does not run or takes no input.
   */
  async sendInput(
    pid: number,
    data: string,
    { signal, ...limits }: Pick<AnswerOptions, 'signal'> & Partial<AnswerOptions>,
  ): Promise<ProcessAnswer | undefined> {
    const entry = this.background.get(pid);
    if (entry?.status !== 'running') return undefined;
    const { sendInputTo } = await import('./send-input.js');
    const answer = await sendInputTo(entry.execution, data, {
      limitMs: ANSWER_LIMIT_MS,
      quietMs: ANSWER_QUIET_MS,
      afterMs: FIRST_CHECK_MS,
      ...limits,
      signal,
    });
    if (answer?.state === 'waiting') entry.log.flush();
    return answer && { ...answer, exitCode: entry.exitCode, signal: entry.signal };
  }

  /** Command of a running background process; policy checks input to it as if it were this command. */
  commandOf(pid: number): string | undefined {
    const entry = this.background.get(pid);
    return entry?.status === 'running' ? entry.command : undefined;
  }

  /** Whether a background process runs; with `takesInput`, one that takes input. */
  hasBackground({ takesInput = false } = {}): boolean {
    return [...this.background.values()].some(
      ({ status, execution }) => status === 'running' && (!takesInput || execution.takesInput),
    );
  }

  /** Input from the user for a running command, in the foreground or in the background. */
  write(pid: number, data: string): void {
    this.find(pid)?.write(data);
  }

  resize(pid: number, columns: number, rows: number): void {
    this.find(pid)?.resize(columns, rows);
  }

  /** Running commands whose call has not returned; latest last. */
  foregroundPids(): number[] {
    return [...this.running.keys()].filter((pid) => !this.background.has(pid));
  }

  /** In the order they moved to the background. */
  listBackground(): BackgroundProcess[] {
    return [...this.background.values()].map(publicPart);
  }

  /** Undefined for an unknown process. @throws when its log cannot be read. */
  readBackground(pid: number, lines: number): LogExcerpt | undefined {
    return this.background.get(pid)?.log.read(lines);
  }

  /** Kills a command and its descendants. Returns false if it is not running. */
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

  /** Kills every command. When the program exits, `killAllChildren` does this instead. */
  async killAll(): Promise<void> {
    const pids = [...this.running.keys(), ...this.background.keys()];
    await Promise.all(pids.map((pid) => this.kill(pid)));
  }

  /** Returns a function that removes the listener. */
  onBackgroundExit(listener: ExitListener): () => void {
    this.exitListeners.add(listener);
    return () => this.exitListeners.delete(listener);
  }

  private moveAfter(pid: number, seconds: number): NodeJS.Timeout | undefined {
    if (!(seconds > 0)) return undefined;
    return setTimeout(
      () => void this.tryMoveToBackground(pid, 'slow'),
      Math.min(seconds * 1000, LONGEST_TIMER_MS),
    );
  }

  /** If its log cannot be written, the command stays in the foreground, where the usual limits end it. */
  private async tryMoveToBackground(pid: number, reason: BackgroundReason): Promise<void> {
    try {
      await this.moveToBackground(pid, reason);
    } catch (error) {
      createLog('shell').error('the log of a background process could not be written', { pid, error });
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
