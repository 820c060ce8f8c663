import { afterEach, describe, expect, it, vi } from 'vitest';
import { ActiveRecorder, type RecorderOptions } from './active-recorder.js';
import type { LogData, MetricBatch, SpanData } from './catalog/data.js';
import { JsonText } from './record.js';

const NOW = Date.parse('2026-07-26T10:00:00.250Z');
const context = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
const parent = { traceId: 'a'.repeat(32), spanId: 'c'.repeat(16) };

afterEach(() => vi.useRealTimers());

function setUp(overrides: Partial<RecorderOptions> = {}) {
  const sent = { logs: [] as LogData[], spans: [] as SpanData[], metrics: [] as MetricBatch[], closed: 0 };
  const options: RecorderOptions = {
    sessionId: 's1',
    version: '1.2.3',
    logPrompts: true,
    traces: true,
    common: () => ({ 'session.id': 's1', auth_type: undefined }),
    redact: (text) => text.replaceAll('hunter2', '***').replaceAll('line1\nline2', '***'),
    now: () => NOW,
    ...overrides,
  };
  const recorder = new ActiveRecorder(options, {
    log: (data) => sent.logs.push(data),
    span: (data) => sent.spans.push(data),
    metrics: (data) => sent.metrics.push(data),
    shutdown: async () => {
      sent.closed++;
    },
  });
  return { recorder, sent };
}

const resource = {
  attributes: { 'service.name': 'gemini-cli', 'service.version': '1.2.3', 'session.id': 's1' },
};
const instrumentationScope = { name: 'gemini-cli', version: '1.2.3' };

describe('events', () => {
  it('carry name, time, resource, the common attributes and their own', () => {
    const { recorder, sent } = setUp();
    recorder.event(
      'gemini_cli.user_prompt',
      { prompt: 'hi', prompt_length: 2, prompt_id: undefined },
      context,
    );
    const time = [NOW / 1000 - 0.25, 250_000_000];
    expect(sent.logs).toEqual([
      {
        hrTime: time,
        hrTimeObserved: time,
        spanContext: { ...context, traceFlags: 1 },
        resource,
        instrumentationScope,
        _body: 'user prompt',
        attributes: {
          'event.name': 'gemini_cli.user_prompt',
          'event.timestamp': '2026-07-26T10:00:00.250Z',
          'session.id': 's1',
          prompt: 'hi',
          prompt_length: 2,
        },
      },
    ]);
  });

  it('contain no secret in texts, lists, nested values or JSON', () => {
    const { recorder, sent } = setUp();
    recorder.event('gemini_cli.tool_call', {
      function_name: 'x hunter2',
      function_args: new JsonText(() => ({ a: 'hunter2', key: ['line1\nline2'] })),
      error: 'hunter2 failed',
      metadata: { note: 'hunter2', lines: 3 },
    });
    recorder.event('gemini_cli.config', { mcp_servers: ['a', 'hunter2'] });
    expect(sent.logs[0]?.attributes).toMatchObject({
      function_name: 'x ***',
      function_args: '{"a":"***","key":["***"]}',
      error: '*** failed',
      metadata: { note: '***', lines: 3 },
    });
    expect(sent.logs[1]?.attributes).toMatchObject({ mcp_servers: ['a', '***'] });
  });

  it('contain no prompts without logPrompts, which are not even prepared', () => {
    const { recorder, sent } = setUp({ logPrompts: false });
    const expensive = vi.fn();
    recorder.event('gemini_cli.api_request', { model: 'm', request_text: new JsonText(expensive) });
    recorder.event('gemini_cli.hook_call', {
      hook_name: 'KEY=abc "/opt/my hooks/check.sh" --token abc',
      stdout: 'x',
      stderr: '',
      hook_input: 'x',
      exit_code: 0,
    });
    expect(expensive).not.toHaveBeenCalled();
    expect(sent.logs.map(({ attributes }) => attributes)).toEqual([
      expect.not.objectContaining({ request_text: expect.anything() }),
      {
        'event.name': 'gemini_cli.hook_call',
        'event.timestamp': expect.any(String),
        'session.id': 's1',
        hook_name: 'check.sh',
        exit_code: 0,
      },
    ]);
  });

  it('show empty output as empty', () => {
    const { recorder, sent } = setUp();
    recorder.event('gemini_cli.hook_call', { hook_name: 'check.sh --all', stdout: '', stderr: '' });
    expect(sent.logs[0]?.attributes).toMatchObject({ hook_name: 'check.sh --all', stdout: '', stderr: '' });
  });

  it('hide secrets also in argument names', () => {
    const { recorder, sent } = setUp();
    recorder.event('gemini_cli.tool_call', { function_args: new JsonText(() => ({ hunter2: ['hunter2'] })) });
    expect(sent.logs[0]?.attributes['function_args']).toBe('{"***":["***"]}');
  });

  it('survive values that are not JSON', () => {
    const { recorder, sent } = setUp();
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    recorder.event('gemini_cli.tool_call', { function_args: new JsonText(() => circular) });
    recorder.event('gemini_cli.tool_call', { function_args: new JsonText(() => ({ size: 1n })) });
    recorder.event('gemini_cli.tool_call', { function_args: new JsonText(() => undefined) });
    expect(sent.logs.map(({ attributes }) => attributes['function_args'])).toEqual([
      '{"self":"[circular]"}',
      expect.stringContaining('not representable'),
      '',
    ]);
  });

  it('are lost without an error when they cannot be created', () => {
    const { recorder, sent } = setUp();
    recorder.event('gemini_cli.tool_call', {
      function_args: new JsonText(() => {
        throw new Error('broken');
      }),
    });
    recorder.event('gemini_cli.rewind', { outcome: 'x' });
    expect(sent.logs.map(({ attributes }) => attributes['event.name'])).toEqual(['gemini_cli.rewind']);
  });
});

