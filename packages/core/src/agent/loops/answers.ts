/** What is said about a loop: to the model, to the user, and as the result of calls that do not run. */
import type { AgentEventBody } from '../../protocol/agent-events.js';
import type { Message } from '../../protocol/messages.js';
import type { CompletedToolCall, ToolCallRequest } from '../../protocol/tool-calls.js';
import type { LoopFinding } from '../loop-detection.js';
import { cancelledResponse } from '../scheduler/tool-response.js';
import correction from './correction.md';

/** The code of the warning that ends a prompt. */
export const LOOP_DETECTED = 'loop_detected';

/** The one hint the model gets. */
export function correctionFor({ detail }: LoopFinding): Message {
  const text = correction.trim().replace(/\$\{detail\}/, () => detail);
  return { role: 'user', origin: 'correction', parts: [{ text }] };
}

export function warningFor({ type, detail, count }: LoopFinding): AgentEventBody {
  const message = `Loop detected: ${detail}. The model was warned once and kept going, so this turn was stopped. To disable this check, set model.disableLoopDetection in settings.json.`;
  return { type: 'warning', code: LOOP_DETECTED, message, loop: { type, count } };
}

export function notRun(request: ToolCallRequest, displayName: string | undefined): CompletedToolCall {
  const response = cancelledResponse(request, 'Skipped: part of a loop.');
  return {
    request,
    status: 'cancelled',
    response,
    durationMs: 0,
    decision: 'auto_accept',
    ...(displayName && { displayName }),
  };
}
