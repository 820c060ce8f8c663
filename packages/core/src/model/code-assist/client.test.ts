import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpClient } from '../../platform/net/http.js';
import type { Authorizer } from '../auth/context.js';
import { type GenerateRequest, type GenerateResponse, partsOf } from '../content-generator.js';
import { CodeAssistApi } from './api.js';
import { CodeAssistGenerator } from './client.js';

const request: GenerateRequest = {
  model: 'gemini-2.5-pro',
  messages: [{ role: 'user', origin: 'prompt', parts: [{ text: 'hi' }] }],
  systemInstruction: 'be brief',
  role: 'main',
  promptId: 'prompt-1',
};
const signal = AbortSignal.timeout(10_000);

describe('CodeAssistGenerator', () => {
  let http: HttpClient;
  let server: Server;
  let answer: (response: ServerResponse, incoming: IncomingMessage) => void;
  let seen: { path: string; headers: IncomingMessage['headers']; body: unknown }[];
  let generator: CodeAssistGenerator;
  let token: string;
  let api: CodeAssistApi;

  beforeEach(async () => {
    http = new HttpClient();
    seen = [];
    token = 'first';
    server = createServer(async (incoming, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of incoming) pieces.push(piece as Buffer);
      const body: unknown = JSON.parse(Buffer.concat(pieces).toString('utf8'));
      seen.push({ path: incoming.url ?? '', headers: incoming.headers, body });
      answer(response, incoming);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const authorizer: Authorizer = {
      type: 'oauth-personal',
      headers: async () => ({ authorization: `Bearer ${token}` }),
      invalidate: () => {
        token = 'second';
      },
    };
    const env = { CODE_ASSIST_ENDPOINT: `http://127.0.0.1:${port}` };
    api = new CodeAssistApi({
      env,
      authorizer,
      http,
      version: '1.2.3',
      customHeaders: { 'x-mine': 'yes' },
    });
    generator = new CodeAssistGenerator(api, { project: 'my-project' }, 'session-1');
  });
  afterEach(() => {
    http.close();
    server.closeAllConnections();
    server.close();
  });

  const stream = (...payloads: string[]) => {
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(payloads.map((payload) => `data: ${payload}\n\n`).join(''));
    };
  };
  const collect = async () => {
    const all: GenerateResponse[] = [];
    for await (const chunk of generator.generateContentStream(request, signal)) all.push(chunk);
    return all;
  };
  const textOf = (all: GenerateResponse[]) =>
    all
      .flatMap(partsOf)
      .map((part) => part.text)
      .join('');
  const chunk = (text: string) =>
    JSON.stringify({
      response: { candidates: [{ content: { role: 'model', parts: [{ text }] } }] },
      traceId: 't',
    });

  it('wraps requests and unwraps answers', async () => {
    stream(chunk('Hel'), 'not json', chunk('lo'), JSON.stringify({ traceId: 'only' }));
    expect(textOf(await collect())).toBe('Hello');
    expect(seen).toEqual([
      {
        path: '/v1internal:streamGenerateContent?alt=sse',
        headers: expect.objectContaining({
          authorization: 'Bearer first',
          'x-mine': 'yes',
          'user-agent': `GeminiCLI/1.2.3/gemini-2.5-pro (${process.platform}; ${process.arch}; terminal)`,
        }),
        body: {
          model: 'gemini-2.5-pro',
          project: 'my-project',
          user_prompt_id: 'prompt-1',
          request: {
            session_id: 'session-1',
            contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
            systemInstruction: { parts: [{ text: 'be brief' }] },
          },
        },
      },
    ]);
  });

  it('sends a refused request once more with a fresh token', async () => {
    answer = (response, incoming) => {
      const isFresh = incoming.headers.authorization === 'Bearer second';
      response.writeHead(isFresh ? 200 : 401, { 'content-type': 'text/event-stream' });
      response.end(isFresh ? `data: ${chunk('ok')}\n\n` : '{"error":{"code":401,"message":"expired"}}');
    };
    expect(textOf(await collect())).toBe('ok');
    expect(seen).toHaveLength(2);
  });

  it.each([
    [
      'an error',
      429,
      'application/json',
      '{"error":{"code":429,"message":"quota"}}',
      {
        status: 429,
        message: expect.stringMatching(
          /^quota \(HTTP 429 from gemini-2.5-pro, Gemini Code Assist\)\. .*set GOOGLE_CLOUD_PROJECT/,
        ),
      },
    ],
    [
      'an error inside',
      200,
      'text/event-stream',
      'data: {"error":{"code":500,"message":"inner"}}\n\n',
      { message: 'inner (HTTP 500 from gemini-2.5-pro, Gemini Code Assist).' },
    ],
    ['a page', 200, 'text/html', '<html>', { message: expect.stringContaining('CODE_ASSIST_ENDPOINT') }],
    [
      'a wish to see the user first, with the way to it',
      403,
      'application/json',
      JSON.stringify({
        error: {
          code: 403,
          message: 'Verify your account',
          details: [
            { reason: 'VALIDATION_REQUIRED', domain: 'cloudcode-pa.googleapis.com' },
            { links: [{ description: 'Verify', url: 'https://accounts.google.com/verify?x=1' }] },
          ],
        },
      }),
      { status: 403, message: expect.stringContaining('open https://accounts.google.com/verify?x=1,') },
    ],
  ])('reports %s', async (_name, status, contentType, body, expected) => {
    answer = (response) => void response.writeHead(status, { 'content-type': contentType }).end(body);
    await expect(collect()).rejects.toMatchObject(expected);
  });

  it('does not mention a project to users who have named theirs', async () => {
    generator = new CodeAssistGenerator(api, { project: 'mine', isOwnProject: true }, 'session-1');
    answer = (response) => void response.writeHead(429).end('{"error":{"code":429,"message":"quota"}}');
    await expect(collect()).rejects.toMatchObject({
      message: 'quota (HTTP 429 from gemini-2.5-pro, Gemini Code Assist).',
    });
  });

  it('names the server that cut the connection', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${chunk('x')}\n\n`, () => response.destroy());
    };
    await expect(collect()).rejects.toMatchObject({
      name: 'ConnectionError',
      message: expect.stringContaining('gemini-2.5-pro (Gemini Code Assist): connection lost'),
    });
  });

  it('answers without a stream, counts tokens, and refuses embeddings', async () => {
    answer = (response) => void response.end(chunk('whole'));
    expect(textOf([await generator.generateContent(request, signal)])).toBe('whole');
    answer = (response) => void response.end('{"totalTokens":7}');
    expect(await generator.countTokens(request, signal)).toEqual({ totalTokens: 7 });
    expect(seen[1]).toMatchObject({
      path: '/v1internal:countTokens',
      body: {
        request: { model: 'models/gemini-2.5-pro', contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
      },
    });
    await expect(generator.embedContent({ model: 'm', texts: [] }, signal)).rejects.toThrow('no embeddings');
  });
});
