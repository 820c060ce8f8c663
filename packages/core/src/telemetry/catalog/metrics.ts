/** Every metric: kind, unit, attributes. The single source for types, descriptors and tests. */
import type { AttributeValue } from '../record.js';

interface MetricDefinition {
  kind: 'counter' | 'histogram';
  unit: string;
  description: string;
  attributes: readonly string[];
  /** Bucket boundaries, where the default ones do not fit. */
  boundaries?: readonly number[];
}

const ROUTING = ['routing.decision_source', 'routing.approval_mode'] as const;
const GEN_AI = [
  'gen_ai.operation.name',
  'gen_ai.provider.name',
  'gen_ai.token.type',
  'gen_ai.request.model',
  'gen_ai.response.model',
  'server.address',
  'server.port',
  'error.type',
] as const;
/** Each metric has those that its event is about. */
const BROWSER = [
  'session_mode',
  'headless',
  'success',
  'error_type',
  'tool_name',
  'enabled',
  'disabled_reason',
  'vision_enabled',
] as const;
const HOOK = ['hook_event_name', 'hook_name', 'success'] as const;

export const METRICS = {
  'gemini_cli.session.count': counter('Sessions started.', []),
  'gemini_cli.chat.invalid_chunk.count': counter('Answers of the model that could not be used.', []),
  'gemini_cli.chat.content_retry.count': counter('Requests repeated because of an unusable answer.', []),
  'gemini_cli.chat.content_retry_failure.count': counter('Requests given up after unusable answers.', []),
  'gemini_cli.ui.flicker.count': counter('Frames taller than the terminal.', []),
  'gemini_cli.exit.fail.count': counter('Exits that went wrong.', []),
  'gemini_cli.onboarding.start': counter('First sign-ins begun.', []),
  'gemini_cli.tool.call.count': counter('Tool calls.', ['function_name', 'success', 'decision', 'tool_type']),
  'gemini_cli.tool.call.latency': histogram('ms', 'Time a tool call took.', ['function_name']),
  'gemini_cli.api.request.count': counter('Requests to models.', ['model', 'status_code', 'error_type']),
  'gemini_cli.api.request.latency': histogram('ms', 'Time a request to a model took.', ['model']),
  'gemini_cli.token.usage': counter('Tokens used.', ['model', 'type']),
  'gemini_cli.file.operation.count': counter('Files created, read, updated.', [
    'operation',
    'lines',
    'mimetype',
    'extension',
    'programming_language',
  ]),
  'gemini_cli.lines.changed': counter('Lines added and removed.', ['function_name', 'type']),
  'gemini_cli.chat_compression': counter('Compressed conversations.', ['tokens_before', 'tokens_after']),
  'gemini_cli.network_retry.count': counter('Requests repeated after a network or server failure.', [
    'model',
    'attempt',
  ]),
  'gemini_cli.slash_command.model.call_count': counter('Uses of /model.', ['slash_command.model.model_name']),
  'gemini_cli.model_routing.latency': histogram('ms', 'Time to choose a model.', [
    'routing.decision_model',
    ...ROUTING,
  ]),
  'gemini_cli.model_routing.failure.count': counter('Failed choices of a model.', [
    'routing.error_message',
    ...ROUTING,
  ]),
  'gemini_cli.agent.run.count': counter('Runs of sub-agents.', ['agent_name', 'terminate_reason']),
  'gemini_cli.agent.duration': histogram('ms', 'Time a sub-agent ran.', ['agent_name']),
  'gemini_cli.agent.turns': histogram('turns', 'Turns a sub-agent took.', ['agent_name']),
  'gemini_cli.agent.recovery_attempt.count': counter('Last turns of sub-agents at a limit.', [
    'agent_name',
    'reason',
    'success',
  ]),
  'gemini_cli.agent.recovery_attempt.duration': histogram('ms', 'Time of a last turn.', ['agent_name']),
  'gemini_cli.browser_agent.connection.duration': histogram('ms', 'Time to open the browser.', BROWSER),
  'gemini_cli.browser_agent.connection.failure.count': counter('Browsers that did not open.', BROWSER),
  'gemini_cli.browser_agent.tools.discovered': histogram('tools', 'Tools of the browser agent.', BROWSER),
  'gemini_cli.browser_agent.vision.status': counter('Tasks with and without a visual model.', BROWSER),
  'gemini_cli.browser_agent.task.outcome': counter('Tasks in the browser.', BROWSER),
  'gemini_cli.browser_agent.task.duration': histogram('ms', 'Time of a task in the browser.', BROWSER),
  'gemini_cli.browser_agent.cleanup.duration': histogram('ms', 'Time to close the browser.', BROWSER),
  'gemini_cli.browser_agent.cleanup.failure.count': counter('Browsers that did not close.', BROWSER),
  'gemini_cli.hook_call.count': counter('Hook calls.', HOOK),
  'gemini_cli.hook_call.latency': histogram('ms', 'Time a hook took.', HOOK),
  'gemini_cli.plan.execution.count': counter('Plans carried out.', ['approval_mode']),
  'gemini_cli.keychain.availability.count': counter('Checks of the keychain.', ['available']),
  'gemini_cli.token_storage.type.count': counter('Token stores opened.', ['type', 'forced']),
  'gemini_cli.overage_option.count': counter('Choices in the overage menu.', ['selected_option', 'model']),
  'gemini_cli.credit_purchase.count': counter('Ways taken to buy credits.', ['source', 'model']),
  'gemini_cli.onboarding.success': counter('First sign-ins completed.', ['user_tier']),
  'gemini_cli.onboarding.duration': histogram('ms', 'Time the first sign-in took.', ['user_tier']),
  'gemini_cli.startup.duration': histogram('ms', 'Time of a phase of the start.', ['phase', 'details']),
  'gemini_cli.memory.usage': histogram('bytes', 'Memory in use.', ['memory_type', 'component'], {
    boundaries: powers(2 ** 20, 2, 13),
  }),
  'gemini_cli.cpu.usage': histogram('percent', 'Share of one processor in use.', ['component']),
  'gemini_cli.event_loop.delay': histogram('ms', 'Delay of the event loop.', ['percentile', 'component']),
  'gemini_cli.tool.queue.depth': histogram('calls', 'Tool calls waiting.', []),
  'gemini_cli.tool.execution.breakdown': histogram('ms', 'Time of a phase of a tool call.', [
    'function_name',
    'phase',
  ]),
  'gemini_cli.api.request.breakdown': histogram('ms', 'Time of a phase of a request.', ['model', 'phase']),
  'gemini_cli.token.efficiency': histogram('ratio', 'How well tokens are used.', [
    'model',
    'metric',
    'context',
  ]),
  'gemini_cli.ui.slow_render.latency': histogram('ms', 'Time of a slow frame.', []),
  'gen_ai.client.token.usage': histogram('{token}', 'Tokens of one model call.', GEN_AI, {
    boundaries: powers(1, 4, 14),
  }),
  'gen_ai.client.operation.duration': histogram('s', 'Time of one model call.', GEN_AI, {
    boundaries: powers(0.01, 2, 14),
  }),
} as const satisfies Record<string, MetricDefinition>;

type Metrics = typeof METRICS;

export type MetricName = keyof Metrics;
export type CounterName = { [N in MetricName]: Metrics[N]['kind'] extends 'counter' ? N : never }[MetricName];
export type HistogramName = Exclude<MetricName, CounterName>;
export type MetricAttributes<N extends MetricName> = {
  readonly [A in Metrics[N]['attributes'][number]]?: AttributeValue;
};

export function metricDefinition(name: MetricName): MetricDefinition {
  return METRICS[name];
}

function counter<const A extends readonly string[]>(description: string, attributes: A) {
  return { kind: 'counter', unit: '1', description, attributes } as const;
}

function histogram<const A extends readonly string[]>(
  unit: string,
  description: string,
  attributes: A,
  extra: { boundaries?: readonly number[] } = {},
) {
  return { kind: 'histogram', unit, description, attributes, ...extra } as const;
}

/** `first`, `first * factor`, … */
function powers(first: number, factor: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first * factor ** index);
}
