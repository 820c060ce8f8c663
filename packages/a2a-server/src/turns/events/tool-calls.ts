/** The state of each tool call as clients see it (`tool-call-update`, `tool-call-confirmation`). */
import type {
  AnyDeclarativeTool,
  CompletedToolCall,
  ConfirmationView,
  ToolCallRequest,
} from '@gemini-cli/core';

export interface ToolCallData {
  request: ToolCallRequest;
  status: 'scheduled' | 'awaiting_approval' | 'executing' | 'success' | 'error' | 'cancelled';
  confirmationDetails?: ConfirmationView;
  liveOutput?: unknown;
  response?: CompletedToolCall['response'];
  outcome?: string;
  tool?: ToolData;
}

interface ToolData {
  name: string;
  displayName: string;
  description: string;
  kind: string;
  isOutputMarkdown: boolean;
  canUpdateOutput: boolean;
  schema: unknown;
  parameterSchema: unknown;
}

export class ToolCalls {
  private readonly calls = new Map<string, ToolCallData>();

  constructor(private readonly find: (name: string) => AnyDeclarativeTool | undefined) {}

  request(request: ToolCallRequest): ToolCallData {
    const tool = this.find(request.name);
    const call: ToolCallData = { request, status: 'scheduled', ...(tool && { tool: toolData(tool) }) };
    this.calls.set(request.callId, call);
    return call;
  }

  /** Undefined for calls that were never requested here: those of other agents. */
  update(callId: string, change: Partial<ToolCallData>): ToolCallData | undefined {
    const call = this.calls.get(callId);
    if (!call) return undefined;
    const next = { ...call, ...change };
    this.calls.set(callId, next);
    return next;
  }

  finish(completed: CompletedToolCall): ToolCallData | undefined {
    const { request, status, response } = completed;
    const call = this.update(request.callId, { request, status, response });
    this.calls.delete(request.callId);
    if (!call) return undefined;
    const { liveOutput: _, ...rest } = call;
    return rest;
  }
}

function toolData(tool: AnyDeclarativeTool): ToolData {
  const { name, displayName, description, kind, isOutputMarkdown, canUpdateOutput, parameterSchema } = tool;
  const schema = tool.schema;
  return { name, displayName, description, kind, isOutputMarkdown, canUpdateOutput, schema, parameterSchema };
}
