/** Runs one approved call, shows the result to the AfterTool hook, and limits the size of the output. */
import { isAbort, messageOf, routeError } from '../../base/errors.js';
import { withoutFalseContext } from '../../memory/context-files.js';
import { createLog } from '../../platform/log.js';
import type { AgentRef } from '../../protocol/agent-events.js';
import { type Part, toParts } from '../../protocol/messages.js';
import type { LiveOutput } from '../../protocol/tool-display.js';
import { RUN_SHELL_COMMAND } from '../../protocol/tool-names.js';
import { ToolErrorType, toolErrorTypeOf } from '../../tools/tool-error.js';
import type { ToolRegistry } from '../../tools/tool-registry.js';
import { ToolDeniedError, type ToolResult, toolFailure } from '../../tools/tools.js';
import { touchedPaths } from '../../tools/touched-paths.js';
import type { AroundCalls } from '../call-snapshots.js';
import type { HookPorts } from '../hook-ports.js';
import { afterTool } from './after-tool.js';
import type { Approval } from './approve.js';
import type { CallState } from './state.js';

export interface OutputLimits {
  /** Characters of one result that reach the model; 0 or less: no limit. */
  threshold: number;
  /** Where the full text of a longer result is saved. */
  directory: string;
  /** Redacts secrets for the model, unless it may see them. */
  redact(text: string): string;
  /** Redacts secrets always. */
  redactForDisk(text: string): string;
}

/** A shorter text for the model; undefined: the result stays as it is. */
export type Summarize = (
  output: { toolName: string; callId: string; text: string },
  signal: AbortSignal,
) => Promise<string | undefined>;

export interface ExecutorOptions {
  registry: ToolRegistry;
  limits: () => OutputLimits;
  /** Asks hooks, policy and the user again about a call that has changed. */
  approve: (call: CallState, signal: AbortSignal) => Promise<Approval>;
  hooks: HookPorts;
  agent: AgentRef;
  /** Saves what a call may change; absent: nothing can be undone. */
  snapshots?: AroundCalls;
  contextFor?: ContextFor;
  summarize?: Summarize;
}

/** Context files for paths that a call has touched; undefined when the model has them all. */
export type ContextFor = (paths: readonly string[]) => Promise<string | undefined>;

const log = createLog('tools');

/** Limit for a hook that answers each tail call with another one. */
const MAX_TAIL_CALLS = 10;
/** Limit for a tool that changes its arguments each time they are approved. */
const MAX_CHANGES = 3;
const CHANGED = 'Its arguments changed after they were approved.';
const NOT_CONTAINABLE = 'It can run only if it is contained, which this tool cannot do.';

export class ToolExecutor {
  constructor(private readonly options: ExecutorOptions) {}

  async execute(call: CallState, signal: AbortSignal): Promise<void> {
    try {
      if (!(await this.isApproved(call, signal))) return;
      call.moveTo('executing');
      const result = await this.runWithTail(call, signal);
      if (!result) return;
      const limited = await this.limit(withNote(result, call.changedByHook), call);
      const soFar = { output: textOf(limited), display: limited.returnDisplay };
      if (signal.aborted) call.cancel('The user cancelled the request.', soFar);
      else if (limited.error) {
        call.endsBatch = limited.error.type === ToolErrorType.STOP_EXECUTION;
        call.fail(limited.error.message, limited.error.type ?? ToolErrorType.UNKNOWN, limited);
      } else {
        const summarized = await this.summarized(limited, call, signal);
        call.succeed(await this.withContext(summarized, result, call));
      }
    } catch (error) {
      if (isAbort(error, signal)) call.cancel('The user cancelled the request.');
      else this.fail(call, error);
    }
  }

  private fail(call: CallState, error: unknown): void {
    const route = routeError(error, 'call');
    const message = this.options.limits().redact(route.message);
    if (route.isBug) log.debug(`${call.toolName} failed`, error);
    if (route.to === 'model') call.fail(message, toolErrorTypeOf(error));
    else call.endRequest(error, message);
  }

  /** False: the call has ended. A call that differs from the approved one is decided again. */
  private async isApproved(call: CallState, signal: AbortSignal): Promise<boolean> {
    for (let changes = 0; call.fingerprint() !== call.approvedAs; changes++) {
      if (changes === MAX_CHANGES) throw new ToolDeniedError(call.toolName, CHANGED);
      if (!call.settle(await this.options.approve(call, signal))) return false;
    }
    return true;
  }

