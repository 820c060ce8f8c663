/** The stream of `GeminiClient.sendMessageStream`: `AgentEventBody` under the names that programs know from Gemini CLI. */
import type { AgentEventBody, ErrorInfo } from '../../protocol/agent-events.js';
import type { CompletedToolCall, ToolCallRequest } from '../../protocol/tool-calls.js';
import { LOOP_DETECTED } from '../loops/answers.js';

export type TurnEvent =
  | { type: 'text'; content: string }
  | { type: 'tool_call'; request: ToolCallRequest }
  | { type: 'tool_call_response'; call: CompletedToolCall }
  | { type: 'thought'; subject: string; description: string }
  | { type: 'citation'; text: string }
  | { type: 'retry'; attempt: number; maxAttempts: number; delayMs: number }
  | { type: 'model_info'; model: string }
  | { type: 'finished'; reason: string }
  | { type: 'loop_detected' }
  | Extract<AgentEventBody, { type: 'chat_compressed' | 'context_window_will_overflow' }>
  | { type: 'error'; error: ErrorInfo };

export function toTurnEvent(event: AgentEventBody): TurnEvent | undefined {
  switch (event.type) {
    case 'content':
      return { type: 'text', content: event.text };
    case 'tool_requested':
      return { type: 'tool_call', request: event.request };
    case 'tool_finished':
      return { type: 'tool_call_response', call: event.call };
    case 'model_turn_started':
      return { type: 'model_info', model: event.model };
    case 'model_turn_finished':
      return { type: 'finished', reason: event.reason };
    case 'retry': {
      const { attempt, maxAttempts, delayMs } = event;
      return { type: 'retry', attempt, maxAttempts, delayMs };
    }
    case 'warning':
      return event.code === LOOP_DETECTED ? { type: 'loop_detected' } : undefined;
    case 'thought':
    case 'citation':
    case 'chat_compressed':
    case 'context_window_will_overflow':
      return event;
    case 'error':
      return { type: 'error', error: event.error };
    default:
      return undefined;
  }
}
