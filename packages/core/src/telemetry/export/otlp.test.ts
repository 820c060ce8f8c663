import { createServer } from 'node:net';
import { type OtlpCollector, startOtlpCollector } from '@gemini-cli/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import { openOtlp } from './otlp.js';
import { log, metrics, span, spanContext } from './records.test-helper.js';

let collector: OtlpCollector | undefined;
afterEach(async () => {
  await collector?.close();
  collector = undefined;
});

async function send(
  protocol: 'http' | 'grpc',
  endpoint: string,
  shutdownLimitMs?: number,
): Promise<string[]> {
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  const sink = await openOtlp({ kind: 'otlp', endpoint, protocol }, warn, { shutdownLimitMs });
  sink.log(log);
  sink.log(log);
  sink.span(span);
  sink.metrics(metrics);
  await sink.shutdown();
  return warnings;
}

describe('export over HTTP', () => {
  it('delivers logs, spans and metrics before the end', async () => {
    collector = await startOtlpCollector({ protocol: 'http' });
    expect(await send('http', `${collector.url}/`)).toEqual([]);
    const received = Object.fromEntries(
      collector.exports.map(({ path, body }) => [path, JSON.parse(body.toString())]),
    );
    expect(Object.keys(received).sort()).toEqual(['/v1/logs', '/v1/metrics', '/v1/traces']);
    const exportedResource = {
      attributes: [
        { key: 'service.name', value: { stringValue: 'gemini-cli' } },
        { key: 'session.id', value: { stringValue: 's1' } },
      ],
      droppedAttributesCount: 0,
    };
    const logs = received['/v1/logs'].resourceLogs;
    expect(logs).toMatchObject([
      { resource: exportedResource, scopeLogs: [{ scope: { name: 'gemini-cli' } }] },
    ]);
    expect(logs[0].scopeLogs[0].logRecords).toHaveLength(2);
    expect(logs[0].scopeLogs[0].logRecords[0]).toMatchObject({
      timeUnixNano: '1000000005',
      body: { stringValue: 'tool call' },
      traceId: spanContext.traceId,
      spanId: spanContext.spanId,
      attributes: [
        { key: 'event.name', value: { stringValue: 'gemini_cli.tool_call' } },
        { key: 'success', value: { boolValue: true } },
        {
          key: 'metadata',
          value: { kvlistValue: { values: [{ key: 'model_added_lines', value: { intValue: 3 } }] } },
        },
      ],
    });
    expect(received['/v1/traces'].resourceSpans[0].scopeSpans[0].spans).toMatchObject([
      {
        name: 'tool_call',
        traceId: spanContext.traceId,
        spanId: spanContext.spanId,
        startTimeUnixNano: '1000000000',
        endTimeUnixNano: '2000000000',
        status: { code: 2, message: 'no' },
      },
    ]);
    expect(received['/v1/metrics'].resourceMetrics[0].scopeMetrics[0].metrics).toMatchObject([
      {
        name: 'gemini_cli.session.count',
        sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints: [{ asInt: 1 }] },
      },
      {
        name: 'gemini_cli.tool.call.latency',
        histogram: { dataPoints: [{ count: 2, sum: 4, bucketCounts: [1, 1], explicitBounds: [2] }] },
      },
    ]);
  });
});

describe('export over gRPC', () => {
  it('delivers logs, spans and metrics, compressed, for any path in the URL', async () => {
    collector = await startOtlpCollector({ protocol: 'grpc' });
    expect(await send('grpc', `${collector.url}/some/path`)).toEqual([]);
    const service = (name: string) =>
      collector?.exports.find(({ path }) => path === `/opentelemetry.proto.collector.${name}Service/Export`);
    expect(service('logs.v1.Logs')?.body.toString('latin1')).toContain('gemini_cli.tool_call');
    expect(service('trace.v1.Trace')?.body.toString('latin1')).toContain('gen_ai.operation.name');
    expect(service('metrics.v1.Metrics')?.body.toString('latin1')).toContain('gemini_cli.session.count');
    expect(collector.exports.map(({ wasCompressed }) => wasCompressed)).toEqual([true, true, true]);
  });
});

describe('an unreachable collector', () => {
  it.each(['http', 'grpc'] as const)('is reported once and delays nothing (%s)', async (protocol) => {
    const warnings = await send(protocol, await unusedUrl(), 300);
    expect(warnings).toEqual([
      expect.stringMatching(/^Telemetry cannot be sent to http:\/\/127\.0\.0\.1:\d+: ./),
    ]);
  });

  it.each(['http', 'grpc'] as const)(
    'does not delay the end when it never answers (%s)',
    async (protocol) => {
      collector = await startOtlpCollector({ protocol, silent: true });
      const warnings = await send(protocol, collector.url.replace('//', '//user:secret@'), 300);
      expect(warnings).toEqual([`Telemetry cannot be sent to ${collector.url}: no answer in time`]);
    },
  );
});

/** An address without a listener. */
async function unusedUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (typeof address !== 'object' || address === null) throw new Error('not a TCP server');
  return `http://127.0.0.1:${address.port}`;
}
