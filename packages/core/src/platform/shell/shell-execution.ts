/** One command, from its start until it ends or continues in the background. */
import { LONGEST_TIMER_MS } from '../../base/longest-timer.js';
import type { AnsiOutput } from '../../protocol/tool-display.js';
import type { CommandProcess } from '../process/command-process.js';
import { killTree } from '../process/kill-tree.js';
import type { ProcessExit } from '../process/process-runner.js';
import { isRunning, type ProcessRoot } from '../process/process-tree.js';
import { isBinaryOutput, SNIFFED_BYTES } from '../process/shell-text.js';
import type { OutputSink } from '../process/text-sink.js';
import type { BackgroundLog } from './background-log.js';
import { InputWatch } from './input-watch.js';
import { LiveOutput } from './live-output.js';

/** Why a command moved to the background: on request, because it waits for input, or because it is slow. */
export type BackgroundReason = 'asked' | 'waiting' | 'slow';

export interface ShellResult {
  output: string;
  /** The end of the output as styled lines, if it was drawn on the screen. */
  grid?: AnsiOutput;
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** The shell could not be started. */
  error?: Error;
  /** Why the call ended before the command did; undefined: the command ended. */
  endedBy?: 'abort' | 'timeout' | 'inactivity' | 'background';
  /** With `endedBy: 'background'`. */
  backgroundReason?: BackgroundReason;
  /** Process id of the shell, which leads the process group. */
  pid?: number;
  /** Background jobs that still run. */
  backgroundPids: number[];
  isBinary: boolean;
}

export interface ExecutionOptions {
  sink: OutputSink;
  signal: AbortSignal;
  timeoutMs?: number;
  inactivityMs?: number;
  /** Silence after which to check whether the command waits for input. */
  waitingAfterMs: number;
  /** Creates a sink for the answer to one input; undefined when the command takes no input. */
  newSink?: () => OutputSink;
  onOutput?: (output: string | AnsiOutput) => void;
  takeBackgroundPids: () => number[];
}

/** Unprocessed bytes at which we stop reading the command's output. */
const MAX_BACKLOG = 1024 * 1024;
/** How long to wait for a killed process that hangs in the kernel. */
const GIVE_UP_MS = 1000;

export class ShellExecution {
  readonly result: Promise<ShellResult>;
  /** When the shell itself ends, even if the call returned before. */
  exited: Promise<ProcessExit> = new Promise(() => {});
  /** Resolves when the command waits for input; never after the user has typed into it. */
  readonly waiting: Promise<void>;
  private resolveResult: (result: ShellResult) => void = () => {};
  private resolveWaiting: () => void = () => {};
  private watch: InputWatch | undefined;
  private readonly observers = new Set<(chunk: Buffer) => void>();
  private process: CommandProcess | undefined;
  private log: BackgroundLog | undefined;
  private readonly live: LiveOutput;
  private head = Buffer.alloc(0);
  private bytes = 0;
  private isBinary = false;
  private isReading = true;
  private isOver = false;
  private endedBy: ShellResult['endedBy'];
  private killing: Promise<void> | undefined;
  private timers: NodeJS.Timeout[] = [];
  private inactivity: NodeJS.Timeout | undefined;

  constructor(private readonly options: ExecutionOptions) {
    this.result = new Promise((resolve) => {
      this.resolveResult = resolve;
    });
    this.waiting = new Promise((resolve) => {
      this.resolveWaiting = resolve;
    });
    this.live = new LiveOutput(() => void this.emit());
  }

  /** Undefined if the command was not started. */
  get root(): ProcessRoot | undefined {
    return this.process?.root.pid ? this.process.root : undefined;
  }

  /** Ends the execution without starting the command. */
  refuse(reason: { error: Error } | { endedBy: 'abort' }): void {
    this.isOver = true;
    this.resolveResult({
      output: '',
      exitCode: null,
      signal: null,
      backgroundPids: this.options.takeBackgroundPids(),
      isBinary: false,
      ...reason,
    });
  }

  /** Call once, with the process that sends its output to `onData`. */
  attach(process: CommandProcess): void {
    const { signal, timeoutMs, inactivityMs } = this.options;
    this.process = process;
    this.exited = process.exited;
    signal.addEventListener('abort', this.onAbort, { once: true });
    if (timeoutMs)
      this.timers.push(setTimeout(() => this.end('timeout'), Math.min(timeoutMs, LONGEST_TIMER_MS)));
    if (inactivityMs) {
      this.inactivity = setTimeout(() => this.end('inactivity'), Math.min(inactivityMs, LONGEST_TIMER_MS));
      this.timers.push(this.inactivity);
    }
    if (process.method === 'pty') {
      const { waitingAfterMs: afterMs } = this.options;
      this.watch = new InputWatch({ pid: process.root.pid, afterMs, onWaiting: this.resolveWaiting });
    }
    void process.exited.then((exit) => this.finish(exit));
    if (signal.aborted) this.onAbort();
  }

