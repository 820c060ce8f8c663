/** Secret values of an `auth` block: `$VAR` from the environment, `!command` from a program, `$$` and `!!` for the signs. */
import { readFileSync } from 'node:fs';
import { sha256Hex } from '../../../base/sha256.js';
import type { Environment } from '../../../platform/environment.js';
import { runProcess } from '../../../platform/process/process-runner.js';
import type { AgentSource } from '../../types.js';
import { RemoteAgentError } from '../remote-agent-error.js';

const TIMEOUT_MS = 60_000;
const MAX_SECRET_BYTES = 64 * 1024;

export interface SecretValuesOptions {
  source: AgentSource | undefined;
  environment: Pick<Environment, 'variables' | 'cwd' | 'home'>;
  onSecret: (secret: string) => void;
  timeoutMs?: number;
}

export class SecretValues {
  constructor(private readonly options: SecretValuesOptions) {}

  /**
   * @param field named in messages; the value never is
   * @throws RemoteAgentError when there is no value
   */
  async resolve(field: string, text: string, signal: AbortSignal): Promise<string> {
    const value = await this.valueOf(field, text, signal);
    this.options.onSecret(value);
    return value;
  }

  private async valueOf(field: string, text: string, signal: AbortSignal): Promise<string> {
    if (text.startsWith('$$') || text.startsWith('!!')) return text.slice(1);
    if (text.startsWith('$')) return this.variable(field, text.slice(1));
    if (text.startsWith('!')) return this.output(field, text.slice(1), signal);
    return text;
  }

  private variable(field: string, written: string): string {
    const name = /^(?:\{(\w+)\}|(\w+))$/.exec(written)?.slice(1).find(Boolean);
    if (!name) {
      throw new RemoteAgentError(
        'auth',
        `auth.${field}: "$${written}" is not a variable; write $$ for a dollar sign.`,
      );
    }
    const value = this.options.environment.variables[name];
    if (value) return value;
    throw new RemoteAgentError('auth', `auth.${field}: the environment variable ${name} is not set.`);
  }

  private async output(field: string, command: string, signal: AbortSignal): Promise<string> {
    const { environment, source, timeoutMs = TIMEOUT_MS } = this.options;
    if (!mayRunCommands(source)) {
      throw new RemoteAgentError(
        'auth',
        `auth.${field}: a command may only come from an agent of your own, or from a file whose content you have ` +
          'acknowledged. Use $VARIABLE, or move the agent to ~/.gemini/agents.',
      );
    }
    const isProject = source?.kind === 'project';
    const [file, ...args] = shellFor(command, environment.variables);
    const result = await runProcess(file, args, {
      // Programs of a folder must not take the place of the user's.
      cwd: isProject ? environment.cwd : environment.home,
      env: environment.variables,
      timeoutMs,
      signal,
      maxOutputBytes: MAX_SECRET_BYTES,
    });
    signal.throwIfAborted();
    const value = result.stdout.trim();
    // What it wrote may be half a secret.
    const problem = commandProblem(result, timeoutMs) ?? (value ? undefined : 'printed nothing');
    if (problem) throw new RemoteAgentError('auth', `auth.${field}: the command ${problem}.`);
    return value;
  }
}

/**
 * Commands of a project run only if the user acknowledged this very text. The hash of an agent by URL is that of the
 * URL alone, which says nothing about its `auth`.
 */
function mayRunCommands(source: AgentSource | undefined): boolean {
  if (!source || source.kind === 'user' || source.kind === 'program' || source.kind === 'builtin')
    return true;
  if (!source.file || !source.hash) return false;
  try {
    return sha256Hex(readFileSync(source.file, 'utf8')) === source.hash;
  } catch {
    return false;
  }
}

function shellFor(command: string, variables: Environment['variables']): [string, ...string[]] {
  if (process.platform === 'win32') {
    return [variables['ComSpec'] || 'cmd.exe', '/d', '/s', '/c', command];
  }
  return ['/bin/sh', '-c', command];
}

function commandProblem(
  { endedBy, exitCode, error, signal }: Awaited<ReturnType<typeof runProcess>>,
  timeoutMs: number,
): string | undefined {
  if (endedBy === 'timeout') return `did not end within ${timeoutMs / 1000} s`;
  if (error) return 'could not be started';
  return exitCode === 0 ? undefined : `ended with ${exitCode === null ? signal : `exit code ${exitCode}`}`;
}
