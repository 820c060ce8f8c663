/** The sandbox of one session, as tools and others who start processes see it. */
import type { SandboxPermissions } from '../../protocol/confirmation.js';
import type { SandboxedCommand, SandboxRequest } from './types.js';

/** One command line, as it would be run. */
export interface SandboxedLine {
  command: string;
  cwd: string;
  /** Variables given for it alone; they may change which programs it runs. */
  environment?: Readonly<Record<string, string>>;
}

/** How long a grant lasts: this call, the session, or for good in `sandbox.toml`. */
export type GrantSpan = 'once' | 'session' | 'saved';

export interface ToolSandbox {
  /** The longer spans there are now; none when the user may not be asked at all. */
  offers(): Promise<readonly GrantSpan[]>;

  /**
   * What to start in place of the shell of this line.
   * @param granted approved for this very call
   */
  isolate(
    line: SandboxedLine,
    granted?: readonly SandboxPermissions[],
  ): (invocation: Omit<SandboxRequest, 'policy'>) => Promise<SandboxedCommand>;

  /** What of `asked` the line may not do yet. Undefined: it may do all of it. */
  missing(
    line: SandboxedLine,
    asked: SandboxPermissions,
    granted?: readonly SandboxPermissions[],
  ): Promise<SandboxPermissions | undefined>;

  /** What its programs are known to need and may not do yet. */
  needsUpFront(line: SandboxedLine): Promise<SandboxPermissions | undefined>;

  /** What it was refused, to judge by its output, and could be granted. */
  needsAfter(
    line: SandboxedLine,
    outcome: { output: string; exitCode: number | null },
    granted?: readonly SandboxPermissions[],
  ): Promise<SandboxPermissions | undefined>;

  /** Grants it to the programs of the line, for as long as they run no others. `once` is for the caller to keep. */
  grant(line: SandboxedLine, permissions: SandboxPermissions, span: GrantSpan): Promise<void>;

  /** For processes that are no shell commands (hooks, stdio servers): the rights of the mode, nothing else. */
  wrapProcess(invocation: Omit<SandboxRequest, 'policy'>): Promise<SandboxedCommand>;
}
