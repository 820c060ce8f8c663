/** Commands in terminals of the client, where its user sees them. */
import type { AgentContext, CreateTerminalRequest } from '@agentclientprotocol/sdk';
import {
  type CommandTerminal,
  createLog,
  DeveloperError,
  objectOf,
  type ShellResult,
  type TerminalCommand,
  UserError,
  untilAborted,
} from '@gemini-cli/core';

export interface ClientTerminalsOptions {
  client: AgentContext;
  sessionId: string;
  /** The terminal belongs to this tool call. */
  onStart: (callId: string, terminalId: string) => void;
  /** How long the client may take to open a terminal. */
  openMs?: number;
}

const OPEN_MS = 10_000;
/** And to answer once a command has ended or was stopped. */
const ANSWER_MS = 5000;
const OUTPUT_BYTES = 8 * 1024 * 1024;

const log = createLog('acp');

type Ending = { exit: unknown } | { endedBy: 'abort' | 'timeout' } | { lost: true };

export class ClientTerminals implements CommandTerminal {
  constructor(private readonly options: ClientTerminalsOptions) {}

  async run(command: TerminalCommand): Promise<ShellResult | undefined> {
    const terminalId = await this.open(command);
    if (typeof terminalId !== 'string') return terminalId;
    if (command.callId !== undefined) this.options.onStart(command.callId, terminalId);
    try {
      const ending = await this.ending(terminalId, command);
      if (!('exit' in ending)) await this.ask('terminal/kill', terminalId);
      const last = objectOf(await this.ask('terminal/output', terminalId));
      const exit = exitIn('exit' in ending ? ending.exit : undefined) ?? exitIn(last['exitStatus']);
      const { output } = last;
      return {
        ...NOTHING,
        output: typeof output === 'string' ? output : '',
        ...exit,
        ...('endedBy' in ending && { endedBy: ending.endedBy }),
        ...('lost' in ending && !exit && { error: noEnding() }),
      };
    } finally {
      await this.ask('terminal/release', terminalId);
    }
  }

  /** @returns undefined when the client could not: only then may the command run here */
  private async open({
    command,
    cwd,
    environment = {},
    signal,
  }: TerminalCommand): Promise<string | ShellResult | undefined> {
    const { client, sessionId, openMs = OPEN_MS } = this.options;
    const request: CreateTerminalRequest = {
      sessionId,
      ...shellOf(command),
      cwd,
      env: Object.entries({ GEMINI_CLI: '1', ...environment }).map(([name, value]) => ({ name, value })),
      outputByteLimit: OUTPUT_BYTES,
    };
    const opened = client.request('terminal/create', request).then((response) => {
      if (typeof response?.terminalId !== 'string') throw new DeveloperError('The client named no terminal.');
      return response.terminalId;
    });
    const tooLate = AbortSignal.any([signal, AbortSignal.timeout(openMs)]);
    try {
      return await untilAborted(opened, tooLate);
    } catch (error) {
      log.debug('The client opened no terminal.', error);
      // One that opens later would stay on the user's screen.
      opened.then((late) => this.discard(late)).catch(() => undefined);
      if (signal.aborted) return { ...NOTHING, output: '', endedBy: 'abort' };
      return tooLate.aborted ? { ...NOTHING, output: '', error: noAnswer() } : undefined;
    }
  }

  private async discard(terminalId: string): Promise<void> {
    await this.ask('terminal/kill', terminalId);
    await this.ask('terminal/release', terminalId);
  }

  private async ending(terminalId: string, { signal, timeoutMs }: TerminalCommand): Promise<Ending> {
    const { client, sessionId } = this.options;
    const exited = client.request('terminal/wait_for_exit', { sessionId, terminalId });
    const timeout = timeoutMs ? AbortSignal.timeout(Math.min(timeoutMs, 2 ** 31 - 1)) : undefined;
    try {
      const stop = timeout ? AbortSignal.any([signal, timeout]) : signal;
      return { exit: await untilAborted(exited, stop) };
    } catch {
      if (signal.aborted) return { endedBy: 'abort' };
      return timeout?.aborted ? { endedBy: 'timeout' } : { lost: true };
    }
  }

  /** What the client cannot say is left out: the command has run all the same. */
  private async ask(
    method: 'terminal/kill' | 'terminal/output' | 'terminal/release',
    terminalId: string,
  ): Promise<unknown> {
    const { client, sessionId } = this.options;
    const limit = { cancellationSignal: AbortSignal.timeout(ANSWER_MS), stopWaitingOnCancel: true };
    try {
      return await client.request(method, { sessionId, terminalId }, limit);
    } catch (error) {
      log.debug(`${method} failed`, error);
      return undefined;
    }
  }
}

/** What a client answers is not checked by the library; some put the status inside `exitStatus` here, too. */
function exitIn(value: unknown): Pick<ShellResult, 'exitCode' | 'signal'> | undefined {
  const given = objectOf(value);
  const { exitCode, signal } = 'exitStatus' in given ? objectOf(given['exitStatus']) : given;
  const code = typeof exitCode === 'number' ? exitCode : null;
  const name = typeof signal === 'string' ? (signal as NodeJS.Signals) : null;
  return code === null && name === null ? undefined : { exitCode: code, signal: name };
}

const NOTHING = {
  exitCode: null,
  signal: null,
  backgroundPids: [],
  isBinary: false,
} satisfies Partial<ShellResult>;

/** A command must not run twice, once there and once here. */
function noAnswer(): UserError {
  return new UserError(
    'The editor did not say in time whether it runs the command, which may have been started there.',
  );
}

function noEnding(): UserError {
  return new UserError('The editor did not say how the command ended, which may have run there.');
}

function shellOf(line: string): { command: string; args: string[] } {
  if (process.platform === 'win32')
    return { command: 'powershell.exe', args: ['-NoProfile', '-Command', line] };
  return { command: 'bash', args: ['-c', line] };
}
