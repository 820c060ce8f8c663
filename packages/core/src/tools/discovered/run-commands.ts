/** Runs the two commands behind discovered tools. No shell is involved: a tool's name and arguments cannot become code. */
import { DeveloperError, messageOf } from '../../base/errors.js';
import { shellWords } from '../../base/shell-words.js';
import { type RunOptions, type RunResult, runProcess } from '../../platform/process/process-runner.js';
import { ToolErrorType } from '../tool-error.js';
import { type ToolResult, toolFailure } from '../tools.js';
import type { DiscoveryHost, OfferedTool } from './discovered-tool.js';
import { readOffers } from './read-offers.js';

const DISCOVERY_LIMIT_MS = 30_000;
const MAX_DISCOVERY_BYTES = 10 * 1024 * 1024;

class DiscoveryError extends DeveloperError {}

/** @throws DiscoveryError when the command fails or prints something else */
export async function discoverOffers(
  host: DiscoveryHost,
  command: string,
  signal: AbortSignal,
  limitMs = DISCOVERY_LIMIT_MS,
): Promise<{ offers: OfferedTool[]; refused: string[] }> {
  const result = await run(host, command, [], {
    signal,
    timeoutMs: limitMs,
    maxOutputBytes: MAX_DISCOVERY_BYTES,
  });
  if (result.error) throw new DiscoveryError(`it cannot be started: ${result.error.message}`);
  if (result.endedBy === 'timeout') throw new DiscoveryError(`it took longer than ${limitMs / 1000} s`);
  if (result.endedBy) throw new DiscoveryError('it was cancelled');
  if (result.exitCode !== 0) {
    const said = result.stderr.trim().split('\n').at(-1);
    const how = result.signal ?? `exit code ${result.exitCode}`;
    throw new DiscoveryError(`it failed with ${how}${said ? `: ${said.slice(0, 200)}` : ''}`);
  }
  if (result.truncated) throw new DiscoveryError('it printed more than 10 MB');
  let printed: unknown;
  try {
    printed = JSON.parse(result.stdout);
  } catch (error) {
    throw new DiscoveryError(`it did not print JSON: ${messageOf(error)}`);
  }
  if (!Array.isArray(printed)) throw new DiscoveryError('it did not print a list of declarations');
  return readOffers(printed);
}

export async function callDiscovered(
  host: DiscoveryHost,
  name: string,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<ToolResult> {
  const commands = host.getDiscoveryCommands();
  if (!commands) {
    return toolFailure(
      'This folder is no longer trusted, so its tools do not run.',
      ToolErrorType.DISCOVERED_TOOL_EXECUTION_ERROR,
    );
  }
  const timeoutMs = host.getCallLimitMs();
  const result = await run(host, commands.call, [name], { signal, timeoutMs, input: JSON.stringify(args) });
  const { stdout, stderr, exitCode, truncated } = result;
  const problem = problemOf(result, timeoutMs);
  if (!problem && exitCode === 0 && stderr === '') {
    const text = truncated ? `[The beginning of the output is missing.]\n${stdout}` : stdout;
    return { llmContent: text, returnDisplay: text };
  }
  const message = [
    `Stdout: ${stdout || '(empty)'}`,
    `Stderr: ${stderr || '(empty)'}`,
    `Error: ${problem ?? '(none)'}`,
    `Exit Code: ${exitCode ?? '(none)'}`,
    `Signal: ${result.signal ?? '(none)'}`,
  ].join('\n');
  return toolFailure(message, ToolErrorType.DISCOVERED_TOOL_EXECUTION_ERROR);
}

function problemOf({ error, endedBy }: RunResult, limitMs: number): string | undefined {
  if (error) return error.message;
  if (endedBy === 'timeout') return `it took longer than ${limitMs / 1000} s`;
  return endedBy && 'it was cancelled';
}

function run(
  host: DiscoveryHost,
  command: string,
  args: readonly string[],
  options: Omit<RunOptions, 'env' | 'cwd'>,
): Promise<RunResult> {
  const [file = '', ...first] = shellWords(command) ?? [];
  return runProcess(file, [...first, ...args], {
    ...options,
    cwd: host.getTargetDir(),
    env: host.getCommandEnvironment(),
  });
}
