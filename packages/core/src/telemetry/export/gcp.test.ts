import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startOtlpCollector } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type GcpOptions, openGcp } from './gcp.js';
import { log, metrics, span } from './records.test-helper.js';

async function send(endpoint: string, options: Partial<GcpOptions> = {}): Promise<string[]> {
  const warnings: string[] = [];
  const sink = openGcp({
    project: 'observed-project',
    authorize: async () => ({ authorization: 'Bearer token' }),
    network: { variables: {} },
    warn: (message) => warnings.push(message),
    endpoint,
    ...options,
  });
  sink.log(log);
  sink.span(span);
  sink.metrics(metrics);
  await sink.shutdown();
  return warnings;
}

async function google() {
  const server = await startOtlpCollector({ protocol: 'http' });
  onTestFinished(() => server.close());
  return server;
}

describe('export to Google Cloud', () => {
  it('delivers logs, spans and metrics of the project, signed, before the end', async () => {
    const server = await google();
    expect(await send(server.url)).toEqual([]);
    const received = Object.fromEntries(
      server.exports.map(({ path, body }) => [path, JSON.parse(body.toString())]),
    );
    expect(Object.keys(received).sort()).toEqual(['/v1/logs', '/v1/metrics', '/v1/traces']);
    for (const { headers } of server.exports)
      expect(headers).toMatchObject({
        authorization: 'Bearer token',
        'x-goog-user-project': 'observed-project',
        'content-type': 'application/json',
      });
    const [{ resource, scopeLogs }] = received['/v1/logs'].resourceLogs;
    expect(resource.attributes).toEqual(
      expect.arrayContaining([
        { key: 'service.name', value: { stringValue: 'gemini-cli' } },
        { key: 'gcp.project_id', value: { stringValue: 'observed-project' } },
        { key: 'service.instance.id', value: { stringValue: 's1' } },
      ]),
    );
    expect(scopeLogs[0].logRecords[0].body).toEqual({ stringValue: 'tool call' });
    expect(received['/v1/traces'].resourceSpans[0].scopeSpans[0].spans[0].name).toBe('tool_call');
    expect(received['/v1/metrics'].resourceMetrics[0].scopeMetrics[0].metrics[0]).toMatchObject({
      name: 'gemini_cli.session.count',
      sum: { aggregationTemporality: 2 },
    });
  });

  it('lets the credentials name the project that pays for the requests', async () => {
    const server = await google();
    await send(server.url, { authorize: async () => ({ 'x-goog-user-project': 'paying' }) });
    expect(server.exports[0]?.headers['x-goog-user-project']).toBe('paying');
  });

  it('sends nothing without credentials, and says at once what is missing', async () => {
    const server = await google();
    const authorize = async () => {
      throw new Error('there are no credentials');
    };
    const warned = new Promise<string>((resolve) => {
      openGcp({ project: 'p', authorize, network: { variables: {} }, warn: resolve, endpoint: server.url });
    });
    expect(await warned).toBe(`Telemetry cannot be sent to ${server.url}: there are no credentials`);
    expect(await send(server.url, { authorize })).toHaveLength(1);
    expect(server.connections).toBe(0);
  });

  it("repeats Google's words when it refuses, once", async () => {
    const body = JSON.stringify({ error: { code: 403, message: 'Permission denied on project p.' } });
    const server = createServer((_, response) => response.writeHead(403).end(body));
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo; // listens on TCP, so it is not a pipe name
    const url = `http://127.0.0.1:${port}`;
    expect(await send(url)).toEqual([
      `Telemetry cannot be sent to ${url}: HTTP 403, Permission denied on project p.`,
    ]);
  });

  it('does not delay the end when Google never answers', async () => {
    const server = await startOtlpCollector({ protocol: 'http', silent: true });
    onTestFinished(() => server.close());
    expect(await send(server.url, { shutdownLimitMs: 200 })).toEqual([
      `Telemetry cannot be sent to ${server.url}: no answer in time`,
    ]);
  });
});
