/** The state of one tool call: validating, (awaiting_approval), scheduled, executing, then one of three ends. */
import { messageOf } from '../../base/errors.js';
import { plainData } from '../../base/plain-data.js';
import type { AgentEventBody } from '../../protocol/agent-events.js';
import type { Containment } from '../../protocol/confirmation.js';
import type {
  CompletedToolCall,
  ToolCallRequest,
  ToolCallStatus,
  ToolDecision,
} from '../../protocol/tool-calls.js';
import type { LiveOutput } from '../../protocol/tool-display.js';
import { canonicalToolName } from '../../protocol/tool-names.js';
import { ToolErrorType } from '../../tools/tool-error.js';
import type { AnyDeclarativeTool, AnyToolInvocation, ToolResult } from '../../tools/tools.js';
import type { Approval } from './approve.js';
import { fingerprintOf } from './call-digest.js';
import { cancelledResponse, failureResponse, successResponse } from './tool-response.js';

type TailCall = NonNullable<ToolResult['tailToolCallRequest']>;

export type Emit = (event: AgentEventBody) => void;

export class CallState {
  status: ToolCallStatus = 'validating';
  tool: AnyDeclarativeTool | undefined;
  invocation: AnyToolInvocation | undefined;
  decision: ToolDecision = 'auto_accept';
  completed: CompletedToolCall | undefined;
  executed: CompletedToolCall['executed'];
  truncation: CompletedToolCall['truncation'];
  /** The file with the whole of a truncated output. */
  savedTo: string | undefined;
  /** Fingerprint of the approved call: see `call-digest.ts`. */
  approvedAs: string | undefined;
  /** The call may run only inside this sandbox. */
  containment: Containment | undefined;
  /** The fingerprint that the BeforeTool hook has seen, or made. */
  hookedAs: string | undefined;
  /** Arguments that a hook changed, by name; reported to the model. */
  changedByHook: readonly string[] = [];
  /** The user refused it or its tail call, or a hook stopped the agent: no later call runs. */
  endsBatch = false;
  /** Thrown by the tool or while it was approved, and not for the model: the request ends with it. */
  endsRequestWith: unknown;
  /** The name the model used, where it named an agent like a tool. */
  calledAs: string | undefined;
  private startedAt = 0;

  constructor(
    public request: ToolCallRequest,
    /** The model wants all earlier calls to be finished first. */
    readonly waitsForPrevious: boolean,
    private readonly emit: Emit,
    private readonly now: () => number,
    /** The name in the request that led to this tail call. */
    readonly originalName?: string,
  ) {}

  get isOpen(): boolean {
    return this.completed === undefined;
  }

  /** The name in the registry, even if the tool reports another one now. */
  get toolName(): string {
    // The model may have used another spelling; rules know the registered name.
    if (this.tool?.mcpContext) return this.tool.name;
    return canonicalToolName(this.request.name);
  }

  /** @throws when the arguments are invalid; the call has ended then */
  built(): AnyToolInvocation {
    if (!this.invocation) throw new Error(`The call ${this.request.callId} was not built.`);
    return this.invocation;
  }

  fingerprint(): string {
    return fingerprintOf(this.toolName, this.built());
  }

  /** The same tool with other arguments: a new call without an approval. @throws if they are invalid */
  rebuild(args: Record<string, unknown>): void {
    if (!this.tool) throw new Error(`The call ${this.request.callId} has no tool.`);
    this.invocation = this.tool.build(args);
    this.request = { ...this.request, args };
  }

  /** The call of another tool whose result replaces this one's. @throws like `build` */
  follow(tool: AnyDeclarativeTool, { name, args }: TailCall): CallState {
    const request = { ...this.request, name: canonicalToolName(name), args, isClientInitiated: false };
    const originalName = this.originalName ?? this.request.name;
    const next = new CallState(request, false, this.emit, this.now, originalName);
    next.tool = tool;
    next.invocation = tool.build(args);
    return next;
  }

  /** Applies a decision. True: the call may run. */
  settle(approval: Approval): boolean {
    switch (approval.kind) {
      case 'go':
        this.approvedAs = approval.fingerprint;
        this.containment = approval.containment;
        this.decision = approval.decision;
        return true;
      case 'refused':
        this.decision = 'reject';
        this.endsBatch = approval.type === ToolErrorType.STOP_EXECUTION;
        this.fail(approval.message, approval.type, approval.result);
        return false;
      case 'cancelled':
        this.decision = 'reject';
        this.endsBatch = true;
        this.cancel(approval.reason);
        return false;
      case 'fatal':
        this.decision = 'reject';
        this.endRequest(approval.error, messageOf(approval.error));
        return false;
    }
  }

  /** Tells the names for users before the call's turn has come: others may wait for an approval first. */
  announce(): void {
    this.emitStatus();
  }

  moveTo(status: 'awaiting_approval' | 'scheduled' | 'executing'): void {
    this.status = status;
    if (status === 'executing') this.startedAt = this.now();
    this.emitStatus();
  }

  private emitStatus(): void {
    this.emit({
      type: 'tool_status',
      callId: this.request.callId,
      status: this.status,
      description: this.describe(),
      displayName: this.tool?.displayName,
    });
  }

  output(output: LiveOutput): void {
    this.emit({ type: 'tool_output', callId: this.request.callId, output });
  }

  succeed(result: ToolResult): void {
    const isOfServer = this.tool?.mcpContext !== undefined;
    this.finish('success', successResponse(this.request, result, isOfServer));
  }

  /** `content` replaces the message for the model where the tool gives more detail. */
  fail(message: string, type: string, result?: ToolResult): void {
    this.finish('error', failureResponse(this.request, message, type, result));
  }

  /** What ends the program ends the batch here; the loop throws it once all calls have their answers. */
  endRequest(error: unknown, message: string): void {
    this.endsBatch = true;
    this.endsRequestWith = error;
    this.fail(message, ToolErrorType.STOP_EXECUTION);
  }

  /** Output until then: `output` for the model, `display` for the user. */
  cancel(reason: string, partial?: Parameters<typeof cancelledResponse>[2]): void {
    this.finish('cancelled', cancelledResponse(this.request, reason, partial));
  }

  private finish(status: CompletedToolCall['status'], response: CompletedToolCall['response']): void {
    this.status = status;
    this.completed = {
      request: this.request,
      status,
      // Tools may come from other programs, so their data is checked.
      response: plainData(this.named(response)),
      durationMs: this.startedAt ? this.now() - this.startedAt : 0,
      decision: this.decision,
      displayName: this.tool?.displayName,
      description: this.describe(),
      ...(status === 'success' && this.tool?.isOutputMarkdown && { isMarkdown: true }),
      ...(this.executed && { executed: this.executed }),
      ...(this.tool?.serverName !== undefined && {
        origin: { type: 'mcp', serverName: this.tool.serverName },
      }),
      ...(this.truncation && { truncation: this.truncation }),
    };
    this.emit({ type: 'tool_finished', call: this.completed });
  }

  /** Providers match a response with its call by name, too. */
  private named(response: CompletedToolCall['response']): CompletedToolCall['response'] {
    const { calledAs: name } = this;
    if (name === undefined) return response;
    const responseParts = response.responseParts.map((part) =>
      part.functionResponse ? { ...part, functionResponse: { ...part.functionResponse, name } } : part,
    );
    return { ...response, responseParts };
  }

  /** The tool's own code: if it throws, the call has no description. */
  private describe(): string | undefined {
    try {
      return this.invocation?.getDescription();
    } catch {
      return undefined;
    }
  }
}
