/** Sends records to an OpenTelemetry collector over HTTP or gRPC. Only the files of this folder load its packages. */
import type { LogAttributes } from '@opentelemetry/api-logs';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { messageOf } from '../../base/errors.js';
import type { LogData, MetricBatch, ResourceData, SpanData, TelemetrySink } from '../catalog/data.js';
import type { TelemetryDestination } from '../settings.js';
import { Batch, type Delivery } from './batch.js';

type OtlpDestination = Extract<TelemetryDestination, { kind: 'otlp' }>;

export interface OtlpExporters {
  logs: Exporter<ReadableLogRecord[]>;
  spans: Exporter<ReadableSpan[]>;
  metrics: Exporter<ResourceMetrics>;
}

export interface Exporter<T> {
  export(data: T, done: (result: Delivery) => void): void;
  shutdown(): Promise<void>;
}

export interface OtlpSinkOptions {
  /** Named in the warning. */
  target: string;
  warn: (message: string) => void;
  shutdownLimitMs?: number;
  /** Added to the resource of every record. */
  resourceOf?: (data: ResourceData) => Record<string, string>;
  /** What must work before anything can be sent; its failure is reported at once. */
  prepared?: Promise<unknown>;
}

/** Limit of the wait at the end; records not delivered by then are lost. */
const SHUTDOWN_LIMIT_MS = 3_000;

export async function openOtlp(
  destination: OtlpDestination,
  warn: (message: string) => void,
  limits: Pick<OtlpSinkOptions, 'shutdownLimitMs'> = {},
): Promise<TelemetrySink> {
  const exporters = await openExporters(destination);
  return otlpSink(exporters, { target: withoutCredentials(destination.endpoint), warn, ...limits });
}

export function otlpSink(
  exporters: OtlpExporters,
  { target, warn, shutdownLimitMs = SHUTDOWN_LIMIT_MS, resourceOf, prepared }: OtlpSinkOptions,
): TelemetrySink {
  const failed = once((reason: string) => warn(`Telemetry cannot be sent to ${target}: ${reason}`));
  prepared?.catch((error: unknown) => failed(messageOf(error)));
  const toResource = resourceCache(resourceOf);
  const logs = new Batch<ReadableLogRecord>((items, done) => exporters.logs.export(items, done), failed);
  const spans = new Batch<ReadableSpan>((items, done) => exporters.spans.export(items, done), failed);
  const metrics = new Batch<ResourceMetrics>((items, done) => {
    // Cumulative, so only the newest batch is needed.
    const newest = items.at(-1);
    if (newest) exporters.metrics.export(newest, done);
  }, failed);
  return {
    log: (data) => logs.add(toLogRecord(data, toResource)),
    span: (data) => spans.add(toSpan(data, toResource)),
    metrics: (data) => {
      metrics.add(toMetrics(data, toResource));
      metrics.send();
    },
    async shutdown() {
      const delivered = Promise.all([logs, spans, metrics].map((batch) => batch.close()));
      await within(shutdownLimitMs, delivered, () => failed('no answer in time'));
      const closing = Object.values(exporters).map((exporter: { shutdown(): Promise<void> }) =>
        exporter.shutdown().catch(() => undefined),
      );
      await within(shutdownLimitMs / 10, Promise.all(closing), () => undefined);
    },
  };
}

/** Two files with static imports, because a bundler gives `import()` of CommonJS packages no names. */
async function openExporters({ protocol, endpoint }: OtlpDestination): Promise<OtlpExporters> {
  if (protocol === 'http') {
    const { httpExporters } = await import('./otlp-http.js');
    return httpExporters(endpoint);
  }
  const { grpcExporters } = await import('./otlp-grpc.js');
  return grpcExporters(endpoint);
}

type ToResource = (data: ResourceData) => ReadableSpan['resource'];

/** The exporters group records by the identity of the resource object. */
function resourceCache(resourceOf: OtlpSinkOptions['resourceOf']): ToResource {
  const known = new WeakMap<ResourceData, ReadableSpan['resource']>();
  return (data) => {
    const resource = known.get(data) ?? resourceFromAttributes({ ...data.attributes, ...resourceOf?.(data) });
    known.set(data, resource);
    return resource;
  };
}

function toLogRecord({ _body, ...data }: LogData, toResource: ToResource): ReadableLogRecord {
  const attributes: LogAttributes = data.attributes;
  return { ...data, body: _body, attributes, resource: toResource(data.resource), droppedAttributesCount: 0 };
}

function toSpan({ _spanContext, ...data }: SpanData, toResource: ToResource): ReadableSpan {
  return {
    ...data,
    spanContext: () => _spanContext,
    attributes: flat(data.attributes),
    resource: toResource(data.resource),
    links: [],
    events: [],
    ended: true,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function toMetrics({ resource, scopeMetrics }: MetricBatch, toResource: ToResource): ResourceMetrics {
  return {
    resource: toResource(resource),
    scopeMetrics: scopeMetrics.map(({ scope, metrics }) => ({
      scope,
      metrics: metrics.map((metric) =>
        metric.dataPointType === 3
          ? { ...metric, dataPoints: metric.dataPoints.map(flatPoint) }
          : { ...metric, dataPoints: metric.dataPoints.map(flatPoint) },
      ),
    })),
  };
}

function flatPoint<P extends { attributes: LogData['attributes'] }>(point: P) {
  return { ...point, attributes: flat(point.attributes) };
}

/** Spans and metrics do not allow nested attributes. */
function flat(attributes: LogData['attributes']): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [
      key,
      typeof value === 'object' ? JSON.stringify(value) : value,
    ]),
  );
}

function withoutCredentials(endpoint: string): string {
  return new URL(endpoint).origin;
}

function once<A extends unknown[]>(action: (...args: A) => void): (...args: A) => void {
  let done = false;
  return (...args) => {
    if (done) return;
    done = true;
    action(...args);
  };
}

function within(ms: number, work: Promise<unknown>, onTimeout: () => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      onTimeout();
      resolve();
    }, ms);
    void work.finally(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
