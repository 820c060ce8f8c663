/** The records as exported, in the format of the telemetry file, and the sink that takes them. */

/** Seconds and nanoseconds since 1970. */
export type HrTime = [number, number];

export type ExportedValue = string | number | boolean | ExportedValue[] | { [key: string]: ExportedValue };
export type ExportedAttributes = Record<string, ExportedValue>;

export interface ResourceData {
  attributes: Record<string, string>;
}

export interface ScopeData {
  name: string;
  version: string;
}

export interface SpanContextData {
  traceId: string;
  spanId: string;
  traceFlags: number;
}

export interface LogData {
  hrTime: HrTime;
  hrTimeObserved: HrTime;
  spanContext?: SpanContextData;
  resource: ResourceData;
  instrumentationScope: ScopeData;
  _body: string;
  attributes: ExportedAttributes;
}

export interface SpanData {
  _spanContext: SpanContextData;
  parentSpanContext?: SpanContextData;
  name: string;
  /** Always 0, INTERNAL. */
  kind: 0;
  startTime: HrTime;
  endTime: HrTime;
  duration: HrTime;
  /** 0: unset, 2: error. */
  status: { code: 0 | 2; message?: string };
  attributes: ExportedAttributes;
  resource: ResourceData;
  instrumentationScope: ScopeData;
}

export interface HistogramValue {
  min: number;
  max: number;
  sum: number;
  count: number;
  buckets: { boundaries: number[]; counts: number[] };
}

export interface DataPoint<T> {
  attributes: ExportedAttributes;
  startTime: HrTime;
  endTime: HrTime;
  value: T;
}

export interface MetricDescriptor {
  name: string;
  type: 'COUNTER' | 'HISTOGRAM';
  description: string;
  unit: string;
  /** `ValueType` of the OpenTelemetry API: 0 is an integer, 1 a double. */
  valueType: 0 | 1;
}

/** The numbers are those of the OpenTelemetry SDK: temporality 1 is cumulative; 3 is a sum, 0 a histogram. */
export type MetricData =
  | {
      descriptor: MetricDescriptor;
      aggregationTemporality: 1;
      dataPointType: 3;
      isMonotonic: true;
      dataPoints: DataPoint<number>[];
    }
  | {
      descriptor: MetricDescriptor;
      aggregationTemporality: 1;
      dataPointType: 0;
      dataPoints: DataPoint<HistogramValue>[];
    };

export interface MetricBatch {
  resource: ResourceData;
  scopeMetrics: { scope: ScopeData; metrics: MetricData[] }[];
}

/** A destination of telemetry. Never throws: problems go to the `warn` callback of its factory. */
export interface TelemetrySink {
  log(data: LogData): void;
  span(data: SpanData): void;
  metrics(data: MetricBatch): void;
  shutdown(): Promise<void>;
}

export function toHrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}
