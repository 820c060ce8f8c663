/** Decides between terminal and pipes and starts the shell. */
import { startOnPipes } from './pipe-runner.js';
import { openTerminalFds } from './pty-native.js';
import { startOnTerminal } from './pty-runner.js';
import { type ShellInvocation, shellInvocation } from './shell-command.js';
import { shellEnvironment } from './shell-environment.js';
import { ShellExecution } from './shell-execution.js';
import type { ShellRequest } from './shell-service.js';
import { DEFAULT_TERMINAL_SIZE } from './shell-settings.js';
import { TerminalSink } from './terminal-sink.js';
import { type OutputSink, TextSink } from './text-sink.js';

/** What cannot be started has its error in the result. */
export async function startShell(request: ShellRequest): Promise<ShellExecution> {
  const { settings, isTrustedFolder, environment: extra } = request;
  if (request.signal.aborted) return refused(request, { endedBy: 'abort' });
  const env = shellEnvironment({ parent: process.env, settings, extra, isTrustedFolder });
  const wantsTerminal = settings.enableInteractiveShell && process.env['GEMINI_PTY_INFO'] !== 'child_process';
  const inTerminal = wantsTerminal ? await startInTerminal(request, env) : undefined;
  return inTerminal ?? startInPipes(request, env);
}

/** Undefined when that is not possible here. */
async function startInTerminal(
  request: ShellRequest,
  env: Record<string, string>,
): Promise<ShellExecution | undefined> {
  const { settings, command, cwd } = request;
  const options = {
    method: 'pty',
    path: env['PATH'],
    closeInput: !settings.acceptsInput,
    closeFds: openTerminalFds(),
  } as const;
  const invocation = shellInvocation(command, options);
  if (!invocation) return undefined;
  const size = settings.terminalSize ?? DEFAULT_TERMINAL_SIZE;
  const { interactive: wantsGrid, showColor } = settings;
  const sink = new TerminalSink({ size, wantsGrid, showColor, onReply: (data) => execution.reply(data) });
  const execution = newExecution(request, sink, invocation);
  const started = await startOnTerminal({ ...invocation, cwd, env, size, onData: execution.onData });
  if (!started) {
    invocation.takeBackgroundPids();
    return undefined;
  }
  execution.attach(started);
  return execution;
}

function startInPipes(request: ShellRequest, env: Record<string, string>): ShellExecution {
  const { command, cwd } = request;
  const options = { method: 'pipes', path: env['PATH'], closeFds: openTerminalFds() } as const;
  const invocation = shellInvocation(command, options);
  if (!invocation) return refused(request, { error: new Error('No shell was found on this machine.') });
  const execution = newExecution(request, new TextSink(), invocation);
  const started = startOnPipes({ ...invocation, cwd, env, onData: execution.onData });
  if (started instanceof Error) execution.refuse({ error: started });
  else execution.attach(started);
  return execution;
}

function newExecution(
  { settings, signal, timeoutMs, onOutput }: ShellRequest,
  sink: OutputSink,
  { takeBackgroundPids }: Pick<ShellInvocation, 'takeBackgroundPids'>,
): ShellExecution {
  const inactivityMs = Math.max(0, settings.inactivityTimeoutSeconds) * 1000;
  return new ShellExecution({ sink, signal, timeoutMs, inactivityMs, onOutput, takeBackgroundPids });
}

function refused(request: ShellRequest, reason: { error: Error } | { endedBy: 'abort' }): ShellExecution {
  const execution = newExecution(request, new TextSink(), { takeBackgroundPids: () => [] });
  execution.refuse(reason);
  return execution;
}
