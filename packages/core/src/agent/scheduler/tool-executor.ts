/** Runs one approved call and bounds what comes of it. */
import { isAbort, messageOf } from '../../base/errors.js';
import { toParts } from '../../protocol/messages.js';
import { limitToolOutput } from '../../tools/output-limit.js';
import { ToolErrorType } from '../../tools/tool-error.js';
import type { ToolRegistry } from '../../tools/tool-registry.js';
import type { AnyToolInvocation, ToolResult } from '../../tools/tools.js';
import type { CallState, Emit } from './state.js';

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

export class ToolExecutor {
  constructor(
    private readonly registry: ToolRegistry,
    private readonly limits: () => OutputLimits,
    private readonly emit: Emit,
  ) {}

  async execute(call: CallState, signal: AbortSignal): Promise<void> {
    const { invocation, request } = call;
    if (!invocation) throw new Error(`The call ${request.callId} was not built.`);
    call.moveTo('executing');
    try {
      const result = await this.runWithTail(invocation, call, signal);
      const limited = this.limit(result, call);
      if (signal.aborted) call.cancel('The user cancelled the request.', textOf(limited));
      else if (limited.error) {
        call.fail(limited.error.message, limited.error.type ?? ToolErrorType.UNKNOWN, limited);
      } else call.succeed(limited);
    } catch (error) {
      if (signal.aborted || isAbort(error)) call.cancel('The user cancelled the request.');
      else call.fail(this.limits().redact(messageOf(error)), ToolErrorType.UNHANDLED_EXCEPTION);
    }
  }

  /** A result may name another tool whose result takes its place. */
  private async runWithTail(
    invocation: AnyToolInvocation,
    call: CallState,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const { callId } = call.request;
    const result = await invocation.execute({
      abortSignal: signal,
      updateOutput: (output) => this.emit({ type: 'tool_output', callId, output }),
    });
    const tail = result.tailToolCallRequest;
    if (!tail) return result;
    const tool = this.registry.getTool(tail.name);
    if (!tool) throw new Error(this.registry.describeMissing(tail.name));
    const next = tool.build(tail.args);
    // The tail is a call of its own: what the user approved was the first one.
    if (await next.shouldConfirmExecute(signal)) throw new Error(`"${tail.name}" needs approval of its own.`);
    call.executed = { name: tool.name, args: tail.args };
    return next.execute({ abortSignal: signal });
  }

  private limit({ error, ...result }: ToolResult, call: CallState): ToolResult {
    const { threshold, directory, redact, redactForDisk } = this.limits();
    const failure = error && { error: { ...error, message: redact(error.message) } };
    const { callId, name: toolName } = call.request;
    const bound = (text: string, index: number) => {
      const id = index === 0 ? callId : `${callId}_${index}`;
      const limited = limitToolOutput(redact(text), {
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

function textOf(result: ToolResult): string {
  return toParts(result.llmContent)
    .map((part) => part.text ?? '')
    .join('\n');
}
