import {
  type AnthropicServer,
  anthropicError,
  anthropicErrorEvent,
  callInPieces,
  callTool,
  cut,
  finish,
  pieces,
  raw,
  redactedThinking,
  respond,
  type Script,
  silence,
  startAnthropicServer,
  text,
  thinking,
  usage,
  wrongContentType,
} from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AnswerBuilder } from '../../agent/chat/answer-builder.js';
import { HttpClient } from '../../platform/net/http.js';
import type { Message } from '../../protocol/messages.js';
import type { GenerateRequest, GenerateResponse } from '../content-generator.js';
import { partsOf } from '../content-generator.js';
import { classifyFailure } from '../errors/api-error.js';
import type { Provider } from '../providers.js';
import { AnthropicApi } from './client.js';

const user = (value: string): Message => ({ role: 'user', origin: 'prompt', parts: [{ text: value }] });
const look = { name: 'look', description: 'looks', parametersJsonSchema: { type: 'object' as const } };
const request: GenerateRequest = {
  model: 'claude-x',
  messages: [user('hi')],
  systemInstruction: 'be brief',
  tools: [look],
  role: 'main',
  promptId: 'p',
};

let server: AnthropicServer;
let http: HttpClient;
let provider: Provider;
let api: AnthropicApi;
beforeEach(async () => {
  server = await startAnthropicServer();
  http = new HttpClient();
  provider = {
    id: 'anthropic',
    type: 'anthropic',
    baseUrl: new URL(server.url),
    apiKey: 'secret',
    headers: { 'x-own': 'yes' },
    supportsTools: true,
    supportsImages: true,
    isLocal: true,
  };
  api = new AnthropicApi(provider, http, 'GeminiCLI/1.2.3');
});
afterEach(async () => {
  http.close();
  await server.close();
});

const never = new AbortController().signal;
async function ask(messages = request.messages, signal = never): Promise<GenerateResponse[]> {
  const all: GenerateResponse[] = [];
  for await (const item of api.generateContentStream({ ...request, messages }, signal)) all.push(item);
  return all;
}
async function answerTo(script: Script) {
  server.replies(script);
  const builder = new AnswerBuilder();
  for (const item of await ask()) builder.add(item);
  return { parts: builder.finish().parts, finishReason: builder.finishReason, usage: builder.usage };
}
const failure = (script: Script) =>
  answerTo(script).then(
    () => undefined,
    (error: unknown) => ({ ...classifyFailure(error), text: (error as Error).message }),
  );

describe('an Anthropic request', () => {
  it('has the headers and the body of the Messages API', async () => {
    server.replies([text('ok')]);
    await ask();
    const { httpMethod, path, headers, body } = server.lastRequest();
    expect([httpMethod, path]).toEqual(['POST', '/v1/messages']);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-api-key': 'secret',
      'anthropic-version': '2023-06-01',
      'x-own': 'yes',
      'user-agent': expect.stringMatching(/^GeminiCLI\/1\.2\.3\/claude-x \(/),
    });
    const mark = { cache_control: { type: 'ephemeral' } };
    expect(body).toEqual({
      model: 'claude-x',
      max_tokens: 8192,
      stream: true,
      system: [{ type: 'text', text: 'be brief', ...mark }],
      tools: [
        { name: 'look', description: 'looks', input_schema: { type: 'object', properties: {} }, ...mark },
      ],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi', ...mark }] }],
    });
  });

  it.each(['/proxy', '/proxy/', '/proxy/v1', '/proxy/v1/'])(
    'keeps the path %s of the address',
    async (path) => {
      server.replies([text('ok')]);
      api = new AnthropicApi({ ...provider, baseUrl: new URL(server.url + path) }, http, 'GeminiCLI/1');
      await ask();
      expect(server.lastRequest().path).toBe('/proxy/v1/messages');
    },
  );
});

