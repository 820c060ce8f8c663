/** Reads a telemetry file: objects one after the other, each ending with `}` in column 0. */
import { readFileSync } from 'node:fs';

type Attributes = Record<string, unknown>;

export interface TelemetryLog {
  attributes: Attributes;
  _body: string;
  hrTime: [number, number];
  resource: { attributes: Attributes };
  spanContext?: { traceId: string; spanId: string };
}

export interface TelemetrySpan {
  name: string;
  kind: number;
  attributes: Attributes;
  _spanContext: { traceId: string; spanId: string };
  parentSpanContext?: { traceId: string; spanId: string };
  status: { code: number; message?: string };
  startTime: [number, number];
  endTime: [number, number];
  resource: { attributes: Attributes };
}

export interface TelemetryMetric {
  descriptor: { name: string; unit: string };
  dataPoints: { attributes: Attributes; value: unknown }[];
}

export interface TelemetryRecords {
  logs: TelemetryLog[];
  spans: TelemetrySpan[];
  /** Batches, the newest last; they are cumulative. */
  metrics: { resource: { attributes: Attributes }; scopeMetrics: { metrics: TelemetryMetric[] }[] }[];
}

export function readTelemetryFile(path: string): TelemetryRecords {
  const records: TelemetryRecords = { logs: [], spans: [], metrics: [] };
  const pieces = readFileSync(path, 'utf8').split(/(?<=^\}\n)/m);
  for (const piece of pieces.filter((text) => text !== '')) {
    const record = JSON.parse(piece);
    if ('scopeMetrics' in record) records.metrics.push(record);
    else if ('_spanContext' in record) records.spans.push(record);
    else records.logs.push(record);
  }
  return records;
}

export function eventsNamed(records: TelemetryRecords, name: string): Attributes[] {
  return records.logs.map((log) => log.attributes).filter((attributes) => attributes['event.name'] === name);
}

/** The metric in the newest batch. */
export function metricNamed(records: TelemetryRecords, name: string): TelemetryMetric | undefined {
  const batches = records.metrics.at(-1)?.scopeMetrics ?? [];
  return batches.flatMap(({ metrics }) => metrics).find((metric) => metric.descriptor.name === name);
}
