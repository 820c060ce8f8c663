/** Exporters to a collector over HTTP; the paths are those of the OTLP specification. */
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { OtlpExporters } from './otlp.js';

export function httpExporters(endpoint: string): OtlpExporters {
  const url = (signal: string) => `${endpoint.replace(/\/+$/, '')}/v1/${signal}`;
  return {
    logs: new OTLPLogExporter({ url: url('logs') }),
    spans: new OTLPTraceExporter({ url: url('traces') }),
    metrics: new OTLPMetricExporter({ url: url('metrics') }),
  };
}
