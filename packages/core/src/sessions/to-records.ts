/** Converts the engine's messages into records: function calls become tool calls, responses their results. */
import type { Content, MessageOrigin, Part } from '../protocol/messages.js';
import type { MessageRecord, ToolCallRecord } from '../protocol/session-record.js';

/** Splits an answer into content and calls; `withCalls` (reading/convert.ts) is the inverse. */
export function splitAnswer(
  parts: readonly Part[],
  timestamp: string,
): { content: Part[]; toolCalls: ToolCallRecord[] } {
  const content: Part[] = [];
  const toolCalls: ToolCallRecord[] = [];
  const firstCall = parts.findIndex(({ functionCall }) => functionCall);
  const isTrailing = firstCall < 0 || parts.slice(firstCall).every(({ functionCall }) => functionCall);
  parts.forEach((part, index) => {
    const { functionCall, thoughtSignature } = part;
    if (!functionCall) {
      content.push(part);
      return;
    }
    toolCalls.push({
      id: functionCall.id ?? `${functionCall.name}_${index}`,
      name: functionCall.name,
      args: functionCall.args,
      status: 'scheduled',
      timestamp,
      ...(thoughtSignature !== undefined && { thoughtSignature }),
      ...(!isTrailing && { partIndex: index }),
    });
  });
  return { content, toolCalls };
}

/** Assigns the responses among `parts` to their calls; returns the parts that belong to no call. */
export function takeResponses(parts: readonly Part[], calls: readonly ToolCallRecord[]): Part[] {
  let current: ToolCallRecord | undefined;
  const left: Part[] = [];
  for (const part of parts) {
    const { functionResponse } = part;
    if (functionResponse) {
      current = calls.find(
        (call) =>
          !call.result &&
          (functionResponse.id === undefined
            ? call.name === functionResponse.name
            : call.id === functionResponse.id),
      );
      if (current) {
        current.result = [part];
        current.status = 'error' in functionResponse.response ? 'error' : 'success';
        continue;
      }
    } else if (current?.result) {
      // Media and notes that a tool adds follow its response.
      current.result.push(part);
      continue;
    }
    left.push(part);
  }
  return left;
}

export interface RecordSource {
  timestamp: string;
  newId(): string;
  /** The existing record of a message; its details (thoughts, displays) are kept. */
  known?(message: Content): MessageRecord | undefined;
}

export function toRecords(
  messages: readonly (Content & { origin?: MessageOrigin })[],
  source: RecordSource,
): MessageRecord[] {
  const records: MessageRecord[] = [];
  const { timestamp } = source;
  for (const message of messages) {
    const { role, parts, origin } = message;
    const known = source.known?.(message);
    const id = known?.id ?? source.newId();
    const note = origin && origin !== 'prompt' && origin !== 'model' ? { origin } : {};
    if (role === 'model') {
      const { content, toolCalls } = splitAnswer(parts, timestamp);
      const calls = toolCalls.length > 0 && { toolCalls: withDetails(toolCalls, known?.toolCalls) };
      records.push({ timestamp, ...known, id, type: 'gemini', content, ...calls, ...note });
      continue;
    }
    const calls = records.at(-1)?.toolCalls ?? [];
    const left = takeResponses(parts, calls);
    if (left.length > 0) records.push({ timestamp, ...known, id, type: 'user', content: left, ...note });
  }
  return records;
}

function withDetails(calls: ToolCallRecord[], known: readonly ToolCallRecord[] = []): ToolCallRecord[] {
  return calls.map((call) => ({ ...known.find(({ id }) => id === call.id), ...call }));
}
