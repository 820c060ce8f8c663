/** Exporters to a collector over gRPC, compressed; only the origin of the URL is used. */
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-grpc';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-grpc';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import type { OtlpExporters } from './otlp.js';

type GrpcOptions = NonNullable<ConstructorParameters<typeof OTLPLogExporter>[0]>;

export function grpcExporters(endpoint: string): OtlpExporters {
  // The enum is in a package we do not depend on; its values are those of OTEL_EXPORTER_OTLP_COMPRESSION.
  const options = { url: new URL(endpoint).origin, compression: 'gzip' as GrpcOptions['compression'] };
  return {
    logs: new OTLPLogExporter(options),
    spans: new OTLPTraceExporter(options),
    metrics: new OTLPMetricExporter(options),
  };
}
