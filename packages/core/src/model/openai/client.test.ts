import {
  announcedAs,
  callTool,
  chunk,
  chunks,
  cut,
  finish,
  type OpenAiStyle,
  pieces,
  raw,
  type Script,
  silence,
  text,
  thought,
  usage,
} from '@gemini-cli/test-utils';
import { describe, expect, it } from 'vitest';
import type { GenerateRequest } from '../content-generator.js';
import { partsOf } from '../content-generator.js';
import { classifyFailure } from '../errors/api-error.js';
import { bed, callsIn, last, look, request, textIn } from './client.test-helper.js';

describe('an OpenAI request', () => {
  it('goes to chat/completions with key, headers and the documented body', async () => {
    const { server, answer } = await bed();
    await answer([text('ok')]);
    const sent = server.lastRequest();
    expect(sent.path).toBe('/v1/chat/completions');
    expect(sent.headers).toMatchObject({ authorization: 'Bearer secret', 'x-mine': '1' });
    expect(sent.headers['user-agent']).toContain('GeminiCLI/1.2.3/test-model');
    expect(sent.body).toEqual({
      model: 'test-model',
      messages: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: 'hi' },
      ],
      stream: true,
      stream_options: { include_usage: true },
      tools: [
        {
          type: 'function',
          function: { name: 'look', description: 'looks', parameters: look.parametersJsonSchema },
        },
      ],
      tool_choice: 'auto',
      temperature: 1,
      top_k: 64,
    });
  });
});

describe('an OpenAI answer', () => {
  it('has text, thoughts and the usage of the last chunk', async () => {
    const { answer } = await bed();
    const counts = {
      promptTokenCount: 100,
      candidatesTokenCount: 7,
      thoughtsTokenCount: 30,
      cachedContentTokenCount: 64,
    };
    const all = await answer([thought('hm'), chunks(['Hel', 'lo']), usage(counts)]);
    expect(all.flatMap(partsOf)[0]).toEqual({ text: 'hm', thought: true });
    expect(textIn(all)).toBe('Hello');
    expect(all.at(-1)).toEqual({
      candidates: [{ finishReason: 'STOP', index: 0 }],
      usageMetadata: { ...counts, totalTokenCount: 137 },
      modelVersion: 'test-model',
      responseId: 'chatcmpl-1',
    });
  });

  it.each<[string, OpenAiStyle]>([
    ['whole', {}],
    ['a character at a time', { fragment: 1 }],
    ['three characters at a time, usage beside the choice', { fragment: 3, usage: 'with_choice' }],
    ['without [DONE] and without usage', { done: false, usage: 'none', fragment: 5 }],
  ])('carries calls that arrive %s', async (_what, style) => {
    const { answer } = await bed(style);
    const args = { path: 'ä "quoted" \\ {}[]', deep: [{ a: null }] };
    const all = await answer([text('see'), callTool('look', args, 'c1'), callTool('look', { path: 'b' })]);
    expect(textIn(all)).toBe('see');
    expect(callsIn(all)).toEqual([
      { id: 'c1', name: 'look', args },
      { id: 'look_chatcmpl1_1', name: 'look', args: { path: 'b' } },
    ]);
    expect(last(all)?.finishReason).toBe('STOP');
  });

  it('survives bytes cut anywhere, comments and garbage between the events', async () => {
    const { answer } = await bed();
    const all = await answer([
      pieces(1, raw(': OPENROUTER PROCESSING\n\n'), text('größe 🎉'), raw('data: {broken\n\n'), text('!')),
    ]);
    expect(textIn(all)).toBe('größe 🎉!');
  });

  it('reads the other reasoning field, and a stream with another content type', async () => {
    const { answer } = await bed({ reasoning: 'reasoning' });
    const all = await answer([announcedAs('text/plain'), thought('hm'), text('ok')]);
    expect(all.flatMap(partsOf)).toEqual([{ text: 'hm', thought: true }, { text: 'ok' }]);
  });

  it.each([
    ['length', 'MAX_TOKENS'],
    ['content_filter', 'SAFETY'],
    ['stop', 'STOP'],
    ['something new', 'STOP'],
  ])('with the finish reason %s becomes %s', async (reason, expected) => {
    const { answer } = await bed();
    expect(last(await answer([text('x'), finish(reason)]))?.finishReason).toBe(expected);
  });

  it('may come as one document', async () => {
    const { server, api } = await bed();
    server.replies([thought('hm'), text('ok'), callTool('look', { path: 'a' }, 'c')]);
    expect(await api.generateContent(request, new AbortController().signal)).toMatchObject({
      candidates: [
        {
          finishReason: 'STOP',
          content: {
            parts: [
              { text: 'hm', thought: true },
              { text: 'ok' },
              { functionCall: { id: 'c', name: 'look', args: { path: 'a' } } },
            ],
          },
        },
      ],
      usageMetadata: { totalTokenCount: 15 },
    });
    expect(server.lastRequest().body.stream).toBe(false);
  });

  it('ends although the server keeps the connection open after [DONE]', async () => {
    const { answer } = await bed();
    const all = await answer([text('ok'), raw('data: [DONE]\n\n'), silence()]);
    expect(textIn(all)).toBe('ok');
    expect(last(all)?.finishReason).toBe('STOP');
  });

  it('returns the reasoning details that OpenRouter needs back', async () => {
    const { server, answer } = await bed();
    const detail = (fields: object) =>
      chunk({ choices: [{ index: 0, delta: { reasoning_details: [fields] } }] });
    const all = await answer([
      detail({ type: 'reasoning.text', index: 0, text: 'I th' }),
      detail({ type: 'reasoning.text', index: 0, text: 'ink', signature: 's' }),
      detail({ type: 'reasoning.encrypted', index: 1, data: 'abc' }),
      callTool('look', { path: 'a' }, 'c'),
    ]);
    const parts = all.flatMap(partsOf);
    const response = { functionResponse: { id: 'c', name: 'look', response: { output: 'A' } } };
    const asked: GenerateRequest = {
      ...request,
      messages: [
        ...request.messages,
        { role: 'model', origin: 'model', parts },
        { role: 'user', origin: 'tool_response', parts: [response] },
      ],
    };
    await answer([text('ok')], asked);
    expect(server.lastRequest().body.messages[2]).toMatchObject({
      reasoning_details: [
        { type: 'reasoning.text', index: 0, text: 'I think', signature: 's' },
        { type: 'reasoning.encrypted', index: 1, data: 'abc' },
      ],
    });
    const other = await bed({}, { id: 'vllm' });
    await other.answer([text('ok')], asked);
    expect(other.server.lastRequest().body.messages[2]).not.toHaveProperty('reasoning_details');
  });
});

