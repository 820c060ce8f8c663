import {
  apiError,
  callTool,
  chunks,
  type ModelServer,
  respond,
  silence,
  startModelServer,
  text,
} from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpClient } from '../../platform/net/http.js';
import type { Message, Part } from '../../protocol/messages.js';
import { createGatewayAuthorizer } from '../auth/api-key.js';
import type { GenerateRequest, GenerateResponse } from '../content-generator.js';
import { partsOf } from '../content-generator.js';
import { CONTEXT_TOO_LONG } from '../errors/api-error.js';
import { GeminiApi } from './client.js';
import { geminiAddress } from './endpoint.js';

const request: GenerateRequest = {
  model: 'gemini-3-pro-preview',
  messages: [{ role: 'user', origin: 'prompt', parts: [{ text: 'hi' }] }],
  systemInstruction: 'be brief',
  tools: [{ name: 'look', description: 'looks', parametersJsonSchema: { type: 'object', properties: {} } }],
  settings: { temperature: 1 },
  role: 'main',
  promptId: 'p',
};

const answer = (part: Part): Message => ({ role: 'model', origin: 'model', parts: [part] });

describe('GeminiApi', () => {
  let server: ModelServer;
  let http: HttpClient;
  let api: GeminiApi;
  beforeEach(async () => {
    server = await startModelServer();
    http = new HttpClient();
    api = new GeminiApi(
      {
        address: geminiAddress({ GOOGLE_GEMINI_BASE_URL: server.url }),
        authorizer: createGatewayAuthorizer({ env: { GEMINI_API_KEY: 'secret' } }),
        customHeaders: {},
        userAgent: 'GeminiCLI/1.2.3',
      },
      http,
    );
  });
  afterEach(async () => {
    http.close();
    await server.close();
  });

  const collect = async (signal = new AbortController().signal) => {
    const all: GenerateResponse[] = [];
    for await (const chunk of api.generateContentStream(request, signal)) all.push(chunk);
    return all;
  };

  it('marks thought signatures that only this service accepts, and returns no other', async () => {
    const endpoint = {
      address: geminiAddress({ GOOGLE_GEMINI_BASE_URL: server.url }),
      authorizer: createGatewayAuthorizer({ env: {} }),
      customHeaders: {},
      userAgent: 'GeminiCLI/1.2.3',
      signatureOwner: 'vertex',
    };
    api = new GeminiApi(endpoint, http);
    const [plain, foreign] = ['c2ln', 'gemini@mine:c2ln'];
    server.replies([callTool('look', {}, { thoughtSignature: plain })], [text('done')]);
    const call = partsOf((await collect())[0] ?? {})[0];
    expect(call?.thoughtSignature).toBe('gemini@vertex:c2ln');
    const turns = [call ?? {}, { ...call, thoughtSignature: plain }, { ...call, thoughtSignature: foreign }];
    const sent = { ...request, messages: turns.flatMap((part) => [...request.messages, answer(part)]) };
    for await (const _ of api.generateContentStream(sent, new AbortController().signal));
    const signatures = server.requests[1]?.body.contents.flatMap(({ parts }) =>
      parts.flatMap((part) => part.thoughtSignature ?? []),
    );
    const none = 'skip_thought_signature_validator';
    expect(signatures).toEqual([plain, none, none]);
  });

  it('sends the documented request and reads the stream', async () => {
    server.replies([chunks(['Hel', 'lo'])]);
    const answer = await collect();
    expect(
      answer
        .flatMap(partsOf)
        .map((part) => part.text)
        .join(''),
    ).toBe('Hello');
    const sent = server.requests[0];
    expect(sent?.path).toBe('/v1beta/models/gemini-3-pro-preview:streamGenerateContent?alt=sse');
    expect(sent?.headers['x-goog-api-key']).toBe('secret');
    expect(sent?.headers['user-agent']).toBe(
      `GeminiCLI/1.2.3/gemini-3-pro-preview (${process.platform}; ${process.arch}; terminal)`,
    );
    expect(sent?.body).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      systemInstruction: { parts: [{ text: 'be brief' }] },
      tools: [{ functionDeclarations: request.tools }],
      generationConfig: { temperature: 1 },
    });
  });

  it("reports the server's error with its hints", async () => {
    server.replies([apiError(429, 'slow down', { retryDelay: '3s' })]);
    await expect(collect()).rejects.toMatchObject({
      status: 429,
      message: 'slow down (HTTP 429 from gemini-3-pro-preview, Gemini API).',
      details: [expect.objectContaining({ retryDelay: '3s' })],
    });
  });

  it.each([
    [
      'a wrong key, which is a bad request to this API',
      apiError(400, 'API key not valid.', { details: [{ reason: 'API_KEY_INVALID' }] }),
      {
        status: 401,
        message: expect.stringMatching(/^API key not valid\. \(HTTP 400 .*Check .*GEMINI_API_KEY/),
      },
    ],
    [
      'a conversation that is too long',
      apiError(400, 'The input token count (5) exceeds the maximum number of tokens allowed (4).'),
      { status: 400, details: [{ reason: CONTEXT_TOO_LONG }], message: expect.stringContaining('/compress') },
    ],
    [
      'a redirect, which is not followed',
      respond(307, '', { location: 'https://elsewhere.example/x' }),
      { status: 307, message: expect.stringMatching(/HTTP 307.*to https:\/\/elsewhere.*Check the base URL/) },
    ],
    [
      'a very long message',
      apiError(400, `${'long '.repeat(30_000)}Please retry in 3s.`),
      { message: expect.stringMatching(/^.{900,1300}$/) },
    ],
  ])('says what to do about %s', async (_what, failure, expected) => {
    server.replies([failure]);
    await expect(collect()).rejects.toMatchObject(expected);
  });

  it('ends at once when cancelled in mid-stream', async () => {
    const controller = new AbortController();
    server.replies([text('one'), silence()]);
    const seen: string[] = [];
    const reading = (async () => {
      for await (const chunk of api.generateContentStream(request, controller.signal)) {
        seen.push(partsOf(chunk)[0]?.text ?? '');
        controller.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    expect(seen).toEqual(['one']);
  });
});
