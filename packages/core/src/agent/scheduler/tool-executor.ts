/** Runs one approved call, shows the result to the AfterTool hook, and bounds what comes of it. */
import { isAbort, messageOf, routeError } from '../../base/errors.js';
import { withoutFalseContext } from '../../memory/context-files.js';
import { createLog } from '../../platform/log.js';
import type { AgentRef } from '../../protocol/agent-events.js';
import { toParts } from '../../protocol/messages.js';
import type { AnsiOutput } from '../../protocol/tool-display.js';
import { RUN_SHELL_COMMAND } from '../../protocol/tool-names.js';
import { limitToolOutput } from '../../tools/output-limit.js';
import { ToolErrorType, toolErrorTypeOf } from '../../tools/tool-error.js';
import type { ToolRegistry } from '../../tools/tool-registry.js';
import { ToolDeniedError, type ToolResult, toolFailure } from '../../tools/tools.js';
import { touchedPaths } from '../../tools/touched-paths.js';
import type { CallSnapshots } from '../call-snapshots.js';
import type { HookPorts } from '../hook-ports.js';
import { afterTool } from './after-tool.js';
import type { Approval } from './approve.js';
import type { CallState } from './state.js';

export interface OutputLimits {
  /** Characters of one result that reach the model; 0 or less: no limit. */
  threshold: number;
  /** Where the full text of a longer one is kept. */
  directory: string;
  /** Hides secrets from the model, if it may not see them. */
  redact(text: string): string;
  /** Hides them in any case. */
  redactForDisk(text: string): string;
}

export interface ExecutorOptions {
  registry: ToolRegistry;
  limits: () => OutputLimits;
  /** Hooks, policy and the user, for what has changed since they were asked. */
  approve: (call: CallState, signal: AbortSignal) => Promise<Approval>;
  hooks: HookPorts;
  agent: AgentRef;
  /** Keeps what a call may change; absent: nothing can be undone. */
  snapshots?: CallSnapshots;
  contextFor?: ContextFor;
}

/** What context files say about paths that a call has touched; undefined when the model knows it all. */
export type ContextFor = (paths: readonly string[]) => Promise<string | undefined>;

const log = createLog('tools');

/** A hook that answers each tail call with another one does not go on for ever. */
const MOST_TAIL_CALLS = 10;
/** A tool that changes its own arguments whenever it is asked about them never runs. */
const MOST_CHANGES = 3;
const CHANGED = 'Its arguments changed after they were approved.';
const UNHELD = 'It can run only if it is contained, which this tool cannot do.';

export class ToolExecutor {
  constructor(private readonly options: ExecutorOptions) {}

  async execute(call: CallState, signal: AbortSignal): Promise<void> {
    try {
      if (!(await this.isApproved(call, signal))) return;
      call.moveTo('executing');
      const result = await this.runWithTail(call, signal);
      if (!result) return;
      const limited = this.limit(withNote(result, call.changedByHook), call);
      const soFar = { output: textOf(limited), display: limited.returnDisplay };
      if (signal.aborted) call.cancel('The user cancelled the request.', soFar);
      else if (limited.error) {
        call.endsBatch = limited.error.type === ToolErrorType.STOP_EXECUTION;
        call.fail(limited.error.message, limited.error.type ?? ToolErrorType.UNKNOWN, limited);
      } else call.succeed(await this.withContext(limited, result, call));
    } catch (error) {
      if (isAbort(error, signal)) call.cancel('The user cancelled the request.');
      else this.fail(call, error);
    }
  }

  /** What ends the program ends the batch here; the loop throws it once all calls have their answers. */
  private fail(call: CallState, error: unknown): void {
    const route = routeError(error, 'call');
    const message = this.options.limits().redact(route.message);
    if (route.isBug) log.debug(`${call.toolName} failed`, error);
    if (route.to === 'model') {
      call.fail(message, toolErrorTypeOf(error));
    } else {
      call.endsBatch = true;
      call.endsRequestWith = error;
      call.fail(message, ToolErrorType.STOP_EXECUTION);
    }
  }

  /** False: the call has come to its end. A call that is not the approved one is decided anew. */
  private async isApproved(call: CallState, signal: AbortSignal): Promise<boolean> {
    for (let changes = 0; call.fingerprint() !== call.approvedAs; changes++) {
      if (changes === MOST_CHANGES) throw new ToolDeniedError(call.toolName, CHANGED);
      if (!call.settle(await this.options.approve(call, signal))) return false;
    }
    return true;
  }

  /** A result, or a hook, may name another tool whose result takes its place. Undefined: the user refused that one. */
  private async runWithTail(call: CallState, signal: AbortSignal): Promise<ToolResult | undefined> {
    const { registry } = this.options;
    let current = call;
    for (let tails = 0; ; tails++) {
      const result = await this.runHooked(current, signal);
      const tail = result.tailToolCallRequest;
      if (!tail || signal.aborted || tails === MOST_TAIL_CALLS) return result;
      const tool = registry.getTool(tail.name);
      if (!tool) throw new Error(registry.describeMissing(tail.name));
      // A call of its own: what hooks, policy and the user approved was the one before.
      current = current.follow(tool, tail);
      if (!call.settle(await this.options.approve(current, signal))) return undefined;
      current.approvedAs = call.approvedAs;
      current.containment = call.containment;
      call.moveTo('executing');
      call.executed = { name: current.toolName, args: current.request.args };
    }
  }

