/** Runs the program again inside the requested sandbox and returns its exit code. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import {
  FatalSandboxError,
  geminiHome,
  loadWholeProcessSandbox,
  messageOf,
  temporaryDirectory,
} from '@gemini-cli/core';

export interface RelaunchRequest {
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** `-s/--sandbox`. */
  flag: boolean | string | undefined;
  /** `tools.sandbox`. */
  setting: unknown;
  /** `tools.sandboxAllowedPaths`. */
  allowedPaths: readonly string[];
  includeDirectories: readonly string[];
  /** Arguments of the program, without Node and the script. */
  args: readonly string[];
  /** `config.sandboxImageUri` of package.json. */
  defaultImage?: string;
  isTerminal: boolean;
  notify: (text: string) => void;
  /** What was already read from stdin; if absent, the child inherits stdin. */
  input?: Uint8Array | string;
}

/**
 * @returns undefined when no sandbox is requested, or the program already runs in one
 * @throws FatalSandboxError when the requested sandbox is not available
 */
export async function relaunchInSandbox(request: RelaunchRequest): Promise<number | undefined> {
  const { env, cwd, flag, setting, args, defaultImage, isTerminal, notify } = request;
  if (env['SANDBOX']) return undefined;
  const { selectSandbox, openSandbox, findProgram } = await loadWholeProcessSandbox();
  const hasProgram = (name: string) => findProgram(name, env['PATH']) !== undefined;
  const config = selectSandbox({ env, flag, setting, platform: process.platform, hasProgram });
  if (!config) return undefined;
  const session = await openSandbox(config, {
    env,
    cwd,
    home: geminiHome(env),
    temporaryDirectory: temporaryDirectory(env),
    args,
    self: [process.execPath, ...process.execArgv, process.argv[1] ?? ''],
    isTerminal,
    platform: process.platform,
    uid: process.getuid?.() ?? 0,
    gid: process.getgid?.() ?? 0,
    defaultImage,
    allowedPaths: request.allowedPaths,
    includeDirectories: request.includeDirectories,
    notify,
  });
  try {
    return await runChild(session, cwd, request.input);
  } finally {
    await session.close();
  }
}

const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const;
/** The terminal sends these to the child as well; a second one would mean "stop at once". */
const TYPED_SIGNALS = ['SIGINT', 'SIGQUIT'] as const;

interface Command {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** Waits for the child, forwards signals to it and returns its exit code. */
function runChild(
  { command, args, env }: Command,
  cwd: string,
  input: RelaunchRequest['input'],
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: [input === undefined ? 'inherit' : 'pipe', 'inherit', 'inherit'],
    });
    const hasTerminal = [0, 1, 2].some((fd) => isatty(fd));
    const forward = (signal: NodeJS.Signals) => void child.kill(signal);
    const handlers = [
      ...SIGNALS.map((signal) => [signal, forward] as const),
      ...TYPED_SIGNALS.map((signal) => [signal, hasTerminal ? () => {} : forward] as const),
    ];
    for (const [signal, handler] of handlers) process.on(signal, handler);
    const finish = () => {
      for (const [signal, handler] of handlers) process.off(signal, handler);
    };
    // The child may end before it has read all of its input.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    child.once('error', (error) => {
      if (child.pid !== undefined) return;
      finish();
      reject(new FatalSandboxError(`The sandbox could not be started: ${messageOf(error)}`, error));
    });
    child.once('exit', (code, signal) => {
      finish();
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });
}
