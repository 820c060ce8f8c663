/** What `sendStream` yields, and what a prompt ends with. */
import type { StreamJsonItem, StreamStats, SubagentActivityEvent } from '@gemini-cli/core';
import type { CompressionStatus, Part, ToolResultDisplay } from '@gemini-cli/core/protocol';
import type { ConfirmationDetails } from '../approvals/types.js';

export type { StreamJsonItem };

export interface ToolCallRequestInfo {
  callId: string;
  name: string;
  args: Record<string, unknown>;
  isClientInitiated: boolean;
  prompt_id: string;
}

export interface ToolCallResponseInfo {
  callId: string;
  /** For the model. */
  responseParts: Part[];
  /** For the user. */
  resultDisplay: ToolResultDisplay | undefined;
  error?: { message: string };
  /** E.g. `policy_violation`, `invalid_tool_params`. */
  errorType?: string;
}

export interface ChatCompressionInfo {
  originalTokenCount: number;
  newTokenCount: number;
  compressionStatus: CompressionStatus;
}

export interface UsageMetadata {
  promptTokenCount: number;
  candidatesTokenCount: number;
  cachedContentTokenCount: number;
  thoughtsTokenCount: number;
  toolUsePromptTokenCount: number;
  totalTokenCount: number;
}

interface ExecutionEnd {
  /** What the stopping hook tells the user, else its reason. */
  reason: string;
  /** What another hook told the user before. */
  systemMessage?: string;
  /** The hook has emptied the conversation. */
  contextCleared?: boolean;
}

export type AgentStreamEvent =
  | { type: 'content'; value: string }
  | { type: 'thought'; value: { subject: string; description: string } }
  | { type: 'tool_call_request'; value: ToolCallRequestInfo }
  /** `onApproval` is asked. */
  | { type: 'tool_call_confirmation'; value: { request: ToolCallRequestInfo; details: ConfirmationDetails } }
  | { type: 'tool_call_response'; value: ToolCallResponseInfo }
  | { type: 'subagent_activity'; value: SubagentActivityEvent }
  | { type: 'citation'; value: string }
  /** The model that answers; once, and when it changes. */
  | { type: 'model_info'; value: string }
  | { type: 'chat_compressed'; value: ChatCompressionInfo }
  /** One model request has ended. */
  | { type: 'finished'; value: { reason: string; usageMetadata: UsageMetadata } }
  /** A request is made again: text of this model turn may be repeated. */
  | { type: 'retry' }
  | { type: 'loop_detected' }
  | { type: 'max_session_turns' }
  | { type: 'user_cancelled' }
  | {
      type: 'context_window_will_overflow';
      value: { estimatedRequestTokenCount: number; remainingTokenCount: number };
    }
  | { type: 'invalid_stream'; value: { type: string; message: string } }
  | { type: 'agent_execution_stopped'; value: ExecutionEnd }
  | { type: 'agent_execution_blocked'; value: ExecutionEnd }
  /** Something did not work; the prompt continues. */
  | { type: 'warning'; value: { message: string } }
  /** The last event of a prompt that failed. */
  | { type: 'error'; value: { error: { message: string; status?: number } } };

export type FinishReason = 'stop' | 'cancelled' | 'max_turns' | 'blocked' | 'stopped_by_hook' | 'error';

export interface SendResult {
  /** The text of the last model turn. */
  text: string;
  sessionId: string;
  stats: SessionStats;
  finishReason: FinishReason;
  toolCalls: ToolCallSummary[];
}

/** Of this prompt: tokens by model, tool calls, cost where the prices are known. */
export type SessionStats = StreamStats;

export interface ToolCallSummary {
  callId: string;
  name: string;
  args: Record<string, unknown>;
  status: 'success' | 'error' | 'cancelled';
  durationMs: number;
  error?: string;
}