describe('spans', () => {
  const attributes = { 'gen_ai.tool.name': 'ls', 'gen_ai.input.messages': 'hunter2' };
  const span = { name: 'tool_call', context, parent, startMs: NOW, endMs: NOW + 1500, attributes } as const;
  const identity = {
    'gen_ai.operation.name': 'tool_call',
    'gen_ai.agent.name': 'gemini-cli',
    'gen_ai.agent.description': expect.any(String),
    'gen_ai.conversation.id': 's1',
  };

  it('have name, times and parent', () => {
    const { recorder, sent } = setUp();
    recorder.span({ ...span, error: 'no hunter2' });
    expect(sent.spans).toEqual([
      {
        _spanContext: { ...context, traceFlags: 1 },
        parentSpanContext: { ...parent, traceFlags: 1 },
        name: 'tool_call',
        kind: 0,
        startTime: [NOW / 1000 - 0.25, 250_000_000],
        endTime: [NOW / 1000 + 0.75, 750_000_000],
        duration: [1, 500_000_000],
        status: { code: 2, message: 'no ***' },
        attributes: { ...identity, 'gen_ai.tool.name': 'ls', 'gen_ai.input.messages': '***' },
        resource,
        instrumentationScope,
      },
    ]);
  });

  it('have no details without traces, and no messages without logPrompts', () => {
    const plain = setUp({ traces: false });
    plain.recorder.span(span);
    expect(plain.sent.spans[0]?.attributes).toEqual(identity);
    const silent = setUp({ logPrompts: false });
    silent.recorder.span(span);
    expect(silent.sent.spans[0]?.attributes).toEqual({ ...identity, 'gen_ai.tool.name': 'ls' });
  });

  it('cut long texts, after redacting them', () => {
    const { recorder, sent } = setUp();
    const text = `${'x'.repeat(9_996)}hunter2${'y'.repeat(5000)}`;
    recorder.span({ ...span, attributes: { 'gen_ai.input.messages': text } });
    const shown = String(sent.spans[0]?.attributes['gen_ai.input.messages']);
    expect(shown).toBe(`${'x'.repeat(9_996)}***y...[4999 characters cut]`);
    recorder.span({ ...span, attributes: { 'gen_ai.input.messages': `${'x'.repeat(9_999)}😀z` } });
    expect(sent.spans[1]?.attributes['gen_ai.input.messages']).toBe(
      `${'x'.repeat(9_999)}...[3 characters cut]`,
    );
  });
});

