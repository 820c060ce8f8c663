import {
  anthropicError,
  apiError,
  blocked,
  emptyStop,
  finish,
  type ModelServer,
  openAiError,
  startAnthropicServer,
  startModelServer,
  startOpenAiServer,
  text,
} from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FatalBudgetError } from '../../base/errors.js';
import { HttpClient } from '../../platform/net/http.js';
import { AnthropicApi } from '../anthropic/client.js';
import { createGatewayAuthorizer } from '../auth/api-key.js';
import type { ContentGenerator, GenerateRequest } from '../content-generator.js';
import { GeminiApi } from '../gemini/client.js';
import { geminiAddress } from '../gemini/endpoint.js';
import { OpenAiApi } from '../openai/client.js';
import type { Provider } from '../providers.js';
import { OwnNameGenerator } from '../wrappers/own-name.js';
import { utilityModelFor } from './utility-choice.js';
import { type ModelSwap, type PresetSource, UtilityClient } from './utility-client.js';

const never = new AbortController().signal;
const schema = {
  type: 'object',
  properties: { choice: { type: 'string', enum: ['flash', 'pro'] } },
  required: ['choice'],
};
const request = {
  alias: 'classifier',
  role: 'utility_router',
  promptId: 'p',
  messages: [{ role: 'user' as const, origin: 'prompt' as const, parts: [{ text: 'which?' }] }],
  systemInstruction: 'choose',
};
const presets: PresetSource = {
  resolve: ({ model, isRetry }) => ({
    model: 'gemini-lite',
    settings: { temperature: isRetry ? 0.5 : 0, maxOutputTokens: 1024 },
    ...(model === 'web-search' && { serverTools: ['googleSearch' as const] }),
  }),
};

function clientFor(generator: ContentGenerator, availability?: ModelSwap) {
  const waits: number[] = [];
  const clock = { now: () => 0, sleep: async (ms: number) => void waits.push(ms) };
  const client = new UtilityClient(generator, {
    presets,
    availability,
    modelFor: (preset, main) => utilityModelFor(preset, main),
    clock,
    random: () => 0.5,
  });
  return { client, waits };
}

function openHttp(): HttpClient {
  const http = new HttpClient();
  onTestFinished(() => http.close());
  return http;
}

async function withGemini(availability?: ModelSwap) {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  const endpoint = {
    address: geminiAddress({ GOOGLE_GEMINI_BASE_URL: server.url }),
    authorizer: createGatewayAuthorizer({ env: { GEMINI_API_KEY: 'k' } }),
    customHeaders: {},
    userAgent: 'test',
  };
  return { server, ...clientFor(new GeminiApi(endpoint, openHttp()), availability) };
}

function provider(id: string, type: Provider['type'], url: string): Provider {
  const baseUrl = new URL(url);
  return { id, type, baseUrl, headers: {}, supportsTools: true, supportsImages: true, isLocal: true };
}

const modelsAsked = (server: ModelServer) => server.requests.map(({ model }) => model);

