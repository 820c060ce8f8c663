/** `toToolResult()`: the result of a tool call, apart from how the engine reports it. */
import type { Part } from '@gemini-cli/core/protocol';
import type { AgentStreamEvent, StreamJsonItem } from './types.js';

export interface ToolResultView {
  tool_call_id: string;
  result: {
    success: boolean;
    /** What the model was told. */
    data?: unknown;
    error?: string;
  };
}

/** Of an event in either format; undefined for events that are not the result of a call. */
export function toToolResult(event: AgentStreamEvent | StreamJsonItem): ToolResultView | undefined {
  if (event.type === 'tool_result') {
    const { tool_id, status, output, error } = event;
    return view(tool_id, output, status === 'error' ? (error?.message ?? 'The call failed.') : undefined);
  }
  if (event.type !== 'tool_call_response') return undefined;
  const { callId, responseParts, error } = event.value;
  return view(callId, dataOf(responseParts), error?.message);
}

function view(id: string, data: unknown, error: string | undefined): ToolResultView {
  if (error !== undefined) return { tool_call_id: id, result: { success: false, error } };
  return { tool_call_id: id, result: { success: true, ...(data !== undefined && { data }) } };
}

/** The text of the response, parsed where it is JSON; else its parts. */
function dataOf(parts: readonly Part[]): unknown {
  const response = parts.find((part) => part.functionResponse)?.functionResponse?.response;
  const output = response?.['output'];
  if (typeof output !== 'string') return response ?? parts;
  try {
    return JSON.parse(output);
  } catch {
    return output;
  }
}
