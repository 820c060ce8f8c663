/** `!{…}` in a template: replaced by the output of the command. All commands are checked before the first one runs. */
import { type Config, PolicyDecision } from '@gemini-cli/core';

export type ShellVerdict =
  | { kind: 'allowed' }
  | { kind: 'denied'; command: string; reason?: string }
  /** All commands, not only those that need approval: the user decides about the whole prompt. */
  | { kind: 'ask'; commands: string[] };

export async function checkCommands(
  commands: readonly string[],
  config: Pick<Config, 'getPolicyEngine'>,
  approved: ReadonlySet<string>,
): Promise<ShellVerdict> {
  let asks = false;
  for (const command of commands) {
    const call = { name: 'run_shell_command', args: { command } };
    const { decision, reason } = await config.getPolicyEngine().check(call);
    if (decision === PolicyDecision.DENY)
      return { kind: 'denied', command, ...(reason !== undefined && { reason }) };
    asks ||= decision === PolicyDecision.ASK_USER && !approved.has(command);
  }
  return asks ? { kind: 'ask', commands: [...new Set(commands)] } : { kind: 'allowed' };
}

type Runner = Pick<
  Config,
  | 'getPolicyEngine'
  | 'getContainment'
  | 'getShellExecutionService'
  | 'getShellSettings'
  | 'getTargetDir'
  | 'getToolSandbox'
  | 'isTrustedFolder'
  | 'maskForModel'
>;

/** Runs in the project root; a failure becomes part of the text. */
export async function runForOutput(
  command: string,
  config: Runner,
  { signal, approved }: { signal: AbortSignal; approved: ReadonlySet<string> },
): Promise<string> {
  const cwd = config.getTargetDir();
  const call = { name: 'run_shell_command', args: { command } };
  const { containment } = approved.has(command) ? {} : await config.getPolicyEngine().check(call);
  const isolate = containment
    ? config.getContainment().isolate({ command, cwd }, containment)
    : config.getToolSandbox()?.isolate({ command, cwd });
  const { result } = await config.getShellExecutionService().execute({
    command,
    cwd,
    // The user cannot type into it, and the prompt needs its whole output.
    settings: {
      ...config.getShellSettings(),
      enableInteractiveShell: false,
      acceptsInput: false,
      backgroundAfterSeconds: 0,
    },
    isTrustedFolder: config.isTrustedFolder(),
    signal,
    ...(isolate && { isolate }),
  });
  const { output, exitCode, signal: killedBy, error, endedBy, isBinary } = await result;
  const text = isBinary ? '[binary output]' : config.maskForModel(output.trimEnd());
  const note = (words: string) => [text, `[Shell command '${command}' ${words}]`].filter(Boolean).join('\n');
  if (error) return note(`could not be run: ${error.message}`);
  if (endedBy) return note('aborted');
  if (killedBy) return note(`terminated by signal ${killedBy}`);
  return exitCode === 0 ? text : note(`exited with code ${exitCode}`);
}
