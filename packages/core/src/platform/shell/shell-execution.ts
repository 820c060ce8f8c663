/** One command from start to end, or to the moment it goes on without us. */
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

/** Why a command went to the background: somebody asked for it, it waits for input, it takes long. */
export type BackgroundReason = 'asked' | 'waiting' | 'slow';

export interface ShellResult {
  output: string;
  /** The styled end of the output, from a terminal that someone watched. */
  grid?: AnsiOutput;
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** The shell could not be started. */
  error?: Error;
  /** Why the call ended before the command did; undefined: the command ended. */
  endedBy?: 'abort' | 'timeout' | 'inactivity' | 'background';
  /** With `endedBy: 'background'`. */
  backgroundReason?: BackgroundReason;
  /** Of the shell, which leads the process group. */
  pid?: number;
  /** Jobs that the command left running. */
  backgroundPids: number[];
  isBinary: boolean;
}

export interface ExecutionOptions {
  sink: OutputSink;
  signal: AbortSignal;
  timeoutMs?: number;
  inactivityMs?: number;
  /** Silence after which a command in a terminal is looked at: does it wait for input? */
  waitingAfterMs: number;
  /** For the answer to one input; undefined where nobody can type. */
  newSink?: () => OutputSink;
  onOutput?: (output: string | AnsiOutput) => void;
  takeBackgroundPids: () => number[];
}

/** Work that the screen model may be behind before the command has to wait. */
const MAX_BACKLOG = 1024 * 1024;
/** A killed process that does not end (it hangs in the kernel) is given up after this long. */
const GIVE_UP_MS = 1000;
/** A longer timer would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

export class ShellExecution {
  readonly result: Promise<ShellResult>;
  /** The shell's own end, also when the call was over before. */
  exited: Promise<ProcessExit> = new Promise(() => {});
  /** Resolves when the command waits for input; never when it does not, or the user types into it. */
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

  /** Undefined while nothing has been started. */
  get root(): ProcessRoot | undefined {
    return this.process?.root.pid ? this.process.root : undefined;
  }

  /** Nothing is started. */
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

  /** To be called once, with the process whose output goes to `onData`. */
  attach(process: CommandProcess): void {
    const { signal, timeoutMs, inactivityMs } = this.options;
    this.process = process;
    this.exited = process.exited;
    signal.addEventListener('abort', this.onAbort, { once: true });
    if (timeoutMs) this.timers.push(setTimeout(() => this.end('timeout'), Math.min(timeoutMs, LONGEST_MS)));
    if (inactivityMs) {
      this.inactivity = setTimeout(() => this.end('inactivity'), Math.min(inactivityMs, LONGEST_MS));
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

  /** The user types into the command's terminal, and so has taken it over. */
  write(data: string): void {
    this.watch?.stop();
    this.live.hurry();
    this.reply(data);
  }

  /** Types for somebody else: the terminal that answers a question of the command, the model. */
  reply(data: string): void {
    this.process?.write(data);
  }

  /** Calls `observer` with all that is printed from now on. Returns what to call to end that. */
  observe(observer: (chunk: Buffer) => void): () => void {
    this.observers.add(observer);
    return () => this.observers.delete(observer);
  }

  /** Undefined where nobody can type. */
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

  /** Kills the command and all it started; the result comes with the output so far. */
  end(reason: 'abort' | 'timeout' | 'inactivity'): void {
    if (this.isOver || this.endedBy || !this.process) return;
    this.endedBy = reason;
    this.killing = killTree(this.process.root).then(() => {
      if (this.isOver) return;
      this.timers.push(setTimeout(() => this.finish({ exitCode: null, signal: 'SIGKILL' }), GIVE_UP_MS));
    });
  }

  /**
   * The call ends, the command goes on and writes to `log`. False when it has just ended anyway.
   * @param onMoved called before anybody learns of it
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
    // The shell ends at once; what ignores the first signal ends a little later.
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