describe('generateText', () => {
  it("asks the preset's model with its settings", async () => {
    const { server, client } = await withGemini();
    server.replies([text(' an answer\n')]);
    const answer = await client.generateText({ ...request, mainModel: 'gemini-3.8-flash' }, never);
    expect(answer).toMatchObject({ text: 'an answer', model: 'gemini-lite' });
    expect(server.requests[0]).toMatchObject({
      method: 'generateContent',
      model: 'gemini-lite',
      body: {
        systemInstruction: { parts: [{ text: 'choose' }] },
        generationConfig: { temperature: 0, maxOutputTokens: 1024 },
      },
    });
  });

  it("sends the server's tools, for Google only", async () => {
    const sent: GenerateRequest[] = [];
    const answer = { candidates: [{ content: { parts: [{ text: 'found' }] }, finishReason: 'STOP' }] };
    const generateContent = async (asked: GenerateRequest) => {
      sent.push(asked);
      return answer;
    };
    const { client } = clientFor({ generateContent } as Partial<ContentGenerator> as ContentGenerator);
    const search = { ...request, alias: 'web-search' };
    await client.generateText({ ...search, mainModel: 'gemini-3.8-flash' }, never);
    await client.generateText({ ...search, mainModel: 'openai/gpt-5' }, never);
    expect(sent.map(({ model, serverTools }) => [model, serverTools])).toEqual([
      ['gemini-lite', ['googleSearch']],
      ['openai/gpt-5', undefined],
    ]);
  });

  it('asks again after an empty answer, with the settings for a retry', async () => {
    const { server, client } = await withGemini();
    server.replies([emptyStop()], [text('now')]);
    expect((await client.generateText(request, never)).text).toBe('now');
    expect(server.requests[1]?.body.generationConfig).toMatchObject({ temperature: 0.5 });
  });

  it('waits briefly between refusals, and as long as the server asks', async () => {
    const { server, client, waits } = await withGemini();
    server.replies(
      [apiError(503, 'busy')],
      [apiError(429, 'slow down', { retryDelay: '2s' })],
      [apiError(500, 'oops')],
      [text('ok')],
    );
    expect((await client.generateText(request, never)).text).toBe('ok');
    expect(waits).toEqual([500, 2200, 2000]);
  });

  it('gives up after five tries with the last error', async () => {
    const { server, client } = await withGemini();
    server.replies(...Array.from({ length: 6 }, (_, index) => [apiError(503, `busy ${index + 1}`)]));
    await expect(client.generateText(request, never)).rejects.toThrow('busy 5');
    expect(server.requests).toHaveLength(5);
  });

  it.each([
    ['bad request', [apiError(400, 'no such field')], 'no such field'],
    ['wrong key', [apiError(401, 'who are you')], 'who are you'],
    ['a long wait', [apiError(429, 'later', { retryDelay: '60s' })], 'later'],
    ['a blocked prompt', [blocked('SAFETY')], 'blocked the request (SAFETY)'],
    ['a refusal', [finish('RECITATION')], 'The answer is empty (finish reason RECITATION)'],
  ])('does not repeat after %s', async (_name, reply, message) => {
    const { server, client } = await withGemini();
    server.replies(reply);
    await expect(client.generateText(request, never)).rejects.toThrow(message);
    expect(server.requests).toHaveLength(1);
  });

  it('continues with the fallback model, under the same settings', async () => {
    const failed: string[] = [];
    const chain = ['gemini-lite', 'gemini-flash'];
    const { server, client, waits } = await withGemini({
      pick: () => chain.find((model) => !failed.includes(model)) ?? 'gemini-lite',
      failed: (model) => void failed.push(model),
    });
    server.replies([apiError(404, 'no such model')], [text('ok')]);
    expect((await client.generateText(request, never)).model).toBe('gemini-flash');
    expect(modelsAsked(server)).toEqual(chain);
    expect(server.requests[1]?.body.generationConfig).toMatchObject({ maxOutputTokens: 1024 });
    expect(waits).toEqual([0]);
  });

  it('ends at once when it is aborted while it waits', async () => {
    const server = await startModelServer();
    onTestFinished(() => server.close());
    server.replies([apiError(503, 'busy')], [text('too late')]);
    const endpoint = {
      address: geminiAddress({ GOOGLE_GEMINI_BASE_URL: server.url }),
      authorizer: createGatewayAuthorizer({ env: { GEMINI_API_KEY: 'k' } }),
      customHeaders: {},
      userAgent: 'test',
    };
    const controller = new AbortController();
    const client = new UtilityClient(new GeminiApi(endpoint, openHttp()), {
      presets,
      modelFor: (preset) => ({ model: preset, isGoogle: true }),
      clock: { now: () => 0, sleep: async () => controller.abort() },
      random: () => 0,
    });
    await expect(client.generateText(request, controller.signal)).rejects.toThrow();
    expect(server.requests).toHaveLength(1);
  });

  it('passes on a used-up budget', async () => {
    const refuse = async () => {
      throw new FatalBudgetError('used up');
    };
    const { client, waits } = clientFor({
      generateContent: refuse,
    } as Partial<ContentGenerator> as ContentGenerator);
    await expect(client.generateText(request, never)).rejects.toThrow(FatalBudgetError);
    expect(waits).toEqual([]);
  });
});

