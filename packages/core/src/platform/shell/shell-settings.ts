/** Settings of shell commands (`tools.shell.*`). */
import type { TerminalSize } from '../process/command-process.js';

export interface ShellSettings {
  /** Commands get a pseudo-terminal; false: pipes. */
  enableInteractiveShell: boolean;
  /** The terminal UI draws the command while it runs: live output is a styled grid. */
  interactive: boolean;
  /** False: neither the user nor the model can type, standard input is closed. Pipes never take input. */
  acceptsInput: boolean;
  /**
   * Silence in milliseconds after which the call of a command that waits for input returns. Longer where the
   * user needs time to answer.
   */
  waitingAfterMs: number;
  /** Seconds after which a command moves to the background; 0: never, as in headless runs. */
  backgroundAfterSeconds: number;
  /** Seconds without any output after which a command is stopped; 0 or less: never. */
  inactivityTimeoutSeconds: number;
  pager: string;
  showColor: boolean;
  backgroundCompletionBehavior: 'silent' | 'inject' | 'notify';
  environmentRedaction: { enabled: boolean; allowed: readonly string[]; blocked: readonly string[] };
  terminalSize?: TerminalSize;
}

/** Silence before the first check for waiting input; most commands end earlier. */
export const FIRST_CHECK_MS = 300;

/** Values that the front end decides, when no user watches. */
export const UNATTENDED = {
  interactive: false,
  acceptsInput: true,
  waitingAfterMs: FIRST_CHECK_MS,
} as const satisfies Partial<ShellSettings>;

export const DEFAULT_TERMINAL_SIZE: TerminalSize = { columns: 80, rows: 30 };
