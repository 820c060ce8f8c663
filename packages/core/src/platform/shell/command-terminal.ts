/** A terminal outside of the program, such as one of an editor, which runs commands in its place. */
import type { ShellResult } from './shell-execution.js';

export interface TerminalCommand {
  command: string;
  cwd: string;
  /** Variables in addition to those of the terminal. */
  environment?: Readonly<Record<string, string>>;
  /** The tool call it belongs to; absent for callers without a scheduler. */
  callId?: string;
  signal: AbortSignal;
  timeoutMs?: number;
}

export interface CommandTerminal {
  /** @returns undefined when the command was not started there: it then runs here */
  run(command: TerminalCommand): Promise<ShellResult | undefined>;
}