  readonly onData = (chunk: Buffer): void => {
    this.log?.write(chunk);
    for (const observe of this.observers) observe(chunk);
    if (this.isOver) return;
    this.inactivity?.refresh();
    this.watch?.touch(chunk);
    this.bytes += chunk.length;
    if (!this.isBinary) this.sniff(chunk);
    if (!this.isBinary) this.take(chunk);
    this.live.touch();
  };

  /** Input from the user, who has thereby taken over the terminal. */
  write(data: string): void {
    this.watch?.stop();
    this.live.hurry();
    this.reply(data);
  }

  /** Input from the model, or the terminal's answer to a query. */
  reply(data: string): void {
    this.process?.write(data);
  }

  /** Calls `observer` with all further output. Returns a function that stops it. */
  observe(observer: (chunk: Buffer) => void): () => void {
    this.observers.add(observer);
    return () => this.observers.delete(observer);
  }

  newSink(): OutputSink | undefined {
    return this.options.newSink?.();
  }

  get takesInput(): boolean {
    return this.options.newSink !== undefined;
  }

  resize(columns: number, rows: number): void {
    this.options.sink.resize(columns, rows);
    this.process?.resize(columns, rows);
  }

  /** Kills the command and its descendants; the result contains the output so far. */
  end(reason: 'abort' | 'timeout' | 'inactivity'): void {
    if (this.isOver || this.endedBy || !this.process) return;
    this.endedBy = reason;
    this.killing = killTree(this.process.root).then(() => {
      if (this.isOver) return;
      this.timers.push(setTimeout(() => this.finish({ exitCode: null, signal: 'SIGKILL' }), GIVE_UP_MS));
    });
  }

  /**
   * Ends the call; the command continues and writes to `log`. Returns false if it has already ended.
   * @param onMoved called before the result is delivered
   */
  async toBackground(log: BackgroundLog, reason: BackgroundReason, onMoved: () => void): Promise<boolean> {
    const { sink } = this.options;
    if (this.isOver || this.endedBy) return false;
    this.log = log;
    this.isOver = true;
    this.cleanUp();
    this.resumeReading();
    await log.begin(() => this.finalText());
    const grid = this.isBinary ? undefined : sink.grid();
    sink.release();
    onMoved();
    this.resolveResult({
      output: log.initialOutput,
      grid,
      exitCode: null,
      signal: null,
      endedBy: 'background',
      backgroundReason: reason,
      pid: this.root?.pid,
      backgroundPids: [],
      isBinary: this.isBinary,
    });
    return true;
  }

  private async finish(exit: ProcessExit): Promise<void> {
    if (this.isOver) {
      this.options.takeBackgroundPids();
      return;
    }
    this.isOver = true;
    this.live.flush();
    this.cleanUp();
    const { sink, takeBackgroundPids } = this.options;
    const output = await this.finalText();
    // The shell ends at once; processes that ignore SIGTERM end a little later.
    await this.killing;
    this.resolveResult({
      ...exit,
      output,
      grid: this.isBinary ? undefined : sink.grid(),
      endedBy: this.endedBy,
      pid: this.root?.pid,
      backgroundPids: takeBackgroundPids().filter(isRunning),
      isBinary: this.isBinary,
    });
    sink.release();
  }

  private finalText(): Promise<string> {
    return this.isBinary
      ? Promise.resolve(`[Binary output, not shown: ${this.bytes} bytes.]`)
      : this.options.sink.text();
  }

  private sniff(chunk: Buffer): void {
    const missing = SNIFFED_BYTES - this.head.length;
    if (missing <= 0) return;
    this.head = Buffer.concat([this.head, chunk.subarray(0, missing)]);
    this.isBinary = isBinaryOutput(this.head);
  }

  private take(chunk: Buffer): void {
    const { sink } = this.options;
    sink.push(chunk);
    if (sink.backlog < MAX_BACKLOG || !this.isReading) return;
    this.isReading = false;
    this.process?.pause();
    void sink.settle().then(() => this.resumeReading());
  }

  private resumeReading(): void {
    if (this.isReading) return;
    this.isReading = true;
    this.process?.resume();
  }

  private async emit(): Promise<void> {
    const { sink, onOutput } = this.options;
    if (!onOutput) return;
    await sink.settle();
    if (this.log) return;
    onOutput(this.isBinary ? `[Receiving binary output: ${this.bytes} bytes.]` : sink.live());
  }

  private readonly onAbort = (): void => this.end('abort');

  private cleanUp(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.watch?.stop();
    this.live.stop();
    this.options.signal.removeEventListener('abort', this.onAbort);
  }
}
