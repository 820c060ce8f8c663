/** How commands are run, as far as the user decides it (`tools.shell.*`). */
import type { TerminalSize } from '../process/command-process.js';

export interface ShellSettings {
  /** Commands get a pseudo-terminal; false: pipes. */
  enableInteractiveShell: boolean;
  /** A terminal UI draws the command's screen while it runs: live output comes as a styled grid. */
  interactive: boolean;
  /** False: nobody can type, neither user nor model; standard input is closed. Pipes never have one. */
  acceptsInput: boolean;
  /**
   * Silence in milliseconds after which the call of a command that waits for input returns. Longer where a
   * user should have the time to answer.
   */
  waitingAfterMs: number;
  /** Seconds after which a command goes on in the background; 0: never, as in headless runs. */
  backgroundAfterSeconds: number;
  /** Seconds without any output after which a command is stopped; 0 or less: never. */
  inactivityTimeoutSeconds: number;
  pager: string;
  showColor: boolean;
  backgroundCompletionBehavior: 'silent' | 'inject' | 'notify';
  environmentRedaction: { enabled: boolean; allowed: readonly string[]; blocked: readonly string[] };
  terminalSize?: TerminalSize;
}

/** Most commands end before that, and cost no look. */
export const FIRST_LOOK_MS = 300;

/** No user watches: what the front end, not the settings, decides. */
export const UNATTENDED = {
  interactive: false,
  acceptsInput: true,
  waitingAfterMs: FIRST_LOOK_MS,
} as const satisfies Partial<ShellSettings>;

export const DEFAULT_TERMINAL_SIZE: TerminalSize = { columns: 80, rows: 30 };
