/** Types of containment: the isolation of commands that run unasked because policy considers them harmless. */
import type { Containment } from '../../../protocol/confirmation.js';
import type { SandboxCheck, SandboxedCommand, SandboxRequest } from '../types.js';

export interface ContainRequest extends Omit<SandboxRequest, 'policy'> {
  kind: Containment;
  /** Real absolute paths. With kind `workspace` they are writable, except for protected paths. */
  workspace: readonly string[];
  /** Readable although inside a hidden directory: the project's temporary directory. */
  visiblePaths: readonly string[];
  /** Always hidden; takes precedence over all others. */
  hiddenPaths: readonly string[];
  /** `.env` files that git tracks; git would report them as changed if they were hidden. */
  trackedEnvFiles: (found: readonly string[]) => Promise<readonly string[]>;
}

/** Contains commands on one platform. */
export interface Container {
  /** Supported kinds; absent: all. */
  readonly kinds?: readonly Containment[];
  /** Tests, on first use, whether this machine can contain commands. */
  check(): Promise<SandboxCheck>;
  /** Why commands cannot be contained in this workspace; undefined: they can. */
  problemOf(request: Pick<ContainRequest, 'kind' | 'workspace'>): string | undefined;
  /** @throws SandboxError when the command cannot be contained; it must then not be run */
  contain(request: ContainRequest): Promise<SandboxedCommand>;
}

/** Limits per command, per file (`maxFileBytes`) and per process (`cpuSeconds`). */
export const CONTAINED_LIMITS = {
  maxProcesses: 256,
  maxFileBytes: 1024 ** 3,
  cpuSeconds: 600,
  wallMs: 30 * 60_000,
} as const;
