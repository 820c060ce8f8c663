/** Interface to the sandbox of a session, for tools and everything else that starts processes. */
import type { SandboxPermissions } from '../../protocol/confirmation.js';
import type { SandboxedCommand, SandboxRequest } from './types.js';

/** A command line to be run. */
export interface SandboxedLine {
  command: string;
  cwd: string;
  /** Variables for this command line only; they may change which programs it runs. */
  environment?: Readonly<Record<string, string>>;
}

/** How long a grant lasts: for this call, for the session, or permanently in `sandbox.toml`. */
export type GrantSpan = 'once' | 'session' | 'saved';

export interface ToolSandbox {
  /** The longer spans that the user can choose; empty when the user may not be asked. */
  offers(): Promise<readonly GrantSpan[]>;

  /**
   * Returns what to start instead of the shell.
   * @param granted approved for this call
   */
  isolate(
    line: SandboxedLine,
    granted?: readonly SandboxPermissions[],
  ): (invocation: Omit<SandboxRequest, 'policy'>) => Promise<SandboxedCommand>;

  /** The part of `asked` that is not granted yet. Undefined: all is granted. */
  missing(
    line: SandboxedLine,
    asked: SandboxPermissions,
    granted?: readonly SandboxPermissions[],
  ): Promise<SandboxPermissions | undefined>;

  /** Permissions that its programs are known to need and do not have yet. */
  needsUpFront(line: SandboxedLine): Promise<SandboxPermissions | undefined>;

  /** Permissions that the command was refused, judging by its output, and that could be granted. */
  needsAfter(
    line: SandboxedLine,
    outcome: { output: string; exitCode: number | null },
    granted?: readonly SandboxPermissions[],
  ): Promise<SandboxPermissions | undefined>;

  /** Grants permissions to the programs of the line. The caller keeps a grant for `once` itself. */
  grant(line: SandboxedLine, permissions: SandboxPermissions, span: GrantSpan): Promise<void>;

  /** For processes other than shell commands (hooks, stdio servers): only the rights of the mode. */
  wrapProcess(invocation: Omit<SandboxRequest, 'policy'>): Promise<SandboxedCommand>;

  /** For our own helpers (search, file writes): the files of the mode, and no network. */
  wrapHelper(invocation: Omit<SandboxRequest, 'policy'>, needs: HelperNeeds): Promise<SandboxedCommand>;
}

export interface HelperNeeds {
  /** Files that must be visible inside. */
  programs: readonly string[];
  /** Real path of the file it writes; absent: it only reads. */
  writes?: string;
}
