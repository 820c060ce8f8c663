/** Exporters to a collector over gRPC, compressed; of the URL only the origin counts. */
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-grpc';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-grpc';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import type { OtlpExporters } from './otlp.js';

type GrpcOptions = NonNullable<ConstructorParameters<typeof OTLPLogExporter>[0]>;

export function grpcExporters(endpoint: string): OtlpExporters {
  // The enum is in a package that is not ours to depend on; its value is what OTEL_EXPORTER_OTLP_COMPRESSION takes.
  const options = { url: new URL(endpoint).origin, compression: 'gzip' as GrpcOptions['compression'] };
  return {
    logs: new OTLPLogExporter(options),
    spans: new OTLPTraceExporter(options),
    metrics: new OTLPMetricExporter(options),
  };
}
