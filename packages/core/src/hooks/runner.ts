/** Runs hooks and reports how each ended. A failing hook never throws. */
import { messageOf } from '../base/errors.js';
import { LONGEST_TIMER_MS } from '../base/longest-timer.js';
import { isObject } from '../base/objects.js';
import { homeOf, type Variables } from '../platform/environment.js';
import { type RightsLoader, rightsLoader } from '../platform/sandbox/rights/create-rights.js';
import type { ToolSandbox } from '../platform/sandbox/tool-sandbox.js';
import type { ShellSettings } from '../platform/shell/shell-settings.js';
import { chained } from './chaining.js';
import { fromClaude } from './claude-output.js';
import {
  commonEnvironment,
  findShell,
  type HookPlaces,
  hookEnvironment,
  shellArguments,
} from './command/command-environment.js';
import { plainText, readOutput, readPrinted } from './command/read-output.js';
import { type CommandOutcome, MAX_OUTPUT_BYTES, runCommand } from './command/run-command.js';
import {
  type CommandHookConfig,
  ConfigSource,
  DEFAULT_HOOK_TIMEOUT_MS,
  type HookConfig,
  type HookEventName,
  type HookExecutionResult,
  type HookInput,
  type RuntimeHookConfig,
} from './types.js';

export interface HookRunnerOptions {
  isTrusted: () => boolean;
  variables: Variables;
  settings: Pick<ShellSettings, 'environmentRedaction'>;
  places: () => HookPlaces;
  /** For hooks of the project; undefined while commands are not sandboxed. */
  sandbox?: () => ToolSandbox | undefined;
  /** For hooks of extensions that declare rights; default: that of this platform. */
  rights?: RightsLoader;
  /** Milliseconds, for durations. */
  now?: () => number;
}

/** What a caller of the runner can watch and limit. */
export interface RunOptions {
  signal?: AbortSignal;
  /** No hook may take longer than this, whatever its own limit is. */
  maxTimeoutMs?: number;
  onStart?: (config: HookConfig, index: number) => void;
  onEnd?: (result: HookExecutionResult, index: number) => void;
}

type Ended = Omit<HookExecutionResult, 'hookConfig' | 'eventName' | 'duration'>;

const UNTRUSTED = 'Security: Blocked in untrusted folder';

/** What the command hooks of one event share. */
interface Prepared {
  /** The input as JSON. */
  text: string;
  places: HookPlaces;
  common: Readonly<Record<string, string>>;
}

export class HookRunner {
  private shell: string | undefined;
  private readonly prepared = new WeakMap<HookInput, Prepared>();
  private readonly rights: RightsLoader;

  constructor(private readonly options: HookRunnerOptions) {
    this.rights = options.rights ?? rightsLoader({ variables: options.variables });
  }

  async executeHook(
    hookConfig: HookConfig,
    eventName: HookEventName,
    input: HookInput,
    options: RunOptions = {},
  ): Promise<HookExecutionResult> {
    const { now = () => performance.now() } = this.options;
    const started = now();
    const { output, ...ended } = await this.run(hookConfig, input, options);
    return {
      hookConfig,
      eventName,
      ...ended,
      ...(output && { output: fromClaude(eventName, output) }),
      duration: now() - started,
    };
  }

  async executeHooksParallel(
    hooks: readonly HookConfig[],
    eventName: HookEventName,
    input: HookInput,
    options: RunOptions = {},
  ): Promise<HookExecutionResult[]> {
    return Promise.all(hooks.map((hook, index) => this.watched(hook, index, { eventName, input, options })));
  }

  /** Each hook sees the changes of those before it. */
  async executeHooksSequential(
    hooks: readonly HookConfig[],
    eventName: HookEventName,
    input: HookInput,
    options: RunOptions = {},
  ): Promise<HookExecutionResult[]> {
    const results: HookExecutionResult[] = [];
    let current = input;
    for (const [index, hook] of hooks.entries()) {
      const result = await this.watched(hook, index, { eventName, input: current, options });
      results.push(result);
      if (result.success && result.output) current = chained(eventName, current, result.output);
    }
    return results;
  }

  private async watched(
    hook: HookConfig,
    index: number,
    { eventName, input, options }: { eventName: HookEventName; input: HookInput; options: RunOptions },
  ): Promise<HookExecutionResult> {
    options.onStart?.(hook, index);
    const result = await this.executeHook(hook, eventName, input, options);
    options.onEnd?.(result, index);
    return result;
  }

  private async run(config: HookConfig, input: HookInput, options: RunOptions): Promise<Ended> {
    // Again at run time: trust may have been withdrawn since the hook was loaded.
    if (config.source === ConfigSource.Project && !this.options.isTrusted()) return failed(UNTRUSTED);
    try {
      if (config.type !== 'command') return await runFunction(config, input, options);
      if (config.claudeEvent !== undefined)
        return await this.runForClaude(config, config.claudeEvent, input, options);
      return await this.runCommand(config, input, options);
    } catch (error) {
      return failed(messageOf(error), error);
    }
  }

  private async runForClaude(
    config: CommandHookConfig,
    claudeEvent: string,
    input: HookInput,
    options: RunOptions,
  ): Promise<Ended> {
    const { claudeInput, claudeOutput, isForClaude } = await import('./claude-dialect.js');
    if (!isForClaude(claudeEvent, input)) return { success: true, output: {} };
    const text = JSON.stringify(claudeInput(claudeEvent, input));
    const ended = await this.runCommand(config, input, options, text);
    const { success, output, stdout = '', stderr = '', exitCode } = ended;
    if (!success || !output || exitCode === undefined) return ended;
    const plain = plainText({ stdout, stderr, exitCode });
    return { ...ended, output: claudeOutput(claudeEvent, input, output, plain) };
  }

