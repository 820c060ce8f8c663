/** The tool calls of one prompt as the client sees them. */
import type { SessionUpdate, ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk';
import type {
  AgentEvent,
  CompletedToolCall,
  ConfirmationView,
  ToolCallRequest,
  ToolLocation,
  ToolRegistry,
} from '@gemini-cli/core';
import { callTitle, displayContent, questionContent, textContent } from '../serialise/tool-content.js';
import { toToolKind } from '../serialise/tool-kind.js';

interface Shown {
  request: Pick<ToolCallRequest, 'callId' | 'name' | 'args'>;
  title?: string;
  isAnnounced: boolean;
  terminalId?: string;
}

export interface ToolCallsPorts {
  send: (update: SessionUpdate) => void;
  registry: () => Pick<ToolRegistry, 'getTool'>;
}

type EventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;

export class ToolCalls {
  private readonly shown = new Map<string, Shown>();

  constructor(private readonly ports: ToolCallsPorts) {}

  /** The client knows the call, and it has not ended. */
  isShown(callId: string): boolean {
    return this.shown.get(callId)?.isAnnounced === true;
  }

  requested({ request }: EventOf<'tool_requested'>): void {
    this.shown.set(request.callId, { request, isAnnounced: false });
  }

  status({ callId, status, description, displayName }: EventOf<'tool_status'>): void {
    const call = this.shown.get(callId);
    if (!call) return;
    call.title = callTitle(description, displayName) || call.title;
    if (status !== 'executing') return;
    if (call.isAnnounced)
      this.ports.send({ sessionUpdate: 'tool_call_update', toolCallId: callId, status: 'in_progress' });
    else this.announce(call, 'in_progress', []);
  }

  output({ callId, output }: EventOf<'tool_output'>): void {
    const call = this.shown.get(callId);
    const content = displayContent(output);
    // A terminal of the client shows its own output.
    if (!call?.isAnnounced || call.terminalId || content.length === 0) return;
    this.ports.send({ sessionUpdate: 'tool_call_update', toolCallId: callId, content });
  }

  terminal(callId: string, terminalId: string): void {
    const call = this.shown.get(callId);
    if (!call) return;
    call.terminalId = terminalId;
    this.ports.send({
      sessionUpdate: 'tool_call_update',
      toolCallId: callId,
      content: [{ type: 'terminal', terminalId }],
    });
  }

  finished({ call: done }: EventOf<'tool_finished'>): void {
    const { callId } = done.request;
    const call = this.shown.get(callId) ?? { request: done.request, isAnnounced: false };
    this.shown.delete(callId);
    call.title = callTitle(done.description, done.displayName) || call.title;
    const status = done.status === 'success' ? 'completed' : 'failed';
    const content: ToolCallContent[] = call.terminalId
      ? [{ type: 'terminal', terminalId: call.terminalId }]
      : resultContent(done);
    if (!call.isAnnounced) this.announce(call, status, content);
    else
      this.ports.send({
        sessionUpdate: 'tool_call_update',
        toolCallId: callId,
        status,
        ...(content.length > 0 && { content }),
      });
  }

  /** A call that waits for the user. @returns it as the permission request shows it */
  asked(question: {
    callId: string;
    toolName: string;
    args: Readonly<Record<string, unknown>>;
    details: ConfirmationView;
  }): ToolCallUpdate {
    const { callId, toolName: name, args, details } = question;
    const call = this.shown.get(callId) ?? {
      request: { callId, name, args: { ...args } },
      title: details.title,
      isAnnounced: false,
    };
    this.shown.set(callId, call);
    const content = questionContent(details);
    if (!call.isAnnounced) this.announce(call, 'pending', content);
    return { ...this.described(call, content), toolCallId: callId, status: 'pending' };
  }

  private announce(
    call: Shown,
    status: 'pending' | 'in_progress' | 'completed' | 'failed',
    content: ToolCallContent[],
  ) {
    call.isAnnounced = true;
    const toolCallId = call.request.callId;
    this.ports.send({ sessionUpdate: 'tool_call', toolCallId, status, ...this.described(call, content) });
  }

  private described({ request: { name, args }, title }: Shown, content: ToolCallContent[]) {
    const tool = this.ports.registry().getTool(name);
    return {
      title: title || tool?.displayName || name,
      kind: toToolKind(tool?.kind),
      locations: locationsOf(tool, args),
      content,
      rawInput: args,
    };
  }
}

function resultContent({ status, response }: CompletedToolCall): ToolCallContent[] {
  const content = displayContent(response.resultDisplay);
  if (status === 'success' || content.length > 0) return content;
  return textContent(response.error?.message ?? '');
}

type Tool = ReturnType<ToolRegistry['getTool']>;

/** Empty for arguments that the tool refuses. */
export function locationsOf(tool: Tool, args: Record<string, unknown>): ToolLocation[] {
  try {
    return (tool?.build(args).toolLocations() ?? []).map(({ path, line }) => ({
      path,
      ...(line !== undefined && { line }),
    }));
  } catch {
    return [];
  }
}
