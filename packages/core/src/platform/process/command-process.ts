/** One started shell, whatever carries its output. */
import type { ProcessExit } from './process-runner.js';
import type { ProcessRoot } from './process-tree.js';

export interface CommandProcess {
  readonly method: 'pty' | 'pipes';
  readonly root: ProcessRoot;
  /** The shell has ended and its output has arrived; children may live on and hold the terminal. */
  readonly exited: Promise<ProcessExit>;
  /** Stops reading, so that the command waits when it prints faster than we can work. */
  pause(): void;
  resume(): void;
  /** Types into the terminal. */
  write(data: string): void;
  resize(columns: number, rows: number): void;
}

export interface StartOptions {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  onData: (chunk: Buffer) => void;
}

export interface TerminalSize {
  columns: number;
  rows: number;
}
