import { setLogSink } from '@gemini-cli/core';
import { describe, expect, it, vi } from 'vitest';
import {
  GeminiCliError,
  ModelVisibleError,
  SessionBusyError,
  SessionClosedError,
  tool,
  z,
} from '../index.js';
import { call, eventsOf, lab, told } from '../testing/agent-lab.test-helper.js';

const nothing = z.object({});

describe('a session', () => {
  it('yields the events of a prompt with a tool call, in order', async () => {
    const { agent, model } = lab([
      {
        thoughts: [{ subject: 'Sum', description: 'I add.' }],
        calls: [{ name: 'add', args: { a: 1, b: 2 } }],
      },
      'It is 3.',
    ]);
    const add = tool(
      { name: 'add', description: 'adds', inputSchema: z.object({ a: z.number(), b: z.number() }) },
      ({ a, b }) => a + b,
    );
    const events = await eventsOf(
      agent({ tools: [add] })
        .session()
        .sendStream('1 + 2?'),
    );
    expect(events.map(({ type }) => type)).toEqual([
      'model_info',
      'thought',
      'tool_call_request',
      'finished',
      'tool_call_response',
      'content',
      'finished',
    ]);
    expect(events[1]).toEqual({ type: 'thought', value: { subject: 'Sum', description: 'I add.' } });
    expect(events[2]).toMatchObject({
      value: { name: 'add', args: { a: 1, b: 2 }, isClientInitiated: false },
    });
    expect(told(model)).toEqual(['3']);
  });

  it('keeps the conversation between prompts, and its transcript', async () => {
    const { agent, model } = lab(['Hello.', 'You said hi.']);
    const session = agent().session();
    await session.send('hi');
    const { text, sessionId, finishReason, stats } = await session.send('what did I say?');
    expect({ text, sessionId, finishReason }).toEqual({
      text: 'You said hi.',
      sessionId: session.id,
      finishReason: 'stop',
    });
    expect(stats.total_tokens).toBeGreaterThan(0);
    expect(session.transcript.map(({ parts }) => parts[0]?.text)).toEqual([
      'hi',
      'Hello.',
      'what did I say?',
      'You said hi.',
    ]);
    expect(JSON.stringify(model.requests[1]?.contents)).toContain('Hello.');
  });

  it('refuses a second prompt while one is running', async () => {
    const { agent } = lab([{ text: 'late', delayMs: 50 }]);
    const session = agent().session();
    const first = session.send('one');
    await expect(session.send('two')).rejects.toBeInstanceOf(SessionBusyError);
    expect((await first).text).toBe('late');
  });

  it('rejects when the model fails, and stays usable', async () => {
    const { agent } = lab([{ error: { status: 400, message: 'bad request' } }, 'fine']);
    const session = agent().session();
    const error = await session.send('one').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GeminiCliError);
    expect(error).toMatchObject({
      code: 'ApiError',
      status: 400,
      message: expect.stringContaining('bad request'),
    });
    expect((await session.send('two')).text).toBe('fine');
  });

  it('ends a stream with the error event', async () => {
    const { agent } = lab([{ error: { status: 400, message: 'bad request' } }]);
    const events = await eventsOf(agent().sendStream('one'));
    expect(events.at(-1)).toEqual({
      type: 'error',
      value: { error: { message: expect.stringContaining('bad request'), status: 400 } },
    });
  });

  it('cancels with a signal and with cancel()', async () => {
    const { agent } = lab([
      { text: 'never', delayMs: 60_000 },
      { text: 'never', delayMs: 60_000 },
    ]);
    const session = agent().session();
    const controller = new AbortController();
    const first = session.send('one', { signal: controller.signal });
    await session.initialize();
    controller.abort();
    expect((await first).finishReason).toBe('cancelled');
    const second = eventsOf(session.sendStream('two'));
    await new Promise(setImmediate);
    session.cancel();
    expect((await second).at(-1)).toEqual({ type: 'user_cancelled' });
  });

  it('ends the tools of a prompt whose reader leaves the loop', async () => {
    let signal: AbortSignal | undefined;
    const wait = tool({ name: 'wait', description: 'waits', inputSchema: nothing }, (_params, ctx) => {
      ({ signal } = ctx);
      return new Promise(() => undefined);
    });
    const { agent } = lab([call('wait'), 'next']);
    const session = agent({ tools: [wait] }).session();
    for await (const { type } of session.sendStream('go')) {
      if (type === 'finished') break;
    }
    expect(signal?.aborted ?? true).toBe(true);
    expect((await session.send('again')).text).toBe('next');
  });

  it('stops after the turns that the caller allows', async () => {
    const again = tool({ name: 'again', description: 'again', inputSchema: nothing }, () => 'ok');
    const { agent, model } = lab([call('again'), call('again'), call('again')]);
    const result = await agent({ tools: [again] }).send('go', { maxTurns: 2 });
    expect(result.finishReason).toBe('max_turns');
    expect(result.toolCalls).toHaveLength(2);
    expect(model.requests).toHaveLength(2);
  });

  it('speaks stream-json', async () => {
    const add = tool({ name: 'add', description: 'adds', inputSchema: nothing }, () => '3');
    const { agent } = lab([call('add'), 'It is 3.']);
    const items = [];
    for await (const item of agent({ tools: [add], model: 'some-model' }).sendStream('1 + 2?', {
      format: 'stream-json',
    }))
      items.push(item);
    expect(items.map(({ type }) => type)).toEqual([
      'init',
      'message',
      'tool_use',
      'tool_result',
      'message',
      'result',
    ]);
    expect(items[3]).toMatchObject({ status: 'success', output: '3', tool_id: expect.any(String) });
    expect(items.every(({ timestamp }) => !Number.isNaN(Date.parse(timestamp)))).toBe(true);
  });

  it('begins an empty conversation with clear()', async () => {
    const { agent, model } = lab(['one', 'two']);
    const session = agent().session();
    await session.send('first words');
    const before = session.id;
    await session.clear();
    expect(session.id).not.toBe(before);
    expect(session.transcript).toEqual([]);
    await session.send('second');
    expect(JSON.stringify(model.requests[1]?.contents)).not.toContain('first words');
  });

  it('refuses prompts after close()', async () => {
    const { agent } = lab(['one']);
    const session = agent().session();
    await session.send('hi');
    await session.close();
    await session.close();
    await expect(session.send('more')).rejects.toBeInstanceOf(SessionClosedError);
  });

  it('writes its log to stderr with debug', async () => {
    const { agent } = lab(['hi']);
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      const logging = tool({ name: 'log', description: 'l', inputSchema: nothing }, () => 'ok');
      const session = agent({ debug: true, tools: [logging] }).session();
      await session.send('go');
      session.context().log('a line\nof mine');
      expect(written.mock.calls.map(([text]) => text)).toContain('[DEBUG] [sdk] a line of mine\n');
    } finally {
      written.mockRestore();
      setLogSink(undefined);
    }
  });

  it('takes tools between prompts', async () => {
    const { agent, model } = lab(['no tool', call('late'), 'done']);
    const session = agent().session();
    await session.send('one');
    session.addTools(tool({ name: 'late', description: 'late', inputSchema: nothing }, () => 'it works'));
    await session.send('two');
    expect(told(model)).toEqual(['it works']);
    expect(model.requests[0]?.tools.map(({ name }) => name)).not.toContain('late');
  });

  it('disposes in the middle of a tool', async () => {
    const hang = tool(
      { name: 'hang', description: 'hangs', inputSchema: nothing },
      () => new Promise(() => undefined),
    );
    const { agent } = lab([call('hang')]);
    const mine = agent({ tools: [hang] });
    const stream = mine.sendStream('go');
    for (let next = await stream.next(); !next.done; next = await stream.next())
      if (next.value.type === 'tool_call_request') break;
    const rest = eventsOf(stream);
    await mine.dispose();
    expect((await rest).at(-1)).toEqual({ type: 'user_cancelled' });
  });
});