  private async runHooked(call: CallState, signal: AbortSignal): Promise<ToolResult> {
    const { hooks, agent } = this.options;
    if (!hooks.afterTool) return this.run(call, signal);
    const result = await this.run(call, signal).catch((error: unknown) => {
      if (isAbort(error, signal) || routeError(error, 'call').to !== 'model') throw error;
      return toolFailure(messageOf(error), toolErrorTypeOf(error));
    });
    return signal.aborted ? result : afterTool(call, result, { hooks, agent, signal });
  }

  private async run(call: CallState, signal: AbortSignal): Promise<ToolResult> {
    const updateOutput = (output: string | AnsiOutput) => call.output(output);
    const invocation = call.built();
    const execute = async () => {
      // Describing a call and looking for what it touches is the tool's own code, too.
      if (call.fingerprint() !== call.approvedAs) throw new ToolDeniedError(call.toolName, CHANGED);
      const { containment } = call;
      // No other tool obeys it, and none gets such a verdict.
      if (containment && call.toolName !== RUN_SHELL_COMMAND)
        throw new ToolDeniedError(call.toolName, UNHELD);
      return invocation.execute({ abortSignal: signal, updateOutput, ...(containment && { containment }) });
    };
    const { containment } = call;
    // What writes nothing leaves nothing to keep.
    const result = await (containment === 'read-only' ? execute() : this.withSnapshot(call, execute));
    if (!containment || !result.runAgainUncontained || signal.aborted) return result;
    // The user said yes to that.
    call.containment = undefined;
    call.decision = 'accept';
    return this.withSnapshot(call, execute);
  }

  private withSnapshot(call: CallState, execute: () => Promise<ToolResult>): Promise<ToolResult> {
    const { callId, promptId, name, args } = call.request;
    const { snapshots, registry } = this.options;
    const kind = registry.getTool(name)?.kind;
    if (!snapshots || kind === undefined) return execute();
    const invocation = call.built();
    const toKeep = {
      callId,
      promptId,
      toolName: name,
      kind,
      args,
      description: invocation.getDescription(),
      paths: invocation.toolLocations().map(({ path }) => path),
      onProgress: (output: string | AnsiOutput) => call.output(output),
    };
    return snapshots.around(
      toKeep,
      execute,
      ({ data }) => data?.['pid'] !== undefined && data['state'] !== 'exited',
    );
  }

  /** Behind the bounded output: rules are not cut, and stand outside of whatever marks text as untrusted. */
  private async withContext(limited: ToolResult, result: ToolResult, call: CallState): Promise<ToolResult> {
    const { contextFor } = this.options;
    // A call that another one took the place of has touched nothing.
    const paths = contextFor && !call.executed ? touchedPaths(call.request.name, call.built(), result) : [];
    const context = paths.length > 0 ? await contextFor?.(paths) : undefined;
    return context
      ? { ...limited, llmContent: [...toParts(limited.llmContent), { text: `\n${context}` }] }
      : limited;
  }

  private limit({ error, ...result }: ToolResult, call: CallState): ToolResult {
    const { threshold, directory, redact, redactForDisk } = this.options.limits();
    const failure = error && { error: { ...error, message: redact(error.message) } };
    const { callId, name: toolName } = call.request;
    const bound = (text: string, index: number) => {
      const id = index === 0 ? callId : `${callId}_${index}`;
      const limited = limitToolOutput(withoutFalseContext(redact(text)), {
        threshold,
        toolName,
        callId: id,
        directory,
        redactForDisk,
      });
      call.truncation ??= limited.truncation;
      return limited.text;
    };
    if (typeof result.llmContent === 'string')
      return { ...result, ...failure, llmContent: bound(result.llmContent, 0) };
    const llmContent = toParts(result.llmContent).map((part, index) =>
      part.text === undefined ? part : { ...part, text: bound(part.text, index) },
    );
    return { ...result, ...failure, llmContent };
  }
}

/** So that the model does not take the result for that of its own arguments. */
function withNote(result: ToolResult, changed: readonly string[]): ToolResult {
  if (changed.length === 0) return result;
  const text = `A hook changed arguments of this call before it ran: ${changed.join(', ')}.`;
  const { error } = result;
  return {
    ...result,
    llmContent: [...toParts(result.llmContent), { text }],
    // The model reads the message of a failure, not its content.
    ...(error && { error: { ...error, message: `${error.message}\n${text}` } }),
  };
}

function textOf(result: ToolResult): string {
  return toParts(result.llmContent)
    .map((part) => part.text ?? '')
    .join('\n');
}
