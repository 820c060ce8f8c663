/** The items of the output format `stream-json`: the lines of `gemini --output-format stream-json` as objects. */
import { FatalTurnLimitedError, INVALID_STREAM } from '../base/errors.js';
import type { AgentEvent, AgentEventBody, ErrorInfo } from '../protocol/agent-events.js';
import type { CompletedToolCall } from '../protocol/tool-calls.js';
import type { StreamStats } from '../telemetry/observe/stream-stats.js';

/** Every item has `timestamp`, ISO 8601. */
export type StreamJsonItem = { timestamp: string } & StreamJsonBody;

export type StreamJsonBody =
  | { type: 'init'; session_id: string; model: string }
  | { type: 'message'; role: 'user' | 'assistant'; content: string; delta?: true }
  | { type: 'tool_use'; tool_name: string; tool_id: string; parameters: Record<string, unknown> }
  | ({ type: 'tool_result' } & StreamToolResult)
  | {
      type: 'error';
      severity: 'warning' | 'error';
      message: string;
      /** Set when the model changes. */
      from?: string | undefined;
      to?: string | undefined;
      reason?: string | undefined;
    }
  /** The work of a sub-agent: readers that know only the conversation skip it. */
  | {
      type: 'agent';
      agent: { id: string; name: string; parent_id?: string };
      event: string;
      [field: string]: unknown;
    }
  | {
      type: 'result';
      status: 'success' | 'error';
      error?: { type: string; message: string } | undefined;
      stats?: StreamStats | undefined;
    };

export interface StreamToolResult {
  tool_id: string;
  status: 'success' | 'error';
  output?: string | undefined;
  error?: { type: string; message: string } | undefined;
}

/** Failures that are also reported as an `error` item before the result. */
const REPORTED_ERRORS: ReadonlySet<string> = new Set([FatalTurnLimitedError.type, INVALID_STREAM]);

export function streamItem(body: StreamJsonBody, now = Date.now()): StreamJsonItem {
  const { type, ...fields } = body;
  return { type, timestamp: new Date(now).toISOString(), ...fields } as StreamJsonItem;
}

/** The item of an event of the conversation; undefined: the format has none for it. */
export function streamJsonOf(event: AgentEventBody): StreamJsonBody | undefined {
  switch (event.type) {
    case 'content':
      return { type: 'message', role: 'assistant', content: event.text, delta: true };
    case 'tool_requested': {
      const { name, callId, args } = event.request;
      return { type: 'tool_use', tool_name: name, tool_id: callId, parameters: args };
    }
    case 'tool_finished':
      return { type: 'tool_result', ...streamToolResult(event.call) };
    case 'hook_message': {
      const { level, name, message } = event;
      return level === 'info'
        ? undefined
        : { type: 'error', severity: level, message: `${name}: ${message}` };
    }
    case 'warning': {
      const { message, from, to, reason } = event;
      return { type: 'error', severity: 'warning', message, from, to, reason };
    }
    case 'retry': {
      if (!event.discardsOutput) return undefined;
      const message = `${event.message} The text of this model turn so far is void.`;
      return { type: 'error', severity: 'warning', message };
    }
    default:
      return undefined;
  }
}

/** The item of an event of a sub-agent. */
export function streamJsonOfAgent({
  agent: { id, name, parentId },
  ...event
}: AgentEvent): StreamJsonBody | undefined {
  const agent = { id, name, ...(parentId !== undefined && { parent_id: parentId }) };
  const item = (what: string, fields: Record<string, unknown>): StreamJsonBody => ({
    type: 'agent',
    agent,
    event: what,
    ...fields,
  });
  switch (event.type) {
    case 'agent_started':
      return item('started', { transcript: event.agentId, tool_id: event.callId });
    case 'tool_requested': {
      const { name: tool_name, callId: tool_id, args: parameters } = event.request;
      return item('tool_use', { tool_name, tool_id, parameters });
    }
    case 'tool_finished':
      return item('tool_result', { ...streamToolResult(event.call) });
    case 'warning':
      return item('error', { severity: 'warning', message: event.message });
    case 'error':
      return item('error', { severity: 'error', message: event.error.message });
    case 'agent_finished': {
      const { terminateReason, turnCount, durationMs } = event;
      return item('finished', {
        terminate_reason: terminateReason,
        turn_count: turnCount,
        duration_ms: durationMs,
      });
    }
    default:
      return undefined;
  }
}

/** The last items of a run. */
export function streamJsonEnd(error: ErrorInfo | undefined, stats: StreamStats): StreamJsonBody[] {
  const reported: StreamJsonBody[] =
    error && REPORTED_ERRORS.has(error.type)
      ? [{ type: 'error', severity: 'error', message: error.message }]
      : [];
  return [
    ...reported,
    {
      type: 'result',
      status: error ? 'error' : 'success',
      error: error && { type: error.type, message: error.message },
      stats,
    },
  ];
}

function streamToolResult({ status, response }: CompletedToolCall): StreamToolResult {
  const { callId, resultDisplay, error } = response;
  const failed = status !== 'success';
  const message = error?.message ?? (status === 'cancelled' ? 'The call was cancelled.' : 'The call failed.');
  return {
    tool_id: callId,
    status: failed ? 'error' : 'success',
    output: outputOf(resultDisplay),
    error: failed ? { type: error?.type ?? 'TOOL_EXECUTION_ERROR', message } : undefined,
  };
}

function outputOf(display: CompletedToolCall['response']['resultDisplay']): string | undefined {
  if (typeof display === 'string') return display;
  return typeof display === 'object' && 'isSubagentProgress' in display ? display.result : undefined;
}