describe('an incomplete call is never returned', () => {
  it.each<[string, Script, string | undefined]>([
    ['broken arguments', [callTool('look', '{"path":"a'), finish('tool_calls')], 'MALFORMED_FUNCTION_CALL'],
    ['arguments that are a list', [callTool('look', '[1]')], 'MALFORMED_FUNCTION_CALL'],
    [
      'one of two broken',
      [callTool('look', { path: 'a' }), callTool('look', '{')],
      'MALFORMED_FUNCTION_CALL',
    ],
    [
      'the output limit before the arguments',
      [callTool('look', ''), finish('length')],
      'MALFORMED_FUNCTION_CALL',
    ],
    [
      'a lost chunk',
      [callTool('look', { path: 'a' }), raw('data: {"choices":[{"del\n\n')],
      'MALFORMED_FUNCTION_CALL',
    ],
    ['a stream that just ends', [callTool('look', { path: 'a' }), finish('')], undefined],
    ['the content filter', [callTool('look', { path: 'a' }), finish('content_filter')], 'SAFETY'],
  ])('%s', async (_what, script, reason) => {
    const { answer } = await bed();
    const all = await answer(script);
    expect(callsIn(all)).toEqual([]);
    expect(last(all)?.finishReason).toBe(reason);
  });

  it('after a cut connection', async () => {
    const { answer } = await bed();
    const failure = await answer([callTool('look', { path: 'a' }), cut()]).catch((error: unknown) => error);
    expect(classifyFailure(failure)).toEqual({ kind: 'retryable', network: true });
  });
});

describe('a thousand calls in one answer', () => {
  it('arrive in order', async () => {
    const { answer } = await bed();
    const all = await answer(
      Array.from({ length: 1000 }, (_, n) => callTool('look', { path: `${n}` }, `c${n}`)),
    );
    expect(callsIn(all).map(({ args }) => args['path'])).toEqual(
      Array.from({ length: 1000 }, (_, n) => `${n}`),
    );
  });
});

describe('the other OpenAI calls', () => {
  it('list the models, embed, and estimate tokens', async () => {
    const { server, api } = await bed();
    const { signal } = new AbortController();
    server.models = ['a', 'b/c'];
    expect(await api.listModels(signal)).toEqual(['a', 'b/c']);
    expect(await api.embedContent({ model: 'e', texts: ['x', 'y'] }, signal)).toEqual({
      embeddings: [
        [0, 1, 0],
        [1, 1, 0],
      ],
    });
    const asked = { ...request, tools: [], systemInstruction: 'a'.repeat(40) };
    const messages = [{ role: 'user' as const, origin: 'prompt' as const, parts: [{ text: '漢字' }] }];
    expect(await api.countTokens({ ...asked, messages })).toEqual({ totalTokens: 10 + 4 + 3 });
  });
});
