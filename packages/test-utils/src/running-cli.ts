/** Runs a program as a child process, keeps its output, and waits for it without sleeping. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';

export interface RunResult {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  stdoutBytes: Buffer;
  durationMs: number;
  /** stdout as one JSON value. */
  json(): JsonOutput;
  /** stdout as JSON lines; every line must be an object. */
  events(): StreamEvent[];
}

/** The `json` output format, as far as tests look into it. */
export interface JsonOutput {
  session_id?: string;
  response?: string;
  stats?: {
    models: Record<string, { api: Record<string, unknown>; tokens: Record<string, number>; roles: object }>;
    tools: {
      totalCalls: number;
      totalSuccess: number;
      totalFail: number;
      byName: Record<string, { count: number; success: number; fail: number }>;
    };
    files: { totalLinesAdded: number; totalLinesRemoved: number };
  };
  error?: { type: string; message: string; code?: string | number };
  warnings?: string[];
}

export interface StreamEvent {
  type: string;
  timestamp: string;
  [field: string]: unknown;
}

export interface RunOptions {
  cwd: string;
  env: Record<string, string>;
  /** Ends the run with SIGKILL and a failure. */
  timeoutMs: number;
  /** Text is written and the stream closed; absent: already closed; `open`: stays open without data. */
  stdin?: string | Uint8Array | 'open' | undefined;
}

export function runProcess(command: string, args: string[], options: RunOptions): RunningProcess {
  return new RunningProcess(command, args, options);
}

export class RunningProcess {
  readonly pid: number;
  /** Resolves when the process has ended and its output is complete. */
  readonly done: Promise<RunResult>;

  private readonly child: ChildProcessWithoutNullStreams;
  private readonly out: Buffer[] = [];
  private readonly err: Buffer[] = [];
  private readonly watchers = new Set<() => void>();
  private finished = false;
  /** The whole process group has ended; another process may soon get its id. */
  private groupGone = false;

  constructor(command: string, args: string[], options: RunOptions) {
    const started = performance.now();
    // A separate process group, so that a stuck run can be killed with its children.
    this.child = spawn(command, args, { cwd: options.cwd, env: options.env, detached: true });
    this.pid = this.child.pid ?? -1;
    this.child.stdin.on('error', () => {}); // the program may end before it has read everything
    if (options.stdin !== 'open') this.child.stdin.end(options.stdin);
    this.child.stdout.on('data', (data: Buffer) => this.keep(this.out, data));
    this.child.stderr.on('data', (data: Buffer) => this.keep(this.err, data));
    this.done = new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.killGroup();
        reject(new Error(`No end within ${options.timeoutMs} ms: ${args.join(' ')}\n${this.describe()}`));
      }, options.timeoutMs);
      this.child.once('error', reject);
      this.child.once('close', (exitCode, signal) => {
        clearTimeout(timer);
        this.groupGone = !this.signalGroup(0);
        this.finished = true;
        this.notify();
        resolve(this.result(exitCode, signal, performance.now() - started));
      });
    });
    this.done.catch(() => {}); // callers that await it still see the failure
  }

  get stdout(): string {
    return Buffer.concat(this.out).toString('utf8');
  }

  get stderr(): string {
    return Buffer.concat(this.err).toString('utf8');
  }

  write(data: string | Uint8Array): void {
    this.child.stdin.write(data);
  }

  closeStdin(): void {
    this.child.stdin.end();
  }

  /** Closes our end of its stdout, as `head` does. */
  closeStdout(): void {
    this.child.stdout.destroy();
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Kills the remaining processes of the run. */
  killGroup(): void {
    if (!this.groupGone) this.signalGroup('SIGKILL');
  }

  /** False: there is none. */
  private signalGroup(signal: NodeJS.Signals | 0): boolean {
    try {
      return process.kill(-this.pid, signal);
    } catch {
      return false;
    }
  }

  waitForStdout(wanted: string | RegExp): Promise<void> {
    return this.waitFor(() => matches(this.stdout, wanted), `stdout to contain ${wanted}`);
  }

  waitForStderr(wanted: string | RegExp): Promise<void> {
    return this.waitFor(() => matches(this.stderr, wanted), `stderr to contain ${wanted}`);
  }

  /** Checked whenever it has written something. */
  waitFor(condition: () => boolean, what: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = () => {
        if (condition()) resolve();
        else if (this.finished) reject(new Error(`It ended while waiting for ${what}\n${this.describe()}`));
        else return;
        this.watchers.delete(check);
      };
      this.watchers.add(check);
      check();
    });
  }

  private keep(list: Buffer[], data: Buffer): void {
    list.push(data);
    this.notify();
  }

  private notify(): void {
    for (const check of [...this.watchers]) check();
  }

  private describe(): string {
    return `--- stdout\n${this.stdout.slice(-2000)}\n--- stderr\n${this.stderr.slice(-2000)}`;
  }

  private result(exitCode: number | null, signal: NodeJS.Signals | null, durationMs: number): RunResult {
    const stdoutBytes = Buffer.concat(this.out);
    const { stdout, stderr } = this;
    return {
      exitCode,
      signal,
      stdout,
      stderr,
      stdoutBytes,
      durationMs,
      json: () => parse(stdout) as JsonOutput,
      events: () =>
        stdout
          .trimEnd()
          .split('\n')
          .map((line) => parse(line) as StreamEvent),
    };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`Not JSON: ${text.slice(0, 500)}`, { cause: error });
  }
}

function matches(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
}
