/** Counts session statistics from events, for the `stats` of headless runs and `/stats`. */
import { type AgentEventBody, type AgentRef, isMainAgent } from '../../protocol/agent-events.js';
import type { TokenUsage } from '../../protocol/messages.js';
import type { CompletedToolCall, ToolDecision } from '../../protocol/tool-calls.js';

export interface TokenCounts {
  /** Prompt tokens that did not come from a cache. */
  input: number;
  prompt: number;
  candidates: number;
  total: number;
  cached: number;
  thoughts: number;
  tool: number;
}

export interface RoleMetrics {
  totalRequests: number;
  totalErrors: number;
  totalLatencyMs: number;
  tokens: TokenCounts;
}

export interface ModelMetrics {
  api: {
    totalRequests: number;
    totalErrors: number;
    totalLatencyMs: number;
    errorsByType?: Record<string, number>;
  };
  tokens: TokenCounts;
  roles: Record<string, RoleMetrics>;
}

export type DecisionCounts = Record<ToolDecision, number>;

export interface ToolMetrics {
  count: number;
  success: number;
  fail: number;
  durationMs: number;
  decisions: DecisionCounts;
}

/** Of all runs of one sub-agent; they are counted in the other numbers, too. */
export interface AgentMetrics {
  runs: number;
  requests: number;
  toolCalls: number;
  tokens: TokenCounts;
}

export interface SessionMetrics {
  models: Record<string, ModelMetrics>;
  tools: {
    totalCalls: number;
    totalSuccess: number;
    totalFail: number;
    totalDurationMs: number;
    totalDecisions: DecisionCounts;
    byName: Record<string, ToolMetrics>;
  };
  files: { totalLinesAdded: number; totalLinesRemoved: number };
  /** By name; absent when no sub-agent was used. */
  agents?: Record<string, AgentMetrics>;
  /** Only when the price of every model used is known. */
  cost_usd?: number;
}

export function emptyMetrics(): SessionMetrics {
  return {
    models: {},
    tools: {
      totalCalls: 0,
      totalSuccess: 0,
      totalFail: 0,
      totalDurationMs: 0,
      totalDecisions: noDecisions(),
      byName: {},
    },
    files: { totalLinesAdded: 0, totalLinesRemoved: 0 },
  };
}

export function recordMetrics(metrics: SessionMetrics, event: AgentEventBody & { agent?: AgentRef }): void {
  if (event.agent && !isMainAgent(event.agent)) recordAgent(metrics, event, event.agent.name);
  switch (event.type) {
    case 'usage':
      recordUsage(metrics, event);
      break;
    case 'api_failure':
      recordFailure(metrics, event);
      break;
    case 'tool_finished':
      recordCall(metrics, event.call);
      break;
  }
}

function recordAgent(metrics: SessionMetrics, event: AgentEventBody, name: string): void {
  if (event.type !== 'usage' && event.type !== 'tool_finished' && event.type !== 'agent_finished') return;
  metrics.agents ??= {};
  const agent = entryOf(metrics.agents, name, () => ({
    runs: 0,
    requests: 0,
    toolCalls: 0,
    tokens: noTokens(),
  }));
  if (event.type === 'agent_finished') agent.runs++;
  else if (event.type === 'tool_finished') agent.toolCalls++;
  else {
    agent.requests++;
    addTokens(agent.tokens, event.usage);
  }
}

function recordUsage(metrics: SessionMetrics, event: Extract<AgentEventBody, { type: 'usage' }>): void {
  const model = modelOf(metrics, event.model);
  const role = roleOf(model, event.role);
  for (const counter of [model.api, role]) {
    counter.totalRequests++;
    counter.totalLatencyMs += event.latencyMs;
  }
  addTokens(model.tokens, event.usage);
  addTokens(role.tokens, event.usage);
}

function recordFailure(
  metrics: SessionMetrics,
  event: Extract<AgentEventBody, { type: 'api_failure' }>,
): void {
  const model = modelOf(metrics, event.model);
  for (const counter of [model.api, roleOf(model, event.role)]) {
    counter.totalRequests++;
    counter.totalErrors++;
    counter.totalLatencyMs += event.latencyMs;
  }
  model.api.errorsByType ??= {};
  const byType = model.api.errorsByType;
  byType[event.error.type] = (byType[event.error.type] ?? 0) + 1;
}

function recordCall({ tools, files }: SessionMetrics, call: CompletedToolCall): void {
  const tool = entryOf(tools.byName, call.request.name, noCalls);
  const succeeded = call.status === 'success';
  tools.totalCalls++;
  tool.count++;
  tools.totalDurationMs += call.durationMs;
  tool.durationMs += call.durationMs;
  tools.totalDecisions[call.decision]++;
  tool.decisions[call.decision]++;
  if (succeeded) {
    tools.totalSuccess++;
    tool.success++;
  } else {
    tools.totalFail++;
    tool.fail++;
  }
  const display = call.response.resultDisplay;
  if (!succeeded || typeof display !== 'object' || !('diffStat' in display) || !display.diffStat) return;
  files.totalLinesAdded += display.diffStat.model_added_lines + display.diffStat.user_added_lines;
  files.totalLinesRemoved += display.diffStat.model_removed_lines + display.diffStat.user_removed_lines;
}

function addTokens(counts: TokenCounts, usage: TokenUsage): void {
  counts.prompt += usage.prompt;
  counts.candidates += usage.candidates;
  counts.total += usage.total;
  counts.cached += usage.cached;
  counts.thoughts += usage.thoughts;
  counts.tool += usage.tool;
  counts.input += Math.max(0, usage.prompt - usage.cached);
}

function modelOf(metrics: SessionMetrics, name: string): ModelMetrics {
  return entryOf(metrics.models, name, () => ({
    api: { totalRequests: 0, totalErrors: 0, totalLatencyMs: 0 },
    tokens: noTokens(),
    roles: {},
  }));
}

function roleOf(model: ModelMetrics, name: string): RoleMetrics {
  return entryOf(model.roles, name, () => ({
    totalRequests: 0,
    totalErrors: 0,
    totalLatencyMs: 0,
    tokens: noTokens(),
  }));
}

/** Names are untrusted: `__proto__` must become an ordinary entry. */
function entryOf<T>(entries: Record<string, T>, name: string, make: () => T): T {
  const known = Object.hasOwn(entries, name) ? entries[name] : undefined;
  if (known !== undefined) return known;
  const value = make();
  Object.defineProperty(entries, name, { value, enumerable: true, configurable: true, writable: true });
  return value;
}

function noTokens(): TokenCounts {
  return { input: 0, prompt: 0, candidates: 0, total: 0, cached: 0, thoughts: 0, tool: 0 };
}

function noDecisions(): DecisionCounts {
  return { accept: 0, reject: 0, modify: 0, auto_accept: 0 };
}

function noCalls(): ToolMetrics {
  return { count: 0, success: 0, fail: 0, durationMs: 0, decisions: noDecisions() };
}
