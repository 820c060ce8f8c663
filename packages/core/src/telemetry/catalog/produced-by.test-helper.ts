/**
 * How every event, metric and span is produced. `engine`: runs of the engine in `config/telemetry-runs.test.ts`;
 * `program`: runs of the built program in `integration-tests/telemetry-names.test.ts`.
 */
import type { TelemetryRecords } from '@gemini-cli/test-utils/rig';
import type { EventName } from './events.js';
import type { MetricName } from './metrics.js';
import type { SpanName } from './spans.js';

export interface Produced {
  events: readonly EventName[];
  metrics?: readonly MetricName[];
  spans?: readonly SpanName[];
}

export const ENGINE_RUNS = {
  conversation: {
    events: [
      'gemini_cli.config',
      'gemini_cli.startup_stats',
      'gemini_cli.user_prompt',
      'gemini_cli.model_routing',
      'gemini_cli.api_request',
      'gemini_cli.api_response',
      'gen_ai.client.inference.operation.details',
      'gemini_cli.tool_call',
      'gemini_cli.tool_output_truncated',
      'gemini_cli.file_operation',
      'gemini_cli.edit_strategy',
      'gemini_cli.hook_call',
      'gemini_cli.conversation_finished',
    ],
    metrics: [
      'gemini_cli.session.count',
      'gemini_cli.startup.duration',
      'gemini_cli.memory.usage',
      'gemini_cli.cpu.usage',
      'gemini_cli.model_routing.latency',
      'gemini_cli.api.request.count',
      'gemini_cli.api.request.latency',
      'gemini_cli.api.request.breakdown',
      'gemini_cli.token.usage',
      'gemini_cli.token.efficiency',
      'gen_ai.client.token.usage',
      'gen_ai.client.operation.duration',
      'gemini_cli.tool.call.count',
      'gemini_cli.tool.call.latency',
      'gemini_cli.tool.queue.depth',
      'gemini_cli.tool.execution.breakdown',
      'gemini_cli.file.operation.count',
      'gemini_cli.lines.changed',
      'gemini_cli.hook_call.count',
      'gemini_cli.hook_call.latency',
    ],
    spans: ['user_prompt', 'system_prompt', 'llm_call', 'schedule_tool_calls', 'tool_call'],
  },
  'failing requests': {
    events: [
      'gemini_cli.api_error',
      'gemini_cli.network_retry_attempt',
      'gemini_cli.chat.invalid_chunk',
      'gemini_cli.chat.content_retry',
      'gemini_cli.chat.content_retry_failure',
      'gemini_cli.flash_fallback',
    ],
    metrics: [
      'gemini_cli.network_retry.count',
      'gemini_cli.chat.invalid_chunk.count',
      'gemini_cli.chat.content_retry.count',
      'gemini_cli.chat.content_retry_failure.count',
    ],
  },
  'a model that asks other models': {
    events: [
      'gemini_cli.malformed_json_response',
      'gemini_cli.next_speaker_check',
      'gemini_cli.conseca.policy_generation',
      'gemini_cli.conseca.verdict',
      'gemini_cli.edit_correction',
      'gemini_cli.web_fetch_fallback_attempt',
    ],
    metrics: ['gemini_cli.model_routing.failure.count'],
  },
  'a loop': {
    events: ['gemini_cli.llm_loop_check', 'gemini_cli.loop_detected', 'gemini_cli.loop_detection_disabled'],
  },
  'a long conversation': {
    events: [
      'gemini_cli.tool_output_masking',
      'gemini_cli.chat_compression',
      'gemini_cli.rewind',
      'gemini_cli.slash_command.model',
    ],
    metrics: ['gemini_cli.chat_compression', 'gemini_cli.slash_command.model.call_count'],
  },
  'a plan': {
    events: [
      'gemini_cli.plan.approval_mode_switch',
      'gemini_cli.plan.approval_mode_duration',
      'gemini_cli.plan.execution',
    ],
    metrics: ['gemini_cli.plan.execution.count'],
  },
  'another agent': {
    events: ['gemini_cli.agent.start', 'gemini_cli.agent.finish'],
    metrics: ['gemini_cli.agent.run.count', 'gemini_cli.agent.duration', 'gemini_cli.agent.turns'],
    spans: ['agent_call'],
  },
  'a sub-agent at its limit': {
    events: ['gemini_cli.agent.recovery_attempt'],
    metrics: ['gemini_cli.agent.recovery_attempt.count', 'gemini_cli.agent.recovery_attempt.duration'],
  },
  'an editor': { events: ['gemini_cli.ide_connection'] },
  'a new Google account': {
    events: ['gemini_cli.onboarding.start', 'gemini_cli.onboarding.success'],
    metrics: [
      'gemini_cli.onboarding.start',
      'gemini_cli.onboarding.success',
      'gemini_cli.onboarding.duration',
    ],
  },
} as const satisfies Record<string, Produced>;