  /** @param given what it reads instead of the input */
  private async runCommand(
    config: CommandHookConfig,
    input: HookInput,
    { signal, maxTimeoutMs }: RunOptions,
    given?: string,
  ): Promise<Ended> {
    this.shell ??= findShell(this.options.variables);
    if (this.shell === undefined) return failed('No shell was found on this machine.');
    const { text: own, places, common } = this.preparedFor(input);
    const text = given ?? own;
    const shell = { file: this.shell, args: shellArguments(config.command, places) };
    const env = hookEnvironment(config, common);
    const timeoutMs = timeoutOf(config, maxTimeoutMs);
    const { cwd } = places;
    if (config.rights) {
      const { runRestricted } = await import('./command/run-restricted.js');
      const run = { file: shell.file, args: shell.args, cwd, env, input: text, timeoutMs, signal };
      const home = homeOf(this.options.variables);
      const { outcome, told } = await runRestricted(config, run, {
        rights: this.rights,
        home,
        workspace: cwd,
      });
      return withTold(outcome ? endedAs(outcome, timeoutMs) : failed(''), told, config.rights.extension);
    }
    const sandbox = config.source === ConfigSource.Project ? this.options.sandbox?.() : undefined;
    const boxed = await sandbox?.wrapProcess({ command: shell.file, args: shell.args, cwd, env });
    const started = boxed
      ? { file: boxed.command, args: boxed.args, env: boxed.env, sandbox: boxed }
      : { ...shell, env };
    const outcome = await runCommand({ ...started, cwd, input: text, timeoutMs, signal });
    return endedAs(outcome, timeoutMs);
  }

  /** Made once for all hooks that get this input: a conversation may have megabytes. */
  private preparedFor(input: HookInput): Prepared {
    let prepared = this.prepared.get(input);
    if (!prepared) {
      const { variables, settings, isTrusted, places } = this.options;
      const now = places();
      const common = commonEnvironment({ variables, settings, isTrusted: isTrusted(), places: now });
      prepared = { text: JSON.stringify(input), places: now, common };
      this.prepared.set(input, prepared);
    }
    return prepared;
  }
}

/** Lines about undeclared uses come first; a failure without one says that the hook was restricted. */
function withTold(ended: Ended, told: readonly string[], extension: string): Ended {
  const hint =
    ended.warning && told.length === 0
      ? `It ran with just the rights that the extension "${extension}" declares (docs/extension-rights.md).`
      : undefined;
  const lines = [...told, ended.warning, hint].filter(Boolean);
  return lines.length === 0 ? ended : { ...ended, warning: lines.join('\n') };
}

function timeoutOf({ timeout }: HookConfig, maximum = Number.POSITIVE_INFINITY): number {
  return Math.min(timeout || DEFAULT_HOOK_TIMEOUT_MS, maximum);
}

function endedAs(outcome: CommandOutcome, timeoutMs: number): Ended {
  const { stdout, stderr, exitCode, signal, endedBy, error } = outcome;
  if (error) return failed(`It cannot be started: ${error.message}`, error);
  const printed = { stdout, stderr };
  if (endedBy === 'timeout') return { ...printed, ...failed(`It did not end within ${timeoutMs} ms.`) };
  if (endedBy === 'abort') return { ...printed, ...failed('The request was cancelled.') };
  if (outcome.isCut) {
    return { ...printed, ...failed(`It printed more than ${MAX_OUTPUT_BYTES / 1024 / 1024} MB.`) };
  }
  if (exitCode === null) return { ...printed, ...failed(`It was ended by ${signal ?? 'a signal'}.`) };
  const { warning, ...result } = readPrinted({ stdout, stderr, exitCode });
  const left = outcome.hasLeftProcesses
    ? 'It left processes running that kept its output open; they were ended.'
    : undefined;
  const told = [warning, left].filter((text) => text !== undefined).join(' ');
  return { ...result, ...printed, exitCode, ...(told !== '' && { warning: told }) };
}

async function runFunction(
  config: RuntimeHookConfig,
  input: HookInput,
  { signal, maxTimeoutMs }: RunOptions,
): Promise<Ended> {
  const timeoutMs = timeoutOf(config, maxTimeoutMs);
  const leaving = new AbortController();
  const limit = AbortSignal.any([leaving.signal, ...(signal ? [signal] : [])]);
  const timer = setTimeout(() => leaving.abort(), Math.min(timeoutMs, LONGEST_TIMER_MS));
  try {
    // A copy: a function must not change what the agent continues with.
    const given = structuredClone(input);
    const output = await Promise.race([
      (async () => config.action(given, { signal: limit }))(),
      new Promise<'ended'>((resolve) => limit.addEventListener('abort', () => resolve('ended'))),
    ]);
    if (output === 'ended') {
      return failed(
        signal?.aborted ? 'The request was cancelled.' : `It did not end within ${timeoutMs} ms.`,
      );
    }
    return { success: true, output: isObject(output) ? readOutput(output) : {} };
  } finally {
    clearTimeout(timer);
  }
}

function failed(warning: string, cause?: unknown): Ended {
  const error = cause instanceof Error ? cause : new Error(warning);
  return { success: false, warning, error };
}