describe('a streamed Anthropic answer', () => {
  it('has text, a finish reason and the sums of its tokens', async () => {
    const counts = { promptTokenCount: 100, cachedContentTokenCount: 80, candidatesTokenCount: 7 };
    expect(await answerTo([text('Hel'), text('lo'), usage(counts)])).toEqual({
      parts: [{ text: 'Hello' }],
      finishReason: 'STOP',
      usage: { prompt: 100, candidates: 7, cached: 80, thoughts: 0, tool: 0, total: 107 },
    });
  });

  it('survives cuts inside characters and tokens', async () => {
    const args = { file: 'näme 🚀', deep: { list: [1, 'ü'] } };
    const { parts } = await answerTo([pieces(3, text('größe 🚀'), callTool('look', args, 'a'))]);
    expect(parts).toEqual([{ text: 'größe 🚀' }, { functionCall: { id: 'a', name: 'look', args } }]);
  });

  it('has no arguments when none were sent', async () => {
    const { parts } = await answerTo([callInPieces('look', [], 'a')]);
    expect(parts).toEqual([{ functionCall: { id: 'a', name: 'look', args: {} } }]);
  });

  it('shows thinking as thoughts, by paragraphs', async () => {
    server.replies([thinking('**Plan** first\n\nsecond', 'sig'), text('ok')]);
    const thoughts = (await ask()).flatMap(partsOf).filter((part) => part.thought);
    expect(thoughts.map((part) => part.text)).toEqual(['**Plan** first', 'second']);
  });

  it.each([
    ['end_turn', 'STOP'],
    ['stop_sequence', 'STOP'],
    ['max_tokens', 'MAX_TOKENS'],
    ['model_context_window_exceeded', 'MAX_TOKENS'],
    ['refusal', 'SAFETY'],
    ['something_new', 'OTHER'],
  ])('with the stop reason %s has the finish reason %s', async (reason, expected) => {
    expect((await answerTo([text('a'), finish(reason)])).finishReason).toBe(expected);
  });

  it('is continued after a pause, and both requests are counted', async () => {
    server.replies([text('one '), finish('pause_turn')]);
    const { parts, finishReason, usage: counted } = await answerTo([text('two')]);
    expect({ parts, finishReason }).toEqual({ parts: [{ text: 'one two' }], finishReason: 'STOP' });
    expect(counted).toMatchObject({ prompt: 20, candidates: 10, total: 30 });
  });

  it('ends after too many pauses', async () => {
    for (let n = 0; n < 6; n++) server.replies([text('x'), finish('pause_turn')]);
    const chunks = await ask();
    expect(chunks.at(-1)?.candidates?.[0]?.finishReason).toBe('STOP');
    expect(server.remaining()).toBe(0);
  });

  it('may come as one message', async () => {
    const content = [
      { type: 'text', text: 'hi' },
      { type: 'tool_use', id: 't', name: 'look', input: { a: 1 } },
    ];
    const message = JSON.stringify({ type: 'message', content, stop_reason: 'tool_use', usage: {} });
    const { parts, finishReason } = await answerTo([wrongContentType('application/json', message)]);
    expect(finishReason).toBe('STOP');
    expect(parts).toEqual([{ text: 'hi' }, { functionCall: { id: 't', name: 'look', args: { a: 1 } } }]);
  });
});

/** A whole call, and then nothing: no reason, no error. */
const ENDLESS = [
  { type: 'message_start', message: { usage: { input_tokens: 1 } } },
  {
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'tool_use', id: 'a', name: 'look', input: {} },
  },
  { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"a":1}' } },
  { type: 'content_block_stop', index: 0 },
]
  .map((event) => `data: ${JSON.stringify(event)}\n\n`)
  .join('');

describe('an incomplete call never runs', () => {
  it.each<[string, Script, string | undefined]>([
    ['unreadable arguments', [callInPieces('look', ['{"a": "b'])], 'MALFORMED_FUNCTION_CALL'],
    ['arguments that are no object', [callInPieces('look', ['[1]'])], 'MALFORMED_FUNCTION_CALL'],
    [
      'a good one beside a bad one',
      [callTool('look', { a: 1 }, 'a'), callInPieces('look', ['{'])],
      'MALFORMED_FUNCTION_CALL',
    ],
    [
      'a garbled event among the arguments',
      [raw('data: {"type":"content_block_delta"\n\n'), callTool('look', { a: 1 })],
      'MALFORMED_FUNCTION_CALL',
    ],
    ['the output limit before the arguments', [callInPieces('look', []), finish('max_tokens')], 'MAX_TOKENS'],
    [
      'the output limit among the arguments',
      [callInPieces('look', ['{"a']), finish('max_tokens')],
      'MAX_TOKENS',
    ],
    [
      'more arguments than any tool takes',
      [callInPieces('look', ['{"a":"', ...Array.from({ length: 33 }, () => 'x'.repeat(1024 * 1024)), '"}'])],
      'MALFORMED_FUNCTION_CALL',
    ],
    ['a stream that just ends', [respond(200, ENDLESS, { 'content-type': 'text/event-stream' })], undefined],
  ])('%s', { timeout: 30_000 }, async (_what, script, reason) => {
    const { parts, finishReason } = await answerTo(script);
    expect(finishReason).toBe(reason);
    expect(parts.filter((part) => part.functionCall)).toEqual([]);
  });

  it('after a connection that is cut after the call', async () => {
    server.replies([text('I will'), callTool('look', { a: 1 }), cut()]);
    const seen: GenerateResponse[] = [];
    const run = async () => {
      for await (const item of api.generateContentStream(request, never)) seen.push(item);
    };
    await expect(run()).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(seen.flatMap(partsOf).filter((part) => part.functionCall)).toEqual([]);
  });
});

