/** Converts session statistics to the shorter ones of the `stream-json` result line. */
import type { SessionMetrics, TokenCounts } from './session-metrics.js';

interface StreamTokens {
  total_tokens: number;
  input_tokens: number;
  output_tokens: number;
  cached: number;
  input: number;
}

export interface StreamStats extends StreamTokens {
  duration_ms: number;
  tool_calls: number;
  models: Record<string, StreamTokens>;
  /** By name; absent when no sub-agent was used. */
  agents?: Record<string, StreamTokens & { runs: number; tool_calls: number }>;
  /** Only when the price of every model used is known. */
  cost_usd?: number;
}

export function toStreamStats(metrics: SessionMetrics, durationMs: number): StreamStats {
  const models = Object.fromEntries(
    Object.entries(metrics.models).map(([name, { tokens }]) => [name, streamTokens(tokens)]),
  );
  const sum = { total_tokens: 0, input_tokens: 0, output_tokens: 0, cached: 0, input: 0 };
  for (const tokens of Object.values(models)) {
    sum.total_tokens += tokens.total_tokens;
    sum.input_tokens += tokens.input_tokens;
    sum.output_tokens += tokens.output_tokens;
    sum.cached += tokens.cached;
    sum.input += tokens.input;
  }
  const { tools, cost_usd, agents } = metrics;
  const byAgent = Object.entries(agents ?? {}).map(([name, { runs, toolCalls, tokens }]) => [
    name,
    { runs, tool_calls: toolCalls, ...streamTokens(tokens) },
  ]);
  return {
    ...sum,
    duration_ms: durationMs,
    tool_calls: tools.totalCalls,
    models,
    ...(byAgent.length > 0 && { agents: Object.fromEntries(byAgent) }),
    ...(cost_usd !== undefined && { cost_usd }),
  };
}

function streamTokens(tokens: TokenCounts): StreamTokens {
  return {
    total_tokens: tokens.total,
    input_tokens: tokens.prompt,
    output_tokens: tokens.candidates,
    cached: tokens.cached,
    input: tokens.input,
  };
}
