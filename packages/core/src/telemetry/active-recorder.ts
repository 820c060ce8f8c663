/** The recorder used while telemetry is enabled: completes, filters and redacts records for a sink. */
import { createLog } from '../platform/log.js';
import { bareCommand, exportAttributes, type Redact } from './catalog/attributes.js';
import {
  type ExportedAttributes,
  type LogData,
  type ResourceData,
  type ScopeData,
  type SpanContextData,
  type TelemetrySink,
  toHrTime,
} from './catalog/data.js';
import { measurementsOf } from './catalog/event-metrics.js';
import { type EventAttributes, type EventName, promptAttributes } from './catalog/events.js';
import type { CounterName, HistogramName, MetricAttributes, MetricName } from './catalog/metrics.js';
import { identityOf, TRACE_PROMPT_ATTRIBUTES, truncated } from './catalog/spans.js';
import { MetricAggregator } from './export/aggregate.js';
import type { AttributeValue, FinishedSpan, SpanContext, TelemetryRecorder } from './record.js';

export interface RecorderOptions {
  sessionId: string;
  version: string;
  logPrompts: boolean;
  traces: boolean;
  /** Attributes of every event and metric; called each time because modes and sign-in change. Plain values only. */
  common: () => Readonly<Record<string, AttributeValue>>;
  redact: Redact;
  now: () => number;
  metricIntervalMs?: number;
}

const log = createLog('telemetry');
const METRIC_INTERVAL_MS = 10_000;

export class ActiveRecorder implements TelemetryRecorder {
  private readonly resource: ResourceData;
  private readonly scope: ScopeData;
  private readonly metrics: MetricAggregator;
  private readonly timer: NodeJS.Timeout;
  private lastCommon: { source: string; attributes: ExportedAttributes } | undefined;
  private ending: Promise<void> | undefined;

  constructor(
    private readonly options: RecorderOptions,
    private readonly sink: TelemetrySink,
  ) {
    const { version, sessionId, redact } = options;
    this.resource = {
      attributes: {
        'service.name': 'gemini-cli',
        'service.version': version,
        'session.id': redact(sessionId),
      },
    };
    this.scope = { name: 'gemini-cli', version };
    this.metrics = new MetricAggregator(toHrTime(options.now()));
    const { metricIntervalMs = METRIC_INTERVAL_MS } = options;
    this.timer = setInterval(() => this.exportMetrics(), metricIntervalMs);
    this.timer.unref();
  }

  event<N extends EventName>(name: N, attributes: EventAttributes<N>, within?: SpanContext): void {
    this.safely(() => {
      const now = this.options.now();
      const time = toHrTime(now);
      const data: LogData = {
        hrTime: time,
        hrTimeObserved: time,
        ...(within && { spanContext: contextData(within) }),
        resource: this.resource,
        instrumentationScope: this.scope,
        _body: name.replace(/^gemini_cli\./, '').replaceAll(/[._]/g, ' '),
        attributes: {
          'event.name': name,
          'event.timestamp': new Date(now).toISOString(),
          ...this.common(),
          ...exportAttributes(this.permitted(attributes, promptAttributes(name)), this.options.redact),
        },
      };
      this.sink.log(data);
    });
    for (const follower of measurementsOf(name, attributes as Readonly<Record<string, AttributeValue>>)) {
      this.measure(follower.name, follower.value, follower.attributes);
    }
  }

  count<N extends CounterName>(name: N, value: number, attributes: MetricAttributes<N>): void {
    this.measure(name, value, attributes);
  }

  histogram<N extends HistogramName>(name: N, value: number, attributes: MetricAttributes<N>): void {
    this.measure(name, value, attributes);
  }

  span({ name, context, parent, startMs, endMs, attributes, error }: FinishedSpan): void {
    this.safely(() => {
      const { traces, redact, sessionId } = this.options;
      const details = traces ? this.permitted(attributes, TRACE_PROMPT_ATTRIBUTES) : {};
      this.sink.span({
        _spanContext: contextData(context),
        ...(parent && { parentSpanContext: contextData(parent) }),
        name,
        kind: 0,
        startTime: toHrTime(startMs),
        endTime: toHrTime(endMs),
        duration: toHrTime(Math.max(endMs - startMs, 0)),
        status: error === undefined ? { code: 0 } : { code: 2, message: truncated(redact(error)) },
        attributes: exportAttributes({ ...identityOf(name, sessionId), ...details }, redact, truncated),
        resource: this.resource,
        instrumentationScope: this.scope,
      });
    });
  }

  shutdown(): Promise<void> {
    this.ending ??= this.end();
    return this.ending;
  }

  private async end(): Promise<void> {
    clearInterval(this.timer);
    this.exportMetrics();
    try {
      await this.sink.shutdown();
    } catch (error) {
      log.error('telemetry did not end well', error);
    }
  }

  private exportMetrics(): void {
    this.safely(() => {
      const metrics = this.metrics.collect(toHrTime(this.options.now()));
      if (!metrics) return;
      this.sink.metrics({ resource: this.resource, scopeMetrics: [{ scope: this.scope, metrics }] });
    });
  }

  private measure<N extends MetricName>(name: N, value: number, attributes: MetricAttributes<N>): void {
    this.safely(() => {
      const own = exportAttributes(this.permitted(attributes, []), this.options.redact);
      this.metrics.add(name, value, { ...this.common(), ...own });
    });
  }

  /** They rarely change and are redacted only when they do. */
  private common(): ExportedAttributes {
    const source = JSON.stringify(this.options.common());
    if (this.lastCommon?.source !== source) {
      const attributes = exportAttributes(this.options.common(), this.options.redact);
      this.lastCommon = { source, attributes };
    }
    return this.lastCommon.attributes;
  }

  /** Without `logPrompts` no prompts, answers or commands. */
  private permitted(
    attributes: Readonly<Record<string, AttributeValue>>,
    prompts: readonly string[],
  ): Readonly<Record<string, AttributeValue>> {
    if (this.options.logPrompts) return attributes;
    const kept = Object.entries(attributes).filter(([key]) => !prompts.includes(key));
    return Object.fromEntries(
      kept.map(([key, value]) => [key, key === 'hook_name' ? bareCommand(String(value)) : value]),
    );
  }

  /** Never throws: telemetry must not disturb the conversation. */
  private safely(record: () => void): void {
    if (this.ending) return;
    try {
      record();
    } catch (error) {
      log.error('a record was lost', error);
    }
  }
}

function contextData({ traceId, spanId }: SpanContext): SpanContextData {
  return { traceId, spanId, traceFlags: 1 };
}
