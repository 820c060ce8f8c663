/** What operators look at: health, readiness, metrics, the log. */
import { setLogSink } from '@gemini-cli/core';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { ScriptedService } from '../scripted-service.test-helper.js';
import { MemoryTaskStore } from '../stores/memory-store.js';
import { oldMessage, rawRequest, rpc, startTestApp, type TestApp } from '../test-app.test-helper.js';
import { ServerLog } from './logs.js';

let app: TestApp;

afterEach(async () => {
  await app?.close({ drainMs: 0 });
});

class BrokenStore extends MemoryTaskStore {
  override async load(): Promise<never> {
    throw new Error('the bucket is gone');
  }
}

describe('the server tells', () => {
  it('that it is healthy and ready, and counts requests and messages', async () => {
    app = await startTestApp();
    expect(await rawRequest(`${app.origin}/healthz`)).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    expect(await rawRequest(`${app.origin}/readyz`)).toMatchObject({ status: 200 });
    const message = oldMessage('hi');
    const { body } = await rpc(app, 'message/send', message);
    await rpc(app, 'message/send', { message: { ...message.message, taskId: body.result?.['id'] } });
    await rawRequest(`${app.origin}/tasks/nobody/metadata`);
    await rawRequest(`${app.origin}/.well-known/agent.json`);
    const { text, headers } = await rawRequest(`${app.origin}/metrics`);
    expect(headers['content-type']).toContain('text/plain');
    expect(text).toContain('a2a_messages_total{duplicate="false"} 1');
    expect(text).toContain('a2a_messages_total{duplicate="true"} 1');
    expect(text).toContain(
      'a2a_http_requests_total{method="GET",route="/tasks/:id/metadata",status="404"} 1',
    );
    expect(text).toContain('route="/.well-known/agent(-card).json",status="200"');
    expect(text).toMatch(/a2a_http_request_seconds_bucket\{route="\/",le="\+Inf"\} 2/);
    for (const line of text.trim().split('\n'))
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{.+\})? [\d.e+-]+)$/);
  });

  it('that it takes no work while its store fails', async () => {
    app = await startTestApp({ service: new ScriptedService(new BrokenStore()) });
    const { status, text } = await rawRequest(`${app.origin}/readyz`);
    expect({ status, text }).toEqual({
      status: 503,
      text: '{"status":"not ready","reason":"the bucket is gone"}',
    });
    expect((await rawRequest(`${app.origin}/healthz`)).status).toBe(200);
  });
});

describe('the log', () => {
  it('has one JSON object per line from the level on, without secrets', () => {
    const lines: string[] = [];
    const log = new ServerLog(
      'info',
      { write: (line) => lines.push(line) },
      { MY_API_KEY: 'very-secret-value-123' },
    );
    log.info('area', 'started with very-secret-value-123', { port: 1 });
    new ServerLog('warn', { write: (line) => lines.push(line) }, {}).info('area', 'not shown');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'info',
      area: 'area',
      message: 'started with [redacted]',
      data: { port: 1 },
    });
  });

  it('has the warnings of Node in the same form, and those about old functions at the level debug only', () => {
    const before = process.listeners('warning');
    onTestFinished(() => {
      process.removeAllListeners('warning');
      for (const listener of before) process.on('warning', listener);
      setLogSink(undefined);
    });
    const lines: string[] = [];
    new ServerLog('warn', { write: (line) => lines.push(line) }, {}).takeAll();
    const old = Object.assign(new Error('query() is old'), { name: 'DeprecationWarning' });
    process.emit('warning', old);
    process.emit('warning', Object.assign(new Error('a leak'), { name: 'MaxListenersExceededWarning' }));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warn', area: 'node', message: 'a leak' },
    ]);
  });
});
