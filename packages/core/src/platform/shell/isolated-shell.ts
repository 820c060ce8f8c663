/** Puts the shell of one command into its sandbox, and clears up behind it however it ends. */
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
  /** To be called when it has ended, or was never started. Does not throw. */
  cleanup(): Promise<void>;
  /** See `SandboxedCommand`. */
  watch?(pid: number): () => void;
}

/**
 * Undefined when the machine has no shell.
 * @throws SandboxError when it cannot be isolated: it is then not to be started at all
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
  // The place of the report is not there inside, and the ids of jobs are those of another process namespace.
  const shell = shellInvocation(command, { ...options, isSandboxed: true });
  if (!shell) return undefined;
  const isolated = await isolateOrRefuse(isolate, { command: shell.file, args: shell.args, cwd, env });
  // What makes the sandbox would hold the terminals of others, too: they are closed before it starts.
  const outer = { file: isolated.command, args: isolated.args };
  return {
    ...withoutFds(outer, { shell: shell.file, fds: closeFds }),
    takeBackgroundPids: () => [],
    env: isolated.env,
    watch: isolated.watch,
    cleanup: () =>
      isolated.cleanup().catch((error: unknown) => {
        createLog('sandbox').error('a sandbox was not cleared up', { error });
      }),
  };
}

/** Its end is told when the sandbox is cleared up. */
export function clearingUp(
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
      'Try again, or switch off security.toolSandboxing.',
      error,
    );
  }
}