export const PROGRAM_RUNS = {
  'a headless run that fails': {
    events: ['gemini_cli.ripgrep_fallback'],
    metrics: ['gemini_cli.exit.fail.count'],
  },
  'a screen': {
    events: [
      'gemini_cli.keychain.availability',
      'gemini_cli.token_storage.initialization',
      'gemini_cli.api_key_updated',
      'gemini_cli.slash_command',
      'gemini_cli.kitty_sequence_overflow',
    ],
    metrics: [
      'gemini_cli.keychain.availability.count',
      'gemini_cli.token_storage.type.count',
      'gemini_cli.ui.flicker.count',
      'gemini_cli.ui.slow_render.latency',
      // A run of the engine may be over before the first sample.
      'gemini_cli.event_loop.delay',
    ],
  },
} as const satisfies Record<string, Produced>;

/** Recorded around the credits of a Google account: their runs are `engine-events.test.ts` of the cli and `credits.test.ts`. */
export const ACCOUNT_DIALOGS = {
  events: [
    'gemini_cli.overage_menu_shown',
    'gemini_cli.overage_option_selected',
    'gemini_cli.empty_wallet_menu_shown',
    'gemini_cli.credit_purchase_click',
    'gemini_cli.credits_used',
  ],
  metrics: ['gemini_cli.overage_option.count', 'gemini_cli.credit_purchase.count'],
} as const satisfies Produced;

/** Recorded around a browser: `agents/browser/sessions.process.test.ts` and `task-metrics.test.ts`. */
export const BROWSER_TASKS = {
  events: [],
  metrics: [
    'gemini_cli.browser_agent.connection.duration',
    'gemini_cli.browser_agent.connection.failure.count',
    'gemini_cli.browser_agent.tools.discovered',
    'gemini_cli.browser_agent.vision.status',
    'gemini_cli.browser_agent.task.outcome',
    'gemini_cli.browser_agent.task.duration',
    'gemini_cli.browser_agent.cleanup.duration',
    'gemini_cli.browser_agent.cleanup.failure.count',
  ],
} as const satisfies Produced;

/** What of `produced` is not among the records of a run. */
export function missingFrom(
  { logs, metrics: batches, spans: finished }: TelemetryRecords,
  { events, metrics = [], spans = [] }: Produced,
): string[] {
  const recorded = new Set([
    ...logs.map(({ attributes }) => `event ${attributes['event.name']}`),
    ...batches
      .flatMap(({ scopeMetrics }) => scopeMetrics)
      .flatMap((scope) => scope.metrics.map(({ descriptor }) => `metric ${descriptor.name}`)),
    ...finished.map(({ name }) => `span ${name}`),
  ]);
  const wanted = [
    ...events.map((name) => `event ${name}`),
    ...metrics.map((name) => `metric ${name}`),
    ...spans.map((name) => `span ${name}`),
  ];
  return wanted.filter((name) => !recorded.has(name));
}
