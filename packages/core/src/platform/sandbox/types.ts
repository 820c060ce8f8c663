/** Types of the sandbox, the same on every platform. */
import { UserError } from '../../base/errors.js';

/** Network of a sandboxed command: none, the machine's, or listed hosts through our proxy. */
export type NetworkAccess = 'off' | 'on' | { allowHosts: readonly string[] };

export interface SandboxLimits {
  /** Processes and threads that may exist at the same time. */
  maxProcesses: number;
  /** Address space of each process. */
  maxMemoryBytes?: number;
  /** Size of each file written. */
  maxFileBytes?: number;
  /** Processor time of each process. */
  cpuSeconds?: number;
}

export interface SandboxPolicy {
  /** Absolute directories; writable unless `workspaceWritable` is false. */
  workspace: readonly string[];
  /** Readable although inside a hidden directory (temporary files, secrets in the home). */
  readOnlyPaths: readonly string[];
  /** Writable besides the workspace. Naming a protected path here lifts its protection. */
  writablePaths: readonly string[];
  /** Hidden; takes precedence over all other paths. */
  forbiddenPaths: readonly string[];
  network: NetworkAccess;
  workspaceWritable: boolean;
  /** `.git` may be written, its hooks and configuration still not. */
  allowGitWrites: boolean;
  limits: SandboxLimits;
}

export interface SandboxRequest {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  policy: SandboxPolicy;
}

/** What to start instead. Call `cleanup` when it has ended, or was not started. */
export interface SandboxedCommand {
  command: string;
  args: string[];
  env: Record<string, string>;
  cleanup(): Promise<void>;
  /** Kills the started process when it uses too many resources. Returns a function that stops watching. */
  watch?(pid: number): () => void;
}

export type SandboxCheck =
  | { ok: true /** Weaknesses on this machine, one sentence each. */; notes: readonly string[] }
  | { ok: false; reason: string; remedy: string };

export interface SandboxManager {
  /** Tests whether this machine can isolate commands; success is remembered. */
  check(): Promise<SandboxCheck>;
  /** @throws SandboxError when the command cannot be isolated; it must then not be run */
  wrap(request: SandboxRequest): Promise<SandboxedCommand>;
}

export const DEFAULT_LIMITS: SandboxLimits = { maxProcesses: 2048 };

/** For the user: why nothing was run, and what to do about it. */
export class SandboxError extends UserError {
  override readonly name = 'SandboxError';
  constructor(
    readonly reason: string,
    readonly remedy: string,
    cause?: unknown,
  ) {
    super(`${reason} ${remedy}`, { code: 'sandbox', cause });
  }
}