describe('metrics', () => {
  it('are cumulative, one point per set of attributes', async () => {
    const { recorder, sent } = setUp();
    recorder.count('gemini_cli.session.count', 1, {});
    recorder.count('gemini_cli.token.usage', 5, { model: 'm', type: 'input' });
    recorder.count('gemini_cli.token.usage', 7, { model: 'm', type: 'input' });
    recorder.count('gemini_cli.token.usage', 1, { model: 'hunter2', type: 'output' });
    recorder.histogram('gemini_cli.tool.call.latency', 12, { function_name: 'ls' });
    recorder.histogram('gemini_cli.tool.call.latency', 20_000, { function_name: 'ls' });
    await recorder.shutdown();
    const at = [NOW / 1000 - 0.25, 250_000_000];
    const times = { startTime: at, endTime: at };
    const common = { 'session.id': 's1' };
    expect(sent.metrics).toEqual([
      {
        resource,
        scopeMetrics: [
          {
            scope: instrumentationScope,
            metrics: [
              {
                descriptor: {
                  name: 'gemini_cli.session.count',
                  type: 'COUNTER',
                  description: 'Sessions started.',
                  unit: '1',
                  valueType: 0,
                },
                aggregationTemporality: 1,
                dataPointType: 3,
                isMonotonic: true,
                dataPoints: [{ ...times, attributes: common, value: 1 }],
              },
              expect.objectContaining({
                dataPoints: [
                  { ...times, attributes: { ...common, model: 'm', type: 'input' }, value: 12 },
                  { ...times, attributes: { ...common, model: '***', type: 'output' }, value: 1 },
                ],
              }),
              expect.objectContaining({
                descriptor: expect.objectContaining({ type: 'HISTOGRAM', unit: 'ms' }),
                dataPointType: 0,
                dataPoints: [
                  {
                    ...times,
                    attributes: { ...common, function_name: 'ls' },
                    value: {
                      min: 12,
                      max: 20_000,
                      sum: 20_012,
                      count: 2,
                      buckets: {
                        boundaries: [
                          0, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10_000,
                        ],
                        counts: [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
                      },
                    },
                  },
                ],
              }),
            ],
          },
        ],
      },
    ]);
  });

  it('are exported every ten seconds, if anything happened', async () => {
    vi.useFakeTimers();
    const { recorder, sent } = setUp();
    recorder.count('gemini_cli.session.count', 1, {});
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent.metrics).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent.metrics).toHaveLength(1);
    recorder.count('gemini_cli.session.count', 1, {});
    await recorder.shutdown();
    expect(sent.metrics).toHaveLength(2);
  });

  it('are limited in number for any untrusted names', async () => {
    const { recorder, sent } = setUp();
    for (let index = 0; index < 2500; index++) {
      recorder.count('gemini_cli.tool.call.count', 1, { function_name: `tool${index}` });
    }
    await recorder.shutdown();
    const points = sent.metrics[0]?.scopeMetrics[0]?.metrics[0]?.dataPoints ?? [];
    expect(points).toHaveLength(2001);
    expect(points.at(-1)).toMatchObject({ attributes: { 'otel.metric.overflow': true }, value: 500 });
  });

  it('ignore values that are not numbers', async () => {
    const { recorder, sent } = setUp();
    recorder.histogram('gemini_cli.tool.call.latency', Number.NaN, {});
    recorder.histogram('gemini_cli.tool.call.latency', Infinity, {});
    await recorder.shutdown();
    expect(sent.metrics).toEqual([]);
  });
});

describe('shutdown', () => {
  it('happens once, and nothing is recorded afterwards', async () => {
    const { recorder, sent } = setUp();
    await Promise.all([recorder.shutdown(), recorder.shutdown()]);
    recorder.event('gemini_cli.rewind', {});
    recorder.count('gemini_cli.session.count', 1, {});
    recorder.span({ name: 'llm_call', context, startMs: 0, endMs: 0, attributes: {} });
    expect(sent).toEqual({ logs: [], spans: [], metrics: [], closed: 1 });
  });
});
