/** The interface through which the engine records telemetry. Does nothing until telemetry is enabled (`start.ts`). */
import type { EventAttributes, EventName } from './catalog/events.js';
import type { CounterName, HistogramName, MetricAttributes } from './catalog/metrics.js';
import type { SpanAttributes, SpanName } from './catalog/spans.js';

/** A value exported as JSON text, computed only if it is exported. */
export class JsonText {
  constructor(readonly make: () => unknown) {}
}

export type AttributeValue =
  | string
  | number
  | boolean
  | readonly string[]
  | JsonText
  | { readonly [key: string]: AttributeValue | undefined }
  | undefined;

export interface SpanContext {
  traceId: string;
  spanId: string;
}

export interface FinishedSpan {
  name: SpanName;
  context: SpanContext;
  parent?: SpanContext;
  /** Milliseconds since 1970. */
  startMs: number;
  endMs: number;
  attributes: SpanAttributes;
  /** Why the operation failed, if it did. */
  error?: string;
}

export interface TelemetryRecorder {
  /** `within`: the span the event belongs to. */
  event<N extends EventName>(name: N, attributes: EventAttributes<N>, within?: SpanContext): void;
  count<N extends CounterName>(name: N, value: number, attributes: MetricAttributes<N>): void;
  histogram<N extends HistogramName>(name: N, value: number, attributes: MetricAttributes<N>): void;
  span(span: FinishedSpan): void;
  /** Resolves when all records are written or sent; never rejects and never takes long. */
  shutdown(): Promise<void>;
}

/** For hosts of tools. */
export interface TelemetryHost {
  /** Absent: nothing is recorded. */
  getTelemetry?(): TelemetryRecorder;
}

export const noTelemetry: TelemetryRecorder = {
  event: () => undefined,
  count: () => undefined,
  histogram: () => undefined,
  span: () => undefined,
  shutdown: () => Promise.resolve(),
};
