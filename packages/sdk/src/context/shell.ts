/** `ctx.shell`: commands of the program, under the policy and in the sandbox of the session. */
import { resolve } from 'node:path';
import {
  type Config,
  PolicyDecision,
  ShellTool,
  startProgramCommand,
  ToolConfirmationOutcome,
} from '@gemini-cli/core';
import { PolicyError } from '../errors.js';
import { ShellProcess } from './shell-process.js';
import type { AgentShell, AgentShellOptions, AgentShellProcess, AgentShellResult } from './types.js';

interface Approved {
  cwd: string;
  containment?: 'read-only' | 'workspace';
}

const { ProceedOnce, ProceedAlways, Cancel } = ToolConfirmationOutcome;

export class SessionShell implements AgentShell {
  constructor(
    /** Started when the first command needs it. */
    private readonly config: () => Config | Promise<Config>,
    /** Ends with the prompt, the hook or the session that the command belongs to. */
    private readonly signal: AbortSignal,
  ) {}

  async exec(command: string, options: AgentShellOptions = {}): Promise<AgentShellResult> {
    const process = this.startProcess(command, options);
    const result: AgentShellResult = { exitCode: null, output: '', stdout: '', stderr: '', timedOut: false };
    const chunks = { output: [] as string[], stdout: [] as string[], stderr: [] as string[] };
    process.onChunk(({ stream, data }) => {
      chunks.output.push(data);
      chunks[stream].push(data);
    });
    // A command that waits for input that nobody gives would never end.
    if (options.input === undefined) process.endInput();
    try {
      const { exitCode, timedOut = false } = await process.exited;
      result.exitCode = exitCode;
      result.timedOut = timedOut;
    } catch (error) {
      result.error = error instanceof Error ? error : new Error(String(error));
    }
    for (const name of ['output', 'stdout', 'stderr'] as const) result[name] = chunks[name].join('');
    return result;
  }

  start(command: string, options: AgentShellOptions = {}): AgentShellProcess {
    const process = this.startProcess(command, options);
    // Who reads only the streams must not be surprised by a rejection nobody handles.
    process.exited.catch(() => undefined);
    return process;
  }

  private startProcess(command: string, options: AgentShellOptions): ShellProcess {
    if (typeof command !== 'string' || command.trim() === '') throw new TypeError('The command is empty.');
    const signals = [this.signal, ...(options.signal ? [options.signal] : [])];
    return new ShellProcess({
      signal: AbortSignal.any(signals),
      timeoutMs: options.timeoutSeconds === undefined ? undefined : options.timeoutSeconds * 1000,
      input: options.input,
      begin: async (signal, onOutput) => {
        const config = await this.config();
        const approved = await approve(config, command, options, signal);
        const { env: environment, pty = false } = options;
        const { cwd } = approved;
        const line = { command, cwd, ...(environment && { environment }) };
        return startProgramCommand({
          command,
          cwd,
          pty,
          variables: config.getEnvironment().variables,
          settings: config.getShellSettings(),
          isTrustedFolder: config.isTrustedFolder(),
          ...(environment && { environment }),
          isolate: approved.containment
            ? config.getContainment().isolate(line, approved.containment)
            : config.getToolSandbox()?.isolate(line),
          onOutput,
        });
      },
    });
  }
}

/** @throws PolicyError */
async function approve(
  config: Config,
  command: string,
  { cwd: wanted, env }: AgentShellOptions,
  signal: AbortSignal,
): Promise<Approved> {
  const folder = config.getTargetDir();
  const cwd = wanted === undefined ? folder : resolve(folder, wanted);
  const outside = config.validatePathAccess(cwd, 'read');
  if (outside !== null) throw new PolicyError(outside);
  const args = {
    command,
    ...(wanted !== undefined && { dir_path: cwd }),
    ...(env && { environment: env }),
  };
  const bus = config.getMessageBus();
  const verdict = await bus.decide({ name: ShellTool.Name, args }, { abortSignal: signal });
  if (verdict.decision === PolicyDecision.DENY)
    throw new PolicyError(verdict.reason ?? `A rule forbids this command: ${command}`);
  if (verdict.decision === PolicyDecision.ALLOW)
    return { cwd, ...(verdict.containment && { containment: verdict.containment }) };
  const invocation = new ShellTool(config, bus).build(args);
  const details = await invocation.shouldConfirmExecute(signal, PolicyDecision.ASK_USER);
  if (!details) return { cwd };
  const { onConfirm, ...shown } = details;
  const offeredOutcomes = [ProceedOnce, ProceedAlways, Cancel];
  const reply = await bus.confirm(
    { toolCall: { name: ShellTool.Name, args }, details: { ...shown, offeredOutcomes } as never },
    { signal },
  );
  if (reply.status !== 'answered')
    throw new PolicyError(`"${command}" needs approval, which nobody could give here.`);
  const { outcome, payload } = reply.answer;
  await onConfirm(outcome, payload);
  if (outcome === Cancel)
    throw new PolicyError(`"${command}" was not approved.${payload?.feedback ? ` ${payload.feedback}` : ''}`);
  return { cwd };
}
