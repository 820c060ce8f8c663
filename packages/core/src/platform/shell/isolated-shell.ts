/** Prepares the shell of one command, in a sandbox if asked, and cleans up after it. */
import { messageOf } from '../../base/errors.js';
import { createLog } from '../log.js';
import type { CommandProcess } from '../process/command-process.js';
import { SandboxError } from '../sandbox/types.js';
import {
  type InvocationOptions,
  type ShellInvocation,
  shellInvocation,
  withoutFds,
} from './shell-command.js';
import type { Isolate, ShellRequest } from './shell-service.js';

export interface PreparedShell extends ShellInvocation {
  env: Record<string, string>;
  /** Call when the command has ended, or was not started. Does not throw. */
  cleanup(): Promise<void>;
  /** See `SandboxedCommand`. */
  watch?(pid: number): () => void;
}

/**
 * Undefined when the machine has no shell.
 * @throws SandboxError when it cannot be isolated; the command must then not be started
 */
export async function prepareShell(
  { command, cwd, isolate }: Pick<ShellRequest, 'command' | 'cwd' | 'isolate'>,
  env: Record<string, string>,
  { closeFds = [], ...options }: InvocationOptions,
): Promise<PreparedShell | undefined> {
  if (!isolate) {
    const invocation = shellInvocation(command, { ...options, closeFds });
    return invocation && { ...invocation, env, cleanup: async () => {} };
  }
  // No job report: its file does not exist in the sandbox, and process ids there are of another namespace.
  const shell = shellInvocation(command, { ...options, isSandboxed: true });
  if (!shell) return undefined;
  const isolated = await isolateOrRefuse(isolate, { command: shell.file, args: shell.args, cwd, env });
  // The sandbox program must not inherit the terminals of other commands either.
  const outer = { file: isolated.command, args: isolated.args };
  return {
    ...withoutFds(outer, { shell: shell.file, fds: closeFds }),
    takeBackgroundPids: () => [],
    env: isolated.env,
    watch: isolated.watch,
    cleanup: () =>
      isolated.cleanup().catch((error: unknown) => {
        createLog('sandbox').error('a sandbox was not cleaned up', { error });
      }),
  };
}

/** Delays the exit of the process until its sandbox has been cleaned up. */
export function withCleanup(
  process: CommandProcess,
  { cleanup, watch }: Pick<PreparedShell, 'cleanup' | 'watch'>,
): CommandProcess {
  const stopWatching = process.root.pid ? watch?.(process.root.pid) : undefined;
  const exited = process.exited.finally(() => {
    stopWatching?.();
    return cleanup();
  });
  return { ...process, exited };
}

async function isolateOrRefuse(isolate: Isolate, invocation: Parameters<Isolate>[0]) {
  try {
    return await isolate(invocation);
  } catch (error) {
    if (error instanceof SandboxError) throw error;
    throw new SandboxError(
      `The sandbox could not be prepared: ${messageOf(error)}.`,
      'Try again, or disable security.toolSandboxing.',
      error,
    );
  }
}
