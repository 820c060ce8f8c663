/** Metrics that follow from events: recording the event is enough. */
import type { EventName } from './events.js';
import { type CounterName, type HistogramName, type MetricName, metricDefinition } from './metrics.js';

interface Followers {
  counter: CounterName;
  /** Gets the event's `duration_ms`. */
  duration?: HistogramName;
}

const FOLLOWERS: { readonly [N in EventName]?: Followers } = {
  'gemini_cli.chat_compression': { counter: 'gemini_cli.chat_compression' },
  'gemini_cli.slash_command.model': { counter: 'gemini_cli.slash_command.model.call_count' },
  'gemini_cli.plan.execution': { counter: 'gemini_cli.plan.execution.count' },
  'gemini_cli.hook_call': {
    counter: 'gemini_cli.hook_call.count',
    duration: 'gemini_cli.hook_call.latency',
  },
  'gemini_cli.keychain.availability': { counter: 'gemini_cli.keychain.availability.count' },
  'gemini_cli.token_storage.initialization': { counter: 'gemini_cli.token_storage.type.count' },
  'gemini_cli.onboarding.start': { counter: 'gemini_cli.onboarding.start' },
  'gemini_cli.onboarding.success': {
    counter: 'gemini_cli.onboarding.success',
    duration: 'gemini_cli.onboarding.duration',
  },
  'gemini_cli.overage_option_selected': { counter: 'gemini_cli.overage_option.count' },
  'gemini_cli.credit_purchase_click': { counter: 'gemini_cli.credit_purchase.count' },
};

export interface Measurement<T> {
  name: MetricName;
  value: number;
  attributes: Record<string, T>;
}

/** @param attributes those of the event; a metric gets the ones it shares with it */
export function measurementsOf<T>(
  event: EventName,
  attributes: Readonly<Record<string, T>>,
): Measurement<T>[] {
  const followers = FOLLOWERS[event];
  if (!followers) return [];
  const { counter, duration } = followers;
  const measurements = [{ name: counter, value: 1, attributes: shared(counter, attributes) }];
  const ms = attributes['duration_ms'];
  if (!duration || typeof ms !== 'number') return measurements;
  return [...measurements, { name: duration, value: ms, attributes: shared(duration, attributes) }];
}

/** `slash_command.model.model_name` of a metric is `model_name` of its event. */
function shared<T>(metric: MetricName, attributes: Readonly<Record<string, T>>): Record<string, T> {
  const pairs = metricDefinition(metric).attributes.flatMap((name) => {
    const value = attributes[name.slice(name.lastIndexOf('.') + 1)];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}
