import { describe, expect, it } from 'vitest';
import type { AgentEventBody } from '../../protocol/agent-events.js';
import type { CompletedToolCall } from '../../protocol/tool-calls.js';
import { emptyMetrics, recordMetrics } from './session-metrics.js';
import { toStreamStats } from './stream-stats.js';

const usage = { prompt: 100, candidates: 20, cached: 30, thoughts: 5, tool: 2, total: 127 };
const noDecisions = { accept: 0, reject: 0, modify: 0, auto_accept: 0 };

function record(...events: AgentEventBody[]) {
  const metrics = emptyMetrics();
  for (const event of events) recordMetrics(metrics, event);
  return metrics;
}

function finished(overrides: Partial<CompletedToolCall>): AgentEventBody {
  const request = { callId: 'c', name: 'replace', args: {}, promptId: 'p' };
  const response = { callId: 'c', responseParts: [] };
  return {
    type: 'tool_finished',
    call: { request, response, status: 'success', durationMs: 10, decision: 'accept', ...overrides },
  };
}

describe('model statistics', () => {
  it('count requests, failures and tokens per model and per role', () => {
    const metrics = record(
      { type: 'usage', model: 'm', role: 'main', usage, latencyMs: 50 },
      { type: 'usage', model: 'm', role: 'subagent', usage, latencyMs: 20 },
      {
        type: 'api_failure',
        model: 'm',
        role: 'main',
        latencyMs: 7,
        error: { type: 'ApiError', message: 'x' },
        cause: 'request',
        errorType: 'ApiError',
        attempt: 1,
        isFinal: false,
      },
      {
        type: 'api_failure',
        model: 'm',
        role: 'main',
        latencyMs: 3,
        error: { type: 'ApiError', message: 'y' },
        cause: 'request',
        errorType: 'ApiError',
        attempt: 1,
        isFinal: false,
      },
    );
    const once = { input: 70, prompt: 100, candidates: 20, total: 127, cached: 30, thoughts: 5, tool: 2 };
    expect(metrics.models).toEqual({
      m: {
        api: { totalRequests: 4, totalErrors: 2, totalLatencyMs: 80, errorsByType: { ApiError: 2 } },
        tokens: { input: 140, prompt: 200, candidates: 40, total: 254, cached: 60, thoughts: 10, tool: 4 },
        roles: {
          main: { totalRequests: 3, totalErrors: 2, totalLatencyMs: 60, tokens: once },
          subagent: { totalRequests: 1, totalErrors: 0, totalLatencyMs: 20, tokens: once },
        },
      },
    });
  });

  it('never count negative input tokens', () => {
    const metrics = record({
      type: 'usage',
      model: 'm',
      role: 'main',
      usage: { ...usage, prompt: 10, cached: 30 },
      latencyMs: 1,
    });
    expect(metrics.models['m']?.tokens.input).toBe(0);
  });

  it('accept any model name', () => {
    const metrics = record({ type: 'usage', model: '__proto__', role: 'constructor', usage, latencyMs: 1 });
    expect(Object.keys(metrics.models)).toEqual(['__proto__']);
    expect(JSON.stringify(metrics.models)).toContain('"roles":{"constructor":{"totalRequests":1,');
    expect(({} as Record<string, unknown>)['api']).toBeUndefined();
  });
});

describe('tool and file statistics', () => {
  it('count calls, decisions, time and changed lines', () => {
    const diffStat = {
      model_added_lines: 3,
      model_removed_lines: 1,
      model_added_chars: 30,
      model_removed_chars: 10,
      user_added_lines: 2,
      user_removed_lines: 4,
      user_added_chars: 0,
      user_removed_chars: 0,
    };
    const diff = {
      fileDiff: '',
      fileName: 'a',
      filePath: '/a',
      originalContent: '',
      newContent: '',
      diffStat,
    };
    const metrics = record(
      finished({ response: { callId: 'c', responseParts: [], resultDisplay: diff } }),
      finished({ status: 'error', decision: 'reject', durationMs: 1 }),
      finished({ status: 'cancelled', decision: 'reject', durationMs: 1 }),
      finished({ request: { callId: 'd', name: 'glob', args: {}, promptId: 'p' }, decision: 'auto_accept' }),
    );
    expect(metrics.tools).toEqual({
      totalCalls: 4,
      totalSuccess: 2,
      totalFail: 2,
      totalDurationMs: 22,
      totalDecisions: { ...noDecisions, accept: 1, reject: 2, auto_accept: 1 },
      byName: {
        replace: {
          count: 3,
          success: 1,
          fail: 2,
          durationMs: 12,
          decisions: { ...noDecisions, accept: 1, reject: 2 },
        },
        glob: {
          count: 1,
          success: 1,
          fail: 0,
          durationMs: 10,
          decisions: { ...noDecisions, auto_accept: 1 },
        },
      },
    });
    expect(metrics.files).toEqual({ totalLinesAdded: 5, totalLinesRemoved: 5 });
  });
});

describe('toStreamStats', () => {
  it('sums over the models', () => {
    const metrics = record(
      { type: 'usage', model: 'a', role: 'main', usage, latencyMs: 1 },
      { type: 'usage', model: 'b', role: 'main', usage, latencyMs: 1 },
      finished({}),
    );
    const one = { total_tokens: 127, input_tokens: 100, output_tokens: 20, cached: 30, input: 70 };
    expect(toStreamStats(metrics, 99)).toEqual({
      total_tokens: 254,
      input_tokens: 200,
      output_tokens: 40,
      cached: 60,
      input: 140,
      duration_ms: 99,
      tool_calls: 1,
      models: { a: one, b: one },
    });
  });

  it('contains the cost when it is known', () => {
    expect(toStreamStats({ ...record(), cost_usd: 0.25 }, 1).cost_usd).toBe(0.25);
    expect(toStreamStats(record(), 1)).not.toHaveProperty('cost_usd');
  });
});