  /** A result or a hook may name another tool, whose result replaces this one. Undefined: the user refused that call. */
  private async runWithTail(call: CallState, signal: AbortSignal): Promise<ToolResult | undefined> {
    const { registry } = this.options;
    let current = call;
    for (let tails = 0; ; tails++) {
      const result = await this.runHooked(current, signal);
      const tail = result.tailToolCallRequest;
      if (!tail || signal.aborted || tails === MAX_TAIL_CALLS) return result;
      const tool = registry.getTool(tail.name);
      if (!tool) throw new Error(registry.describeMissing(tail.name));
      // Approved separately: hooks, policy and the user saw only the call before.
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
    const updateOutput = (output: LiveOutput) => call.output(output);
    const invocation = call.built();
    const execute = async () => {
      // Code of the tool that ran since the approval (description, paths) may have changed the arguments.
      if (call.fingerprint() !== call.approvedAs) throw new ToolDeniedError(call.toolName, CHANGED);
      const { containment } = call;
      // Only the shell tool can be contained; no other tool gets such a verdict.
      if (containment && call.toolName !== RUN_SHELL_COMMAND)
        throw new ToolDeniedError(call.toolName, NOT_CONTAINABLE);
      const { callId } = call.request;
      return invocation.execute({
        abortSignal: signal,
        updateOutput,
        callId,
        ...(containment && { containment }),
      });
    };
    const { containment } = call;
    // A read-only sandbox leaves nothing to undo, so no snapshot is needed.
    const result = await (containment === 'read-only' ? execute() : this.withSnapshot(call, execute));
    if (!containment || !result.runAgainUncontained || signal.aborted) return result;
    // The user agreed to run it again without the sandbox.
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
      onProgress: (output: LiveOutput) => call.output(output),
    };
    return snapshots.around(
      toKeep,
      execute,
      ({ data }) => data?.['pid'] !== undefined && data['state'] !== 'exited',
    );
  }

  /** After the limit: the summary is made of redacted text of bounded size, and names the file with all of it. */
  private async summarized(limited: ToolResult, call: CallState, signal: AbortSignal): Promise<ToolResult> {
    const { summarize } = this.options;
    const parts = toParts(limited.llmContent);
    const [only] = parts;
    if (!summarize || parts.length !== 1 || only?.text === undefined) return limited;
    const { callId, name: toolName } = call.request;
    const summary = await summarize({ toolName, callId, text: only.text }, signal);
    if (summary === undefined) return limited;
    const where = call.savedTo ? `\nThe full output is saved in ${call.savedTo}.` : '';
    return { ...limited, llmContent: `${summary}${where}` };
  }

  /** After the limited output: context rules are not cut, and stay outside the marks around untrusted text. */
  private async withContext(limited: ToolResult, result: ToolResult, call: CallState): Promise<ToolResult> {
    const { contextFor } = this.options;
    // A call that was replaced by another one has touched nothing.
    const paths = contextFor && !call.executed ? touchedPaths(call.request.name, call.built(), result) : [];
    const context = paths.length > 0 ? await contextFor?.(paths) : undefined;
    return context
      ? { ...limited, llmContent: [...toParts(limited.llmContent), { text: `\n${context}` }] }
      : limited;
  }

  private async limit({ error, ...result }: ToolResult, call: CallState): Promise<ToolResult> {
    const { threshold, directory, redact, redactForDisk } = this.options.limits();
    const { callId, name: toolName } = call.request;
    const bound = async (whole: string, id: string, max: number) => {
      const text = withoutFalseContext(redact(whole));
      if (max <= 0 || text.length <= max) return text;
      const { limitToolOutput } = await import('../../tools/output-limit.js');
      const limited = limitToolOutput(text, {
        threshold: max,
        toolName,
        callId: id,
        directory,
        redactForDisk,
      });
      call.truncation ??= limited.truncation;
      call.savedTo ??= limited.savedTo;
      return limited.text;
    };
    const max = call.tool?.keepsWholeOutput ? 0 : threshold;
    const llmContent: Part[] = [];
    for (const [index, part] of toParts(result.llmContent).entries()) {
      const id = index === 0 ? callId : `${callId}_${index}`;
      llmContent.push(part.text === undefined ? part : { ...part, text: await bound(part.text, id, max) });
    }
    const limited = typeof result.llmContent === 'string' ? (llmContent[0]?.text ?? '') : llmContent;
    if (!error) return { ...result, llmContent: limited };
    // The model reads the message of a failure, not its content; mostly they are the same.
    const { message: told } = error;
    const isSame = told === result.llmContent && typeof limited === 'string' && max === threshold;
    const message = isSame ? limited : await bound(told, `${callId}_error`, threshold);
    return { ...result, error: { ...error, message }, llmContent: limited };
  }
}

/** Tells the model that its arguments were changed. */
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
