/** One tool call on its way: validating, (awaiting_approval), scheduled, executing, then one of three ends. */
import type { AgentEvent } from '../../protocol/agent-events.js';
import type {
  CompletedToolCall,
  ToolCallRequest,
  ToolCallStatus,
  ToolDecision,
} from '../../protocol/tool-calls.js';
import type { AnyDeclarativeTool, AnyToolInvocation, ToolResult } from '../../tools/tools.js';
import { cancelledResponse, failureResponse, successResponse } from './tool-response.js';

export type Emit = (event: AgentEvent) => void;

export class CallState {
  status: ToolCallStatus = 'validating';
  tool: AnyDeclarativeTool | undefined;
  invocation: AnyToolInvocation | undefined;
  decision: ToolDecision = 'auto_accept';
  completed: CompletedToolCall | undefined;
  executed: CompletedToolCall['executed'];
  truncation: CompletedToolCall['truncation'];
  private startedAt = 0;

  constructor(
    readonly request: ToolCallRequest,
    /** The model wants everything before this call to be finished. */
    readonly waitsForPrevious: boolean,
    private readonly emit: Emit,
    private readonly now: () => number,
  ) {}

  get isOpen(): boolean {
    return this.completed === undefined;
  }

  moveTo(status: 'awaiting_approval' | 'scheduled' | 'executing'): void {
    this.status = status;
    if (status === 'executing') this.startedAt = this.now();
    this.emit({
      type: 'tool_status',
      callId: this.request.callId,
      status,
      description: this.describe(),
      displayName: this.tool?.displayName,
    });
  }

  succeed(result: ToolResult): void {
    this.finish('success', successResponse(this.request, result));
  }

  /** `content` goes to the model in place of the message where the tool has more to say. */
  fail(message: string, type: string, result?: ToolResult): void {
    this.finish('error', failureResponse(this.request, message, type, result));
  }

  cancel(reason: string, partialOutput?: string): void {
    this.finish('cancelled', cancelledResponse(this.request, reason, partialOutput));
  }

  private finish(status: CompletedToolCall['status'], response: CompletedToolCall['response']): void {
    this.status = status;
    this.completed = {
      request: this.request,
      status,
      response,
      durationMs: this.startedAt ? this.now() - this.startedAt : 0,
      decision: this.decision,
      displayName: this.tool?.displayName,
      description: this.describe(),
      ...(this.executed && { executed: this.executed }),
      ...(this.truncation && { truncation: this.truncation }),
    };
    this.emit({ type: 'tool_finished', call: this.completed });
  }

  private describe(): string | undefined {
    return this.invocation?.getDescription();
  }
}
