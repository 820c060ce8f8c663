/** What happened in a run, read from the program's `stream-json` output. */
import type { StreamEvent } from '../packages/test-utils/src/running-cli.js';

export interface ToolCall {
  tool: string;
  args: Record<string, unknown>;
  status: 'success' | 'error' | 'unfinished';
}

export interface RunError {
  /** As the program reports it, e.g. `INVALID_STREAM`. */
  type: string;
  message: string;
}

export interface Transcript {
  /** Text of the last turn. */
  answer: string;
  /** All text of the model. */
  said: string;
  calls: ToolCall[];
  /** Answers of the model. */
  turns: number;
  tokens: number;
  /** Undefined when the price of the model is unknown. */
  cost: number | undefined;
  /** Why the program ended before the model did. */
  error: RunError | undefined;
}

export function readTranscript(events: readonly StreamEvent[]): Transcript {
  const turns: string[] = [''];
  const calls = new Map<unknown, ToolCall>();
  let isAfterResult = false;
  for (const event of events) {
    const isModel = event.type === 'tool_use' || (event.type === 'message' && event['role'] === 'assistant');
    if (isModel && isAfterResult) turns.push('');
    if (isModel) isAfterResult = false;
    if (event.type === 'tool_use') calls.set(event['tool_id'], callOf(event));
    else if (isModel) turns[turns.length - 1] += String(event['content']);
    else if (event.type === 'tool_result') {
      isAfterResult = true;
      const call = calls.get(event['tool_id']);
      if (call) call.status = event['status'] === 'success' ? 'success' : 'error';
    }
  }
  return {
    answer: turns.at(-1) ?? '',
    said: turns.join('\n'),
    calls: [...calls.values()],
    turns: turns.length,
    ...totals(events.at(-1)),
  };
}

function callOf(event: StreamEvent): ToolCall {
  return {
    tool: String(event['tool_name']),
    args: (event['parameters'] ?? {}) as Record<string, unknown>,
    status: 'unfinished',
  };
}

interface ResultFields {
  stats?: { total_tokens?: number; cost_usd?: number };
  error?: RunError;
}

const NO_RESULT: RunError = { type: 'NO_RESULT', message: 'The program gave no result.' };

function totals(last: StreamEvent | undefined): Pick<Transcript, 'tokens' | 'cost' | 'error'> {
  if (last?.type !== 'result') return { tokens: 0, cost: undefined, error: NO_RESULT };
  const { stats, error } = last as ResultFields;
  return { tokens: stats?.total_tokens ?? 0, cost: stats?.cost_usd, error };
}
