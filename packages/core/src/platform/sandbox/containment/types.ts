/** How a command is held that runs without a question because it was taken for harmless. */
import type { Containment } from '../../../protocol/confirmation.js';
import type { SandboxCheck, SandboxedCommand, SandboxRequest } from '../types.js';

export interface ContainRequest extends Omit<SandboxRequest, 'policy'> {
  kind: Containment;
  /** Real paths of absolute directories. With `workspace` writable, but for the protected paths in them. */
  workspace: readonly string[];
  /** Readable although they lie in a place that is hidden: the project's temporary directory. */
  visiblePaths: readonly string[];
  /** Hidden, whatever else is said about them. */
  hiddenPaths: readonly string[];
  /** `.env` files that git tracks: hidden ones would look changed to it. */
  trackedEnvFiles: (found: readonly string[]) => Promise<readonly string[]>;
}

/** What holds commands on one platform. */
export interface Container {
  /** The ways it can hold a command; absent: all. */
  readonly kinds?: readonly Containment[];
  /** Whether this machine can hold commands; tried out once it is needed. */
  check(): Promise<SandboxCheck>;
  /** Why commands cannot be held in this workspace; undefined: they can. */
  problemOf(request: Pick<ContainRequest, 'kind' | 'workspace'>): string | undefined;
  /** @throws SandboxError when the command cannot be held: it is then not to be run */
  contain(request: ContainRequest): Promise<SandboxedCommand>;
}

/** Of one contained command; a file, a process or all of it together. */
export const CONTAINED_LIMITS = {
  maxProcesses: 256,
  maxFileBytes: 1024 ** 3,
  cpuSeconds: 600,
  wallMs: 30 * 60_000,
} as const;
