/** Starts the shell of a command, in a terminal or over pipes. */
import { messageOf } from '../../base/errors.js';
import type { Variables } from '../environment.js';
import { startOnPipes } from '../process/pipe-runner.js';
import { type OutputSink, TextSink } from '../process/text-sink.js';
import { openTerminalFds } from '../terminal/pty-native.js';
import { startOnTerminal } from '../terminal/pty-runner.js';
import { TerminalSink } from '../terminal/terminal-sink.js';
import { type PreparedShell, prepareShell, withCleanup } from './isolated-shell.js';
import { shellEnvironment } from './shell-environment.js';
import { ShellExecution } from './shell-execution.js';
import type { ShellRequest } from './shell-service.js';
import { DEFAULT_TERMINAL_SIZE } from './shell-settings.js';

/** When the command cannot be started or isolated, the error is in the result. */
export async function startShell(request: ShellRequest, variables: Variables): Promise<ShellExecution> {
  const { settings, isTrustedFolder, environment: extra } = request;
  if (request.signal.aborted) return refused(request, { endedBy: 'abort' });
  const env = shellEnvironment({ parent: variables, settings, extra, isTrustedFolder });
  const wantsTerminal = settings.enableInteractiveShell && variables['GEMINI_PTY_INFO'] !== 'child_process';
  try {
    const inTerminal = wantsTerminal ? await startInTerminal(request, env) : undefined;
    return inTerminal ?? (await startInPipes(request, env));
  } catch (error) {
    return refused(request, { error: error instanceof Error ? error : new Error(messageOf(error)) });
  }
}

/** Undefined when no terminal can be opened. */
async function startInTerminal(
  request: ShellRequest,
  env: Record<string, string>,
): Promise<ShellExecution | undefined> {
  const { settings, cwd } = request;
  const shell = await prepareShell(request, env, {
    method: 'pty',
    variables: env,
    closeInput: !settings.acceptsInput,
    closeFds: openTerminalFds(),
  });
  if (!shell) return undefined;
  if (request.signal.aborted) return cancelled(request, shell);
  const size = settings.terminalSize ?? DEFAULT_TERMINAL_SIZE;
  const { interactive, showColor } = settings;
  const newSink = (wantsGrid: boolean) =>
    new TerminalSink({ size, wantsGrid, showColor, onReply: (data) => execution.reply(data) });
  const newAnswerSink = settings.acceptsInput ? () => newSink(false) : undefined;
  const execution = newExecution(request, newSink(interactive), shell, newAnswerSink);
  const { file, args } = shell;
  const started = await startOnTerminal({ file, args, cwd, env: shell.env, size, onData: execution.onData });
  if (!started) {
    shell.takeBackgroundPids();
    await shell.cleanup();
    return undefined;
  }
  execution.attach(withCleanup(started, shell));
  return execution;
}

async function startInPipes(request: ShellRequest, env: Record<string, string>): Promise<ShellExecution> {
  const { cwd } = request;
  const options = { method: 'pipes', variables: env, closeFds: openTerminalFds() } as const;
  const shell = await prepareShell(request, env, options);
  if (!shell) return refused(request, { error: new Error('No shell was found on this machine.') });
  if (request.signal.aborted) return cancelled(request, shell);
  const execution = newExecution(request, new TextSink(), shell);
  const { file, args } = shell;
  const started = startOnPipes({ file, args, cwd, env: shell.env, onData: execution.onData });
  if (started instanceof Error) {
    await shell.cleanup();
    execution.refuse({ error: started });
  } else execution.attach(withCleanup(started, shell));
  return execution;
}

function newExecution(
  { settings, signal, timeoutMs, onOutput }: ShellRequest,
  sink: OutputSink,
  { takeBackgroundPids }: Pick<PreparedShell, 'takeBackgroundPids'>,
  newSink?: () => OutputSink,
): ShellExecution {
  return new ShellExecution({
    sink,
    signal,
    timeoutMs,
    inactivityMs: Math.max(0, settings.inactivityTimeoutSeconds) * 1000,
    waitingAfterMs: settings.waitingAfterMs,
    newSink,
    onOutput,
    takeBackgroundPids,
  });
}

/** The user cancelled the call while its sandbox was being prepared. */
async function cancelled(request: ShellRequest, shell: PreparedShell): Promise<ShellExecution> {
  shell.takeBackgroundPids();
  await shell.cleanup();
  return refused(request, { endedBy: 'abort' });
}

function refused(request: ShellRequest, reason: { error: Error } | { endedBy: 'abort' }): ShellExecution {
  const execution = newExecution(request, new TextSink(), { takeBackgroundPids: () => [] });
  execution.refuse(reason);
  return execution;
}
