/** Runs the program in a real pseudo-terminal and times its output. Without an emulator, which would cost time. */
import { readdirSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { type IPty, spawn } from '@lydell/node-pty';

export interface TerminalOptions {
  cwd: string;
  env: Record<string, string>;
  columns?: number;
  rows?: number;
}

export class TerminalRun {
  /** `performance.now()` of the start. */
  readonly startedAt: number;
  readonly exit: Promise<number>;
  /** All bytes of the program so far. */
  output = '';
  private isGone = false;
  private readonly pty: IPty;
  private readonly watchers = new Set<() => void>();

  constructor(command: string[], { cwd, env, columns = 80, rows = 24 }: TerminalOptions) {
    const [file = '', ...args] = command;
    this.startedAt = performance.now();
    this.pty = spawn(file, args, { name: 'xterm-256color', cols: columns, rows, cwd, env });
    this.pty.onData((data) => {
      this.output += data;
      for (const check of [...this.watchers]) check();
    });
    this.exit = new Promise((resolve) => {
      this.pty.onExit(({ exitCode }) => {
        this.isGone = true;
        resolve(exitCode);
        for (const check of [...this.watchers]) check();
      });
    });
  }

  get pid(): number {
    return this.pty.pid;
  }

  write(data: string): void {
    this.pty.write(data);
  }

  /** @returns the time when the output from `from` on matched; escape sequences are ignored */
  until(isSeen: (text: string) => boolean, { from = 0, timeoutMs = 30_000 } = {}): Promise<number> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => end(() => reject(this.failure('Nothing came'))), timeoutMs);
      const check = () => {
        if (isSeen(plain(this.output.slice(from)))) end(() => resolve(performance.now()));
        else if (this.isGone) end(() => reject(this.failure('The program ended')));
      };
      const end = (then: () => void) => {
        clearTimeout(timer);
        this.watchers.delete(check);
        then();
      };
      this.watchers.add(check);
      check();
    });
  }

  kill(): void {
    if (!this.isGone) process.kill(this.pty.pid, 'SIGKILL');
  }

  private failure(what: string): Error {
    return new Error(`${what}: ${JSON.stringify(this.output.slice(-1_500))}`);
  }
}

/** Without escape sequences. */
function plain(text: string): string {
  return text.replace(/\x1b(?:\[[0-9;?<>=]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[=>78c])/g, '');
}

/** Milliseconds of processor time so far, all threads, of a process that still runs. */
export function cpuTimeOf(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = tasks.map((task) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, value) => sum + value, 0) / 1e6;
}

/** MB now, and at most so far. */
export function memoryOf(pid: number): { resident: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  return { resident: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** @param share 0.99 for the 99th percentile */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
