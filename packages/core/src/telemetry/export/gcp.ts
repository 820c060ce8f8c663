/**
 * Sends records straight to Google Cloud, which takes OTLP: logs go to Cloud Logging, spans to Cloud Trace, metrics to
 * Cloud Monitoring. Through our own HTTP client, which knows the user's proxy.
 */
import {
  JsonLogsSerializer,
  JsonMetricsSerializer,
  JsonTraceSerializer,
} from '@opentelemetry/otlp-transformer';
import { objectOf } from '../../base/objects.js';
import type { ProxySource } from '../../platform/environment.js';
import { createLog } from '../../platform/log.js';
import { HttpClient, readText } from '../../platform/net/http.js';
import type { TelemetrySink } from '../catalog/data.js';
import { type Exporter, otlpSink } from './otlp.js';

export interface GcpOptions {
  /** The project that the data belongs to. */
  project: string;
  /** Headers that sign a request. @throws what is missing */
  authorize: () => Promise<Record<string, string>>;
  network: ProxySource;
  warn: (message: string) => void;
  /** Tests replace it. Never a setting: the requests carry credentials. */
  endpoint?: string;
  shutdownLimitMs?: number;
}

const ENDPOINT = 'https://telemetry.googleapis.com';
const TIMEOUT_MS = 10_000;
const ANSWER_LIMIT = 64 * 1024;
const log = createLog('telemetry');

export function openGcp(options: GcpOptions): TelemetrySink {
  const { project, endpoint = ENDPOINT, authorize, warn, shutdownLimitMs } = options;
  const http = new HttpClient({ firstByteMs: TIMEOUT_MS, totalMs: TIMEOUT_MS }, options.network);
  const post = async (path: string, body: Uint8Array | undefined) => {
    const headers = {
      'content-type': 'application/json',
      'x-goog-user-project': project,
      // May name another project that pays for the requests.
      ...(await authorize()),
    };
    const url = new URL(path, endpoint);
    const { signal } = new AbortController();
    const response = await http.send({
      method: 'POST',
      url,
      headers,
      body: [Buffer.from(body ?? [])],
      signal,
    });
    try {
      const answer = await readText(response.body, ANSWER_LIMIT);
      if (response.status >= 300) throw new Error(refusal(response.status, answer));
      log.debug(path, answer);
    } finally {
      response.dispose();
    }
  };
  const exporter = <T>(
    path: string,
    serializer: { serializeRequest(data: T): Uint8Array | undefined },
  ): Exporter<T> => ({
    export: (data, done) =>
      void post(path, serializer.serializeRequest(data)).then(
        () => done({ code: 0 }),
        (error: Error) => done({ code: 1, error }),
      ),
    shutdown: async () => http.close(),
  });
  return otlpSink(
    {
      logs: exporter('/v1/logs', JsonLogsSerializer),
      spans: exporter('/v1/traces', JsonTraceSerializer),
      metrics: exporter('/v1/metrics', JsonMetricsSerializer),
    },
    {
      target: endpoint,
      warn,
      shutdownLimitMs,
      // Sessions that run at the same time must not write to the same time series.
      resourceOf: ({ attributes }) => ({
        'gcp.project_id': project,
        'service.instance.id': attributes['session.id'] ?? '',
      }),
      prepared: authorize(),
    },
  );
}

/** Google's own words, if there are any. */
function refusal(status: number, answer: string): string {
  try {
    const { message } = objectOf(objectOf(JSON.parse(answer))['error']);
    if (typeof message === 'string') return `HTTP ${status}, ${message}`;
  } catch {
    // Not from Google: a proxy's page, for example.
  }
  return `HTTP ${status}`;
}
