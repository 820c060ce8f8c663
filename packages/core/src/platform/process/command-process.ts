/** A started shell, over a pseudo-terminal or over pipes. */
import type { ProcessExit } from './process-runner.js';
import type { ProcessRoot } from './process-tree.js';

export interface CommandProcess {
  readonly method: 'pty' | 'pipes';
  readonly root: ProcessRoot;
  /** Resolves when the shell has ended and its output has arrived; its children may still run. */
  readonly exited: Promise<ProcessExit>;
  /** Stops reading, so that a command that prints faster than we process its output has to wait. */
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
