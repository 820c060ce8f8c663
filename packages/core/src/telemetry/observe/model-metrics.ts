/** Records the counts, times and tokens of one finished model call. */
import type { UsageMetadata } from '../../model/content-generator.js';
import type { MetricAttributes } from '../catalog/metrics.js';
import type { TelemetryRecorder } from '../record.js';
import type { Failure } from './failure.js';

export interface ModelOutcome {
  model: string;
  durationMs: number;
  /** Until the first piece of the answer. */
  waitedMs: number;
  usage: UsageMetadata;
  failure?: Failure;
}

export function recordModelMetrics(
  recorder: TelemetryRecorder,
  outcome: ModelOutcome,
  role: string,
  identity: MetricAttributes<'gen_ai.client.operation.duration'>,
): void {
  const { model, durationMs, waitedMs, usage, failure } = outcome;
  recorder.count('gemini_cli.api.request.count', 1, {
    model,
    status_code: failure ? failure.status : 200,
    error_type: failure?.type,
  });
  recorder.histogram('gemini_cli.api.request.latency', durationMs, { model });
  recorder.histogram('gen_ai.client.operation.duration', durationMs / 1000, {
    ...identity,
    'error.type': failure?.type,
  });
  if (failure) return;
  const breakdown = { network_latency: waitedMs, response_processing: durationMs - waitedMs };
  for (const [phase, ms] of Object.entries(breakdown)) {
    recorder.histogram('gemini_cli.api.request.breakdown', ms, { model, phase });
  }
  recordTokens(recorder, model, usage);
  const { promptTokenCount: input, candidatesTokenCount: output, cachedContentTokenCount: cached } = usage;
  if (input) {
    const attributes = { model, metric: 'cache_hit_rate', context: role };
    recorder.histogram('gemini_cli.token.efficiency', (cached ?? 0) / input, attributes);
  }
  for (const [type, count] of Object.entries({ input, output })) {
    if (count === undefined) continue;
    recorder.histogram('gen_ai.client.token.usage', count, { ...identity, 'gen_ai.token.type': type });
  }
}

function recordTokens(recorder: TelemetryRecorder, model: string, usage: UsageMetadata): void {
  const counts = {
    input: usage.promptTokenCount,
    output: usage.candidatesTokenCount,
    thought: usage.thoughtsTokenCount,
    cache: usage.cachedContentTokenCount,
    tool: usage.toolUsePromptTokenCount,
  };
  for (const [type, count] of Object.entries(counts)) {
    if (count) recorder.count('gemini_cli.token.usage', count, { model, type });
  }
}