describe('returned thinking', () => {
  it('comes unchanged before the calls it led to', async () => {
    server.replies([
      thinking('Let me see.\n\nYes.', 'sig-1'),
      redactedThinking('c2VjcmV0'),
      text('I look.'),
      callTool('look', { a: 1 }, 'toolu_1'),
      callTool('look', {}, 'toolu_2'),
    ]);
    const builder = new AnswerBuilder();
    for (const item of await ask()) builder.add(item);
    const results = ['toolu_1', 'toolu_2'].map((id) => ({
      functionResponse: { id, name: 'look', response: { output: `saw ${id}` } },
    }));
    server.replies([text('done')]);
    await ask([user('hi'), builder.finish(), { role: 'user', origin: 'tool_response', parts: results }]);
    expect(server.lastRequest().body.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Let me see.\n\nYes.', signature: 'sig-1' },
          { type: 'redacted_thinking', data: 'c2VjcmV0' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'toolu_1', name: 'look', input: { a: 1 } },
          { type: 'tool_use', id: 'toolu_2', name: 'look', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'saw toolu_1' },
          {
            type: 'tool_result',
            tool_use_id: 'toolu_2',
            content: 'saw toolu_2',
            cache_control: { type: 'ephemeral' },
          },
        ],
      },
    ]);
  });
});

describe('an Anthropic error', () => {
  it.each<[string, Script, object]>([
    [
      '429 with retry-after',
      [anthropicError(429, 'rate_limit_error', 'Slow down', { 'retry-after': '7' })],
      {
        kind: 'retryable',
        delayMs: 7000,
        text: 'anthropic/claude-x: Slow down (HTTP 429, rate_limit_error)',
      },
    ],
    [
      '429 with a wait of an hour',
      [anthropicError(429, 'rate_limit_error', 'Slow down', { 'retry-after': '3600' })],
      { kind: 'terminal' },
    ],
    [
      '529',
      [anthropicError(529, 'overloaded_error', 'Overloaded')],
      { kind: 'retryable', text: 'anthropic/claude-x: Overloaded (HTTP 529, overloaded_error)' },
    ],
    ['500', [anthropicError(500, 'api_error', 'Internal')], { kind: 'retryable' }],
    [
      'overload inside the stream',
      [text('a'), anthropicErrorEvent('overloaded_error', 'Over')],
      { kind: 'retryable' },
    ],
    [
      '401',
      [anthropicError(401, 'authentication_error', 'invalid x-api-key')],
      { kind: 'auth', text: expect.stringContaining('Check the API key of the provider "anthropic"') },
    ],
    ['403', [anthropicError(403, 'permission_error', 'no')], { kind: 'fatal' }],
    ['404', [anthropicError(404, 'not_found_error', 'model: x')], { kind: 'not_found' }],
    ['400', [anthropicError(400, 'invalid_request_error', 'bad')], { kind: 'fatal' }],
    [
      '413',
      [anthropicError(413, 'request_too_large', 'big')],
      { kind: 'fatal', text: expect.stringContaining('/compress') },
    ],
    [
      'an empty account',
      [anthropicError(400, 'invalid_request_error', 'Your credit balance is too low to access the API.')],
      { kind: 'terminal', text: expect.stringContaining('(HTTP 400, invalid_request_error). Add credit') },
    ],
    [
      'a web page',
      [wrongContentType()],
      {
        kind: 'fatal',
        text: expect.stringContaining('did not answer with a model stream but with text/html'),
      },
    ],
  ])('%s', async (_what, script, expected) => {
    expect(await failure(script)).toMatchObject(expected);
  });

  it('is not reported when a silent stream is cancelled, which ends at once', async () => {
    server.replies([text('a'), silence()]);
    const stop = new AbortController();
    const stream = api.generateContentStream(request, stop.signal);
    await stream.next();
    stop.abort();
    await expect(stream.next()).rejects.toMatchObject({ name: 'AbortError' });
    expect(await server.lastRequest().hungUp).toBe(true);
  });
});

describe('the other Anthropic calls', () => {
  it('answer without a stream', async () => {
    server.replies([thinking('hm', 's'), text('hi'), callTool('look', { a: 1 }, 't')]);
    const answer = await api.generateContent(request, never);
    expect(server.lastRequest().body.stream).toBeUndefined();
    expect(partsOf(answer)).toMatchObject([
      { text: 'hm', thought: true },
      { text: 'hi' },
      { functionCall: { id: 't', name: 'look', args: { a: 1 } } },
    ]);
    expect(answer).toMatchObject({
      candidates: [{ finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    });
  });

  it('count tokens by the server, or estimate where it cannot', async () => {
    server.countTokens = () => 42;
    expect(await api.countTokens(request, never)).toEqual({ totalTokens: 42 });
    const { body, path } = server.all[0] ?? {};
    expect(path).toBe('/v1/messages/count_tokens');
    expect(Object.keys(body ?? {}).sort()).toEqual(['messages', 'model', 'system', 'tools']);
    server.countTokens = undefined;
    expect((await api.countTokens(request, never)).totalTokens).toBeGreaterThan(5);
  });

  it('list the models', async () => {
    server.models = ['claude-a', 'claude-b'];
    expect(await api.listModels(never)).toEqual(['claude-a', 'claude-b']);
  });

  it('refuse embeddings', async () => {
    await expect(api.embedContent({ model: 'x', texts: ['a'] }, never)).rejects.toMatchObject({
      code: 'not_supported',
    });
  });
});
