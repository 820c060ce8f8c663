/** What a sandbox is asked for and what it answers; the same on every platform. */
import { UserError } from '../../base/errors.js';

/** Network of a sandboxed command: none, the machine's own, or chosen hosts through our proxy. */
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
  /** Readable although they lie in a place that is hidden (temporary files, secrets of the home). */
  readOnlyPaths: readonly string[];
  /** Writable besides the workspace. Naming a protected path here lifts its protection. */
  writablePaths: readonly string[];
  /** Replaced by empty ones, whatever else is said about them. */
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

/** What to start instead. `cleanup` must be called when it has ended, or was never started. */
export interface SandboxedCommand {
  command: string;
  args: string[];
  env: Record<string, string>;
  cleanup(): Promise<void>;
  /** Ends what was started when it uses up too much. Told the id of its process. Returns how to stop watching. */
  watch?(pid: number): () => void;
}

export type SandboxCheck =
  | { ok: true /** Weaknesses on this machine, one sentence each. */; notes: readonly string[] }
  | { ok: false; reason: string; remedy: string };

export interface SandboxManager {
  /** Whether this machine can isolate a command; tried out until it can, then remembered. */
  check(): Promise<SandboxCheck>;
  /** @throws SandboxError when the command cannot be isolated as asked. It is then not to be run. */
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
