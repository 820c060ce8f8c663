/** `ctx.shell`: commands of the program, under the policy and in the sandbox of the session. */
import type { Config } from '@gemini-cli/core';
import { GeminiCliError } from '../errors.js';
import { ShellProcess } from './shell-process.js';
import type { AgentShell, AgentShellOptions, AgentShellProcess, AgentShellResult } from './types.js';

/** Of one command. Without a limit one that never ends fills the memory of the program. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

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
    let length = 0;
    process.onChunk(({ stream, data }) => {
      if (length > MAX_CHARACTERS) return;
      length += data.length;
      if (length > MAX_CHARACTERS) process.kill();
      chunks.output.push(data);
      chunks[stream].push(data);
    });
    // A command that waits for input would never end: there is none.
    if (options.input === undefined) process.endInput();
    try {
      const { exitCode, timedOut = false } = await process.exited;
      result.exitCode = exitCode;
      result.timedOut = timedOut;
    } catch (error) {
      result.error = error instanceof Error ? error : new Error(String(error));
    }
    if (length > MAX_CHARACTERS) {
      result.error = tooMuch(command);
      result.exitCode = null;
    }
    for (const name of ['output', 'stdout', 'stderr'] as const) result[name] = chunks[name].join('');
    return result;
  }

  start(command: string, options: AgentShellOptions = {}): AgentShellProcess {
    const process = this.startProcess(command, options);
    // A caller that reads only the streams must not get an unhandled rejection.
    process.exited.catch(() => undefined);
    return process;
  }

  private startProcess(command: string, options: AgentShellOptions): ShellProcess {
    const signals = [this.signal, ...(options.signal ? [options.signal] : [])];
    return new ShellProcess({
      signal: AbortSignal.any(signals),
      timeoutMs: limitOf(options.timeoutSeconds),
      input: options.input,
      begin: async (signal, onOutput) => {
        if (typeof command !== 'string' || command.trim() === '')
          throw new TypeError('The command is empty.');
        const config = await this.config();
        const { startProgramCommand } = await import('@gemini-cli/core');
        const { approveCommand } = await import('./approve-command.js');
        const approved = await approveCommand(config, command, options, signal);
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

/** A timer cannot wait longer, and would end at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

function limitOf(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.min(seconds * 1000, MAX_TIMER_MS);
}

function tooMuch(command: string): GeminiCliError {
  const megabytes = MAX_CHARACTERS / 1024 / 1024;
  return new GeminiCliError(
    `"${command}" was ended: it wrote more than ${megabytes} MB. Read such output with start(), as it comes.`,
    { code: 'OUTPUT_TOO_LARGE' },
  );
}
