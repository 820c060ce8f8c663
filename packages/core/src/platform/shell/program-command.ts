/** A command of the embedding program: streams apart, input, signals. Commands of the model go through `shell-service.ts`. */
import { messageOf } from '../../base/errors.js';
import type { Variables } from '../environment.js';
import type { CommandProcess } from '../process/command-process.js';
import { killGroupAfterDeath } from '../process/death-watch.js';
import { killTree } from '../process/kill-tree.js';
import { type ProcessExit, spawnGroup, untilExit } from '../process/process-runner.js';
import { openTerminalFds } from '../terminal/pty-native.js';
import { prepareShell, withCleanup } from './isolated-shell.js';
import { shellEnvironment } from './shell-environment.js';
import type { Isolate } from './shell-service.js';
import { DEFAULT_TERMINAL_SIZE, type ShellSettings } from './shell-settings.js';

export interface ProgramCommandRequest {
  command: string;
  cwd: string;
  variables: Variables;
  settings: ShellSettings;
  isTrustedFolder: boolean;
  environment?: Readonly<Record<string, string>>;
  /** In a pseudo-terminal, where one can be opened: all output is `stdout`. */
  pty?: boolean;
  isolate?: Isolate | undefined;
  onOutput(stream: 'stdout' | 'stderr', chunk: Buffer): void;
}

export interface ProgramCommand {
  readonly pid: number | undefined;
  /** Never rejects: an error is in the value. */
  readonly exited: Promise<ProcessExit>;
  write(data: string): void;
  endInput(): void;
  resize(columns: number, rows: number): void;
  /** The shell and all that it started. */
  end(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
}

/** @throws SandboxError, or an Error that says why it cannot be started */
export async function startProgramCommand(request: ProgramCommandRequest): Promise<ProgramCommand> {
  const { settings, isTrustedFolder, variables, environment: extra, cwd } = request;
  const env = shellEnvironment({
    parent: variables,
    settings,
    isTrustedFolder,
    ...(extra && { extra }),
  });
  const method = request.pty ? 'pty' : 'pipes';
  const shell = await prepareShell(request, env, {
    method,
    variables: env,
    keepsStreamsApart: true,
    closeFds: openTerminalFds(),
  });
  if (!shell) throw new Error('No shell was found on this machine.');
  const { file, args } = shell;
  const onData = (chunk: Buffer) => request.onOutput('stdout', chunk);
  if (request.pty) {
    const { startOnTerminal } = await import('../terminal/pty-runner.js');
    const size = settings.terminalSize ?? DEFAULT_TERMINAL_SIZE;
    const started = await startOnTerminal({ file, args, cwd, env: shell.env, size, onData });
    if (started) {
      void started.exited.then(shell.takeBackgroundPids);
      return inTerminal(withCleanup(started, shell));
    }
  }
  const started = spawnGroup(file, args, { cwd, env: shell.env, pipeInput: true });
  if (started instanceof Error) {
    await shell.cleanup();
    throw new Error(`The command cannot be started: ${messageOf(started)}`, { cause: started });
  }
  const { child, root } = started;
  if (root.pid) child.once('exit', killGroupAfterDeath(root.pid));
  child.stdout?.on('data', onData);
  child.stderr?.on('data', (chunk: Buffer) => request.onOutput('stderr', chunk));
  // A program may end without reading its input (EPIPE); its exit code is what counts.
  child.stdin?.on('error', () => undefined);
  const { exited } = withCleanup(
    {
      method: 'pipes',
      root,
      exited: untilExit(child),
      pause: () => undefined,
      resume: () => undefined,
      write: () => undefined,
      resize: () => undefined,
    },
    shell,
  );
  void exited.then(shell.takeBackgroundPids);
  return {
    pid: child.pid,
    exited,
    write: (data) => void child.stdin?.write(data),
    endInput: () => void child.stdin?.end(),
    resize: () => undefined,
    end: () => killTree(root),
    signal: (signal) => send(root.pid, signal),
  };
}

/** End of transmission, as Ctrl+D sends it. */
const END_OF_INPUT = '\x04';

function inTerminal({ root, exited, write, resize }: CommandProcess): ProgramCommand {
  return {
    pid: root.pid,
    exited,
    write,
    endInput: () => write(END_OF_INPUT),
    resize,
    end: () => killTree(root),
    signal: (signal) => send(root.pid, signal),
  };
}

/** To the whole process group, where there is one. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // It has ended.
  }
}
