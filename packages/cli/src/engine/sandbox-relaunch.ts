/** Runs the program again inside the requested sandbox. */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import {
  FatalSandboxError,
  geminiHome,
  keyProviders,
  loadWholeProcessSandbox,
  messageOf,
  objectOf,
  type SandboxSession,
  type Settings,
  temporaryDirectory,
} from '@gemini-cli/core';

export interface RelaunchRequest {
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** `-s/--sandbox`. */
  flag: boolean | string | undefined;
  /** `tools.sandbox`. */
  setting: unknown;
  /** `tools.sandboxAllowedPaths` and the like, of the user and the machine: they may open what is hidden. */
  allowedPaths: readonly string[];
  /** Of the flag and of the settings of the user and the machine. */
  includeDirectories: readonly string[];
  /** Of the project's settings. */
  projectDirectories: readonly string[];
  /** Variables with keys of model providers and of the search service. */
  keyVariables: readonly string[];
  /** Arguments of the program, without Node and the script. */
  args: readonly string[];
  /** `config.sandboxImageUri` of package.json. */
  defaultImage?: string;
  isTerminal: boolean;
}

export interface EnterOptions {
  /** Tells the user about slow steps. */
  notify: (text: string) => void;
  /** What was already read from stdin; if absent, the child inherits stdin. */
  input?: string | undefined;
  /** Further variables for the program. */
  variables?: Record<string, string>;
}

/** The paths that settings let the sandbox read. */
export function allowedPathsIn({ tools }: Settings): string[] {
  const { sandbox, sandboxAllowedPaths = [] } = tools ?? {};
  return [...sandboxAllowedPaths, ...(pathsOf(sandbox) ?? [])];
}

/** `tools.sandbox` without paths: those are taken from each layer of the settings by itself. */
export function withoutPaths(setting: unknown): unknown {
  return pathsOf(setting) === undefined ? setting : { ...objectOf(setting), allowedPaths: [] };
}

function pathsOf(setting: unknown): string[] | undefined {
  const { allowedPaths } = objectOf(setting);
  const isList = Array.isArray(allowedPaths) && allowedPaths.every((path) => typeof path === 'string');
  return isList ? allowedPaths : undefined;
}

/** Runs the program in the sandbox and returns its exit code. @throws FatalSandboxError when it does not start */
export type EnterSandbox = (options: EnterOptions) => Promise<number>;

/**
 * @returns undefined when no sandbox is requested, or the program already runs in one
 * @throws FatalSandboxError when the requested sandbox is not available
 */
export async function requestedSandbox(request: RelaunchRequest): Promise<EnterSandbox | undefined> {
  const { env, cwd, flag, setting, args, defaultImage, isTerminal } = request;
  if (env['SANDBOX']) return undefined;
  const { selectSandbox, openSandbox } = await loadWholeProcessSandbox();
  const config = await selectSandbox({ env, flag, setting });
  if (!config) return undefined;
  return async ({ notify, input, variables }) => {
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
      projectDirectories: request.projectDirectories,
      keyVariables: request.keyVariables,
      notify,
    });
    try {
      return await runChild({ ...session, env: { ...session.env, ...variables } }, cwd, input);
    } finally {
      await session.close();
    }
  };
}

/** Not for a project's settings: they could name any variable. */
export function keyVariables({ model, tools }: Settings): string[] {
  const ofSearch = tools?.webSearch?.apiKeyEnv;
  return [
    ...keyProviders(model?.providers).map(({ apiKeyEnv }) => apiKeyEnv),
    ...(ofSearch ? [ofSearch] : []),
  ];
}

const SIGNALS = ['SIGTERM', 'SIGUSR1', 'SIGUSR2'] as const;
/** The terminal sends these to the child as well; a second one would mean "stop at once". */
const TERMINAL_SIGNALS = ['SIGINT', 'SIGQUIT', 'SIGHUP'] as const;

/** Waits for the child, forwards signals to it and returns its exit code. */
function runChild(session: SandboxSession, cwd: string, input: string | undefined): Promise<number> {
  const { command, args, env } = session;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: [input === undefined ? 'inherit' : 'pipe', 'inherit', 'inherit'],
    });
    const hasTerminal = [0, 1, 2].some((fd) => isatty(fd));
    const forward = (signal: NodeJS.Signals) => send(session, child, signal);
    const handlers = [
      ...SIGNALS.map((signal) => [signal, forward] as const),
      ...TERMINAL_SIGNALS.map((signal) => [signal, hasTerminal ? () => {} : forward] as const),
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

/** Where the child ignores signals, they go to the program inside; before that has started, the child is killed. */
function send({ programPid }: SandboxSession, child: ChildProcess, signal: NodeJS.Signals): void {
  if (!programPid) {
    child.kill(signal);
    return;
  }
  const pid = programPid();
  if (pid === undefined) {
    child.kill('SIGKILL');
    return;
  }
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended.
  }
}
