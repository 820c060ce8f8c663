/** One event of the engine to the events that programs get. */
import type { AgentEvent, ErrorInfo, TokenUsage } from '@gemini-cli/core';
import type { CompletedToolCall, ToolCallRequest } from '@gemini-cli/core/protocol';
import type { AgentStreamEvent, ToolCallRequestInfo, ToolCallResponseInfo, UsageMetadata } from './types.js';

/** Remembers what an event needs of those before it. One per prompt. */
export class EventMapper {
  private model = '';
  private usage: TokenUsage | undefined;
  private stopText = '';
  private systemMessage: string | undefined;
  private readonly requests = new Map<string, ToolCallRequestInfo>();

  /** @param isEmpty nothing is left of the conversation */
  constructor(private readonly isEmpty: () => boolean) {}

  /** @param event of the main agent */
  map(event: AgentEvent): AgentStreamEvent[] {
    switch (event.type) {
      case 'content':
        return [{ type: 'content', value: event.text }];
      case 'thought':
        return [{ type: 'thought', value: { subject: event.subject, description: event.description } }];
      case 'citation':
        return [{ type: 'citation', value: event.text }];
      case 'model_turn_started':
        if (event.model === this.model) return [];
        this.model = event.model;
        return [{ type: 'model_info', value: event.model }];
      case 'usage':
        this.usage = event.usage;
        return [];
      case 'model_turn_finished': {
        const { reason } = event;
        return [{ type: 'finished', value: { reason, usageMetadata: usageMetadata(this.usage) } }];
      }
      case 'tool_requested': {
        const value = requestInfo(event.request);
        this.requests.set(value.callId, value);
        return [{ type: 'tool_call_request', value }];
      }
      case 'tool_finished':
        return [{ type: 'tool_call_response', value: responseInfo(event.call) }];
      case 'question':
        return this.confirmation(event);
      case 'chat_compressed': {
        const { status, originalTokens, newTokens } = event;
        const value = {
          originalTokenCount: originalTokens,
          newTokenCount: newTokens,
          compressionStatus: status,
        };
        return [{ type: 'chat_compressed', value }];
      }
      case 'context_window_will_overflow': {
        const { estimatedRequestTokenCount, remainingTokenCount } = event;
        return [
          {
            type: 'context_window_will_overflow',
            value: { estimatedRequestTokenCount, remainingTokenCount },
          },
        ];
      }
      case 'retry':
        return [{ type: 'retry' }];
      case 'warning':
        if (event.code === 'stopped' || event.code === 'blocked') {
          this.stopText = event.message.replace(/^Agent execution (stopped|blocked): /, '');
          return [];
        }
        return [
          ...(event.loop ? [{ type: 'loop_detected' as const }] : []),
          { type: 'warning', value: { message: event.message } },
        ];
      case 'notice':
        return event.isOver ? [] : [{ type: 'warning', value: { message: event.message } }];
      case 'hook_message':
        if (event.level === 'info') this.systemMessage = event.message;
        return [{ type: 'warning', value: { message: `${event.name}: ${event.message}` } }];
      case 'turn_finished':
        return this.ended(event);
      default:
        return [];
    }
  }

  private confirmation(event: Extract<AgentEvent, { type: 'question' }>): AgentStreamEvent[] {
    const { question } = event;
    if (question.kind !== 'tool_confirmation' || !question.details) return [];
    const { callId = '', toolName, args, details } = question;
    const request = this.requests.get(callId) ?? {
      callId,
      name: toolName,
      args: { ...args },
      isClientInitiated: false,
      prompt_id: '',
    };
    return [{ type: 'tool_call_confirmation', value: { request, details } }];
  }

  private ended({ reason, error }: Extract<AgentEvent, { type: 'turn_finished' }>): AgentStreamEvent[] {
    const { stopText, systemMessage } = this;
    const value = { reason: stopText, ...(systemMessage !== undefined && { systemMessage }) };
    switch (reason) {
      case 'cancelled':
        return [{ type: 'user_cancelled' }];
      case 'stopped':
        return [
          {
            type: 'agent_execution_stopped',
            // A stop keeps the prompt, so only a hook can have emptied it.
            value: { ...value, ...(this.isEmpty() && { contextCleared: true }) },
          },
        ];
      case 'blocked':
        return [{ type: 'agent_execution_blocked', value }];
      case 'max_turns':
        return [{ type: 'max_session_turns' }];
      case 'completed':
        return [];
      default: {
        const message = error?.message ?? `The prompt ended: ${reason}.`;
        const status = httpStatus(error);
        const last: AgentStreamEvent = {
          type: 'error',
          value: { error: { message, ...(status !== undefined && { status }) } },
        };
        if (error?.type !== 'INVALID_STREAM') return [last];
        return [{ type: 'invalid_stream', value: { type: error.type, message } }, last];
      }
    }
  }
}

/** The code of an error may also be that with which `gemini` would exit. */
export function httpStatus({ code, exitCode, httpStatus }: Partial<ErrorInfo> = {}): number | undefined {
  return httpStatus ?? (typeof code === 'number' && exitCode === undefined ? code : undefined);
}

function requestInfo({
  callId,
  name,
  args,
  promptId,
  isClientInitiated,
}: ToolCallRequest): ToolCallRequestInfo {
  return { callId, name, args, isClientInitiated: isClientInitiated === true, prompt_id: promptId };
}

function responseInfo({ response, status }: CompletedToolCall): ToolCallResponseInfo {
  const { callId, responseParts, resultDisplay, error } = response;
  const problem = error ?? (status === 'cancelled' ? { message: 'The call was cancelled.' } : undefined);
  return {
    callId,
    responseParts,
    resultDisplay,
    ...(problem && { error: { message: problem.message } }),
    ...(error?.type !== undefined && { errorType: error.type }),
  };
}

function usageMetadata(usage: TokenUsage | undefined): UsageMetadata {
  return {
    promptTokenCount: usage?.prompt ?? 0,
    candidatesTokenCount: usage?.candidates ?? 0,
    cachedContentTokenCount: usage?.cached ?? 0,
    thoughtsTokenCount: usage?.thoughts ?? 0,
    toolUsePromptTokenCount: usage?.tool ?? 0,
    totalTokenCount: usage?.total ?? 0,
  };
}