describe('tools that fail', () => {
  const failing = (error: unknown, sendErrorsToModel = false) =>
    tool({ name: 'fail', description: 'fails', inputSchema: nothing, sendErrorsToModel }, () => {
      throw error;
    });

  it('rejects the prompt with what the tool threw', async () => {
    const { agent } = lab([call('fail'), 'unused']);
    const cause = new RangeError('broken');
    const error = await agent({ tools: [failing(cause)] })
      .send('go')
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GeminiCliError);
    expect(error).toMatchObject({ message: expect.stringContaining('broken'), cause });
  });

  it('tells the model about a ModelVisibleError', async () => {
    const { agent, model } = lab([call('fail'), 'I see.']);
    const { text, toolCalls } = await agent({ tools: [failing(new ModelVisibleError('try b'))] }).send('go');
    expect(text).toBe('I see.');
    expect(told(model)).toEqual(['try b']);
    expect(toolCalls).toMatchObject([{ status: 'error', error: 'try b' }]);
  });

  it('tells the model about every error with sendErrorsToModel', async () => {
    const { agent, model } = lab([call('fail'), 'I see.']);
    await agent({ tools: [failing(new Error('no luck'), true)] }).send('go');
    expect(told(model)).toEqual(['no luck']);
  });

  it('tells the model about wrong arguments', async () => {
    const { agent, model } = lab([call('half', { n: 'x' }), 'ok']);
    const half = tool(
      { name: 'half', description: 'halves', inputSchema: z.object({ n: z.number() }) },
      ({ n }) => n / 2,
    );
    await agent({ tools: [half] }).send('go');
    expect(told(model)[0]).toMatch(/n: .*number/);
  });

  it('survives results that are circular, huge, undefined, or a bigint', async () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const results: Record<string, unknown> = {
      circular,
      huge: 'x'.repeat(50 * 1024 * 1024),
      nothing: undefined,
      big: { n: 1n },
      parts: [{ text: 'a part' }],
    };
    const give = tool(
      { name: 'give', description: 'gives', inputSchema: z.object({ what: z.string() }) },
      ({ what }) => results[what],
    );
    const { agent, model } = lab([...Object.keys(results).map((what) => call('give', { what })), 'done']);
    expect((await agent({ tools: [give] }).send('go')).text).toBe('done');
    expect(told(model)).toEqual([
      expect.stringContaining('cannot be written as JSON'),
      expect.stringContaining('result is too large'),
      'null',
      expect.stringContaining('cannot be written as JSON'),
      'a part',
    ]);
  });
});
