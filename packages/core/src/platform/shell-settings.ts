/** How commands are run, as far as the user decides it (`tools.shell.*`). */

export interface ShellSettings {
  /** Commands get a pseudo-terminal; false: pipes. */
  enableInteractiveShell: boolean;
  /** A terminal UI draws the command's screen while it runs: live output comes as a styled grid. */
  interactive: boolean;
  /** False: nobody can type, so a command that reads its input finds it closed instead of waiting. */
  acceptsInput: boolean;
  /** Seconds without any output after which a command is stopped; 0 or less: never. */
  inactivityTimeoutSeconds: number;
  pager: string;
  showColor: boolean;
  backgroundCompletionBehavior: 'silent' | 'inject' | 'notify';
  environmentRedaction: { enabled: boolean; allowed: readonly string[]; blocked: readonly string[] };
  terminalSize?: TerminalSize;
}

export interface TerminalSize {
  columns: number;
  rows: number;
}

export const DEFAULT_SHELL_SETTINGS: ShellSettings = {
  enableInteractiveShell: true,
  interactive: false,
  acceptsInput: true,
  inactivityTimeoutSeconds: 300,
  pager: 'cat',
  showColor: true,
  backgroundCompletionBehavior: 'silent',
  environmentRedaction: { enabled: false, allowed: [], blocked: [] },
};

export const DEFAULT_TERMINAL_SIZE: TerminalSize = { columns: 80, rows: 30 };
