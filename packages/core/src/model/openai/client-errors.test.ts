import {
  chunk,
  openAiError,
  respond,
  type Script,
  silence,
  text,
  wrongContentType,
} from '@gemini-cli/test-utils';
import { describe, expect, it } from 'vitest';
import { classifyFailure } from '../errors/api-error.js';
import { bed, collect, request, textIn } from './client.test-helper.js';

describe('an OpenAI error', () => {
  const failureOf = async (script: Script) => {
    const { answer } = await bed();
    return answer(script).catch((error: unknown) => error);
  };

  it.each<[string, Script, object, object]>([
    [
      '401',
      [openAiError(401, 'Incorrect API key', { code: 'invalid_api_key' })],
      {
        status: 401,
        message: 'ollama/test-model, HTTP 401: Incorrect API key. Check the key of the provider "ollama".',
      },
      { kind: 'auth' },
    ],
    [
      'Retry-After',
      [openAiError(429, 'slow down', { headers: { 'retry-after': '2' } })],
      { status: 429, retryAfterMs: 2000 },
      { kind: 'retryable', delayMs: 2000 },
    ],
    [
      'x-ratelimit-reset-*',
      [
        openAiError(429, 'slow', {
          headers: { 'x-ratelimit-reset-requests': '1s', 'x-ratelimit-reset-tokens': '1m0.5s' },
        }),
      ],
      { retryAfterMs: 60_500 },
      { kind: 'retryable', delayMs: 60_500 },
    ],
    [
      'an exhausted account',
      [
        openAiError(429, 'You exceeded your current quota', {
          type: 'insufficient_quota',
          code: 'insufficient_quota',
        }),
      ],
      { status: 429, terminal: true },
      { kind: 'terminal' },
    ],
    [
      'a conversation that is too long',
      [
        openAiError(400, "This model's maximum context length is 8192 tokens.", {
          code: 'context_length_exceeded',
        }),
      ],
      { status: 400, details: [{ reason: 'context_length_exceeded' }] },
      { kind: 'fatal' },
    ],
    [
      'an error inside the stream',
      [text('x'), chunk({ error: { message: 'Overloaded', code: 503 } })],
      { status: 503, message: 'ollama/test-model, HTTP 503: Overloaded.' },
      { kind: 'retryable' },
    ],
    [
      'an error as a bare string',
      [respond(404, '{"error":"model \'x\' not found, try pulling it first"}')],
      { status: 404, message: expect.stringContaining("model 'x' not found, try pulling it first") },
      { kind: 'not_found' },
    ],
    [
      'a web page',
      [wrongContentType()],
      { status: 0, message: expect.stringContaining('text/html') },
      { kind: 'fatal' },
    ],
    ['an empty body', [respond(502, '')], { status: 502 }, { kind: 'retryable' }],
  ])('%s', async (_what, script, expected, failure) => {
    const error = await failureOf(script);
    expect(error).toMatchObject({ name: 'ApiError', ...expected });
    expect(classifyFailure(error)).toEqual(failure);
  });

  it.each([
    ['ollama', 'ollama serve'],
    ['lmstudio', 'LM Studio'],
    ['llamacpp', 'llama-server'],
    ['vllm', 'vllm serve'],
    ['own', 'Start it'],
  ])('from a refused connection to %s names the address and says "%s"', async (id, words) => {
    const { server, api } = await bed({}, { id });
    await server.close();
    const error = await collect(api, request).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ message: expect.stringContaining(words) });
    expect(error).toMatchObject({ message: expect.stringContaining('http://127.0.0.1:') });
    expect(classifyFailure(error).kind).toBe('fatal');
  });

  it('is not reported when the user cancels', async () => {
    const { server, api } = await bed();
    server.replies([text('x'), silence()]);
    const controller = new AbortController();
    const stream = api.generateContentStream(request, controller.signal);
    await stream.next();
    controller.abort();
    await expect(stream.next()).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('an option that a server does not support', () => {
  it('is dropped for tools with one notice, and not sent again', async () => {
    const { server, answer, notices } = await bed();
    server.replies([openAiError(400, 'registry.ollama.ai/library/x does not support tools')]);
    expect(textIn(await answer([text('chat')]))).toBe('chat');
    expect(textIn(await answer([text('more')]))).toBe('more');
    expect(server.requests.map(({ body }) => body.tools?.length)).toEqual([1, undefined, undefined]);
    expect(notices).toEqual([expect.stringMatching(/model does not support tools.*ollama\/test-model/i)]);
  });

  it.each([
    ['stream_options', 'Extra inputs are not permitted: stream_options'],
    ['response_format', 'response_format json_schema is not available'],
    ['reasoning_effort', 'Unrecognized request argument supplied: reasoning_effort'],
    ['max_tokens', "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."],
  ])('is dropped: %s', async (field, message) => {
    const { server, answer } = await bed();
    const settings = {
      responseJsonSchema: { type: 'object' },
      maxOutputTokens: 9,
      thinkingConfig: { thinkingLevel: 'HIGH' },
    };
    server.replies([openAiError(400, message)]);
    await answer([text('{}')], { ...request, tools: [], settings });
    const [first, second] = server.requests.map(({ body }) => body[field]);
    expect(first).toBeDefined();
    expect(second).not.toEqual(first);
  });

  it.each([
    "Invalid schema for function 'look': not supported",
    "messages with role 'tool' must follow a call",
  ])('is kept after: %s', async (message) => {
    const { server, answer } = await bed();
    await expect(answer([openAiError(400, message)])).rejects.toMatchObject({ status: 400 });
    expect(server.requests).toHaveLength(1);
  });
});