describe('generateJson', () => {
  it('asks for the schema and reads the object', async () => {
    const { server, client } = await withGemini();
    server.replies([text('{"choice":"pro"}')]);
    expect(await client.generateJson({ ...request, schema }, never)).toEqual({ choice: 'pro' });
    expect(server.requests[0]?.body.generationConfig).toMatchObject({
      temperature: 0,
      responseMimeType: 'application/json',
      responseJsonSchema: schema,
    });
  });

  it('strips fences and prose', async () => {
    const { server, client } = await withGemini();
    server.replies([text('```json\n{"choice":"pro"}\n```')], [text('Sure: {"choice":"flash"}!')]);
    expect(await client.generateJson({ ...request, schema }, never)).toEqual({ choice: 'pro' });
    expect(await client.generateJson({ ...request, schema }, never)).toEqual({ choice: 'flash' });
  });

  it('asks again for an answer that is not JSON, is cut off, or does not fit', async () => {
    const { server, client } = await withGemini();
    server.replies(
      [text('pro')],
      [text('{"choice":'), finish('MAX_TOKENS')],
      [text('{"choice":"both"}')],
      [text('{"choice":"pro"}')],
    );
    expect(await client.generateJson({ ...request, schema }, never)).toEqual({ choice: 'pro' });
    expect(server.requests).toHaveLength(4);
  });

  it('reports the problem after five tries', async () => {
    const { server, client } = await withGemini();
    server.replies(...Array.from({ length: 5 }, () => [text('{}')]));
    await expect(client.generateJson({ ...request, schema }, never)).rejects.toThrow(
      'The answer cannot be used: the answer has no "choice".',
    );
    expect(server.remaining()).toBe(0);
  });
});

describe('utility calls with another provider', () => {
  it("use the main model of an OpenAI-compatible server, without Google's tools", async () => {
    const server = await startOpenAiServer();
    const api = new OpenAiApi(provider('ollama', 'openai', server.url), openHttp(), 'test');
    const { client, waits } = clientFor(new OwnNameGenerator(api, 'ollama/'));
    server.replies([openAiError(503, 'loading')], [text('{"choice":"flash"}')]);
    const asked = { ...request, alias: 'web-search', mainModel: 'ollama/qwen3', schema };
    expect(await client.generateJson(asked, never)).toEqual({ choice: 'flash' });
    expect(server.requests[1]?.body).toMatchObject({
      model: 'qwen3',
      max_tokens: 1024,
      response_format: { type: 'json_schema' },
    });
    expect(server.requests[1]?.body.tools).toBeUndefined();
    expect(waits).toHaveLength(1);
  });

  it('use Anthropic', async () => {
    const server = await startAnthropicServer();
    onTestFinished(() => server.close());
    const api = new AnthropicApi(provider('anthropic', 'anthropic', server.url), openHttp(), 'test');
    const { client, waits } = clientFor(new OwnNameGenerator(api, 'anthropic/'));
    server.replies(
      [anthropicError(529, 'overloaded_error', 'busy')],
      [text('Here you are: {"choice":"pro"}')],
    );
    const asked = { ...request, mainModel: 'anthropic/claude-x', schema };
    expect(await client.generateJson(asked, never)).toEqual({ choice: 'pro' });
    expect(server.refused).toEqual([]);
    expect(server.requests[1]?.body).toMatchObject({ model: 'claude-x', max_tokens: 1024 });
    expect(waits).toHaveLength(1);
  });
});
