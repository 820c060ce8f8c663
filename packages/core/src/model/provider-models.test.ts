import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HttpClient } from '../platform/net/http.js';
import { listProviderModels } from './provider-models.js';
import type { ProviderSettings } from './providers.js';

let http: HttpClient;
const servers: Server[] = [];
beforeEach(() => {
  http = new HttpClient();
});
afterEach(async () => {
  http.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const REFUSING = 'http://127.0.0.1:1/v1';
const NONE = Object.fromEntries(
  ['openai', 'openrouter', 'anthropic', 'ollama', 'lmstudio', 'llamacpp', 'vllm'].map((id) => [
    id,
    { baseUrl: REFUSING },
  ]),
);

/** All at addresses of the test: nothing else is asked. */
const search = (providers: Record<string, ProviderSettings>, env: Record<string, string> = {}) =>
  listProviderModels({
    env,
    providers: { ...NONE, ...providers },
    http,
    signal: new AbortController().signal,
    timeoutsMs: { local: 60_000, remote: 60_000 },
  });

it('providers with a key are asked with it, each in its own protocol', async () => {
  const asked: unknown[] = [];
  const answer =
    (body: object): RequestListener =>
    ({ url, headers }, response) => {
      asked.push([url, headers.authorization ?? headers['x-api-key']]);
      response.end(JSON.stringify(body));
    };
  const openai = await serve(
    answer({ data: [{ id: 'gpt-5' }, { id: 'text-embedding-3-large' }, { id: 'whisper-1' }] }),
  );
  const anthropic = await serve(answer({ data: [{ id: 'claude-opus-4-6', display_name: 'Opus' }] }));
  const found = await search(
    {
      openai: { baseUrl: `${openai}/v1` },
      anthropic: { baseUrl: anthropic, type: 'anthropic' },
    },
    { OPENAI_API_KEY: 'o', ANTHROPIC_API_KEY: 'a' },
  );
  expect(found.map(({ provider, models }) => [provider, models])).toEqual([
    ['openai', [{ id: 'gpt-5' }]],
    ['anthropic', [{ id: 'claude-opus-4-6' }]],
  ]);
  expect(asked).toEqual(
    expect.arrayContaining([
      ['/v1/models', 'Bearer o'],
      ['/v1/models?limit=1000', 'a'],
    ]),
  );
});

it('windows and prices come from the providers that state them', async () => {
  const openrouter = await serve((_, response) =>
    response.end(
      JSON.stringify({
        data: [
          {
            id: 'meta/llama',
            context_length: 131072,
            pricing: { prompt: '0.0000004', completion: '0.000002' },
          },
          { id: 'odd', context_length: 'many', pricing: { prompt: 'free' } },
        ],
      }),
    ),
  );
  const [found] = await search({ mine: { baseUrl: `${openrouter}/v1` } });
  expect(found).toMatchObject({
    provider: 'mine',
    models: [{ id: 'meta/llama', contextWindow: 131072, price: { input: 0.4, output: 2 } }, { id: 'odd' }],
  });
});

it('a local port without a server is left out; a provider with a key that fails is named', async () => {
  const broken = await serve((_, response) => {
    response.statusCode = 500;
    response.end('no');
  });
  const settings = { baseUrl: `${broken}/v1`, apiKeyEnv: 'MY_KEY' };
  expect(await search({ mine: settings })).toEqual([]);
  const elsewhere = { ...NONE, mine: { baseUrl: 'https://models.invalid/v1', apiKeyEnv: 'MY_KEY' } };
  const failing = { send: () => Promise.reject(new Error('connection refused')) };
  const found = await listProviderModels({
    env: { MY_KEY: 'k' },
    providers: elsewhere,
    http: failing,
    signal: new AbortController().signal,
  });
  expect(found).toMatchObject([{ provider: 'mine', models: [], problem: 'mine: connection refused' }]);
});

it('providers that must not be asked unchosen get no request, and so no key', async () => {
  const asked: unknown[] = [];
  const send = (request: { url: URL }) => {
    asked.push(request.url.hostname);
    return Promise.reject(new Error('no'));
  };
  const of = (host: string) => ({ baseUrl: `https://${host}.invalid/v1`, apiKeyEnv: 'MY_KEY' });
  await listProviderModels({
    env: { MY_KEY: 'k', OPENAI_API_KEY: 'o' },
    providers: { ...NONE, mine: of('mine'), theirs: of('theirs') },
    unasked: ['theirs'],
    http: { send },
    signal: new AbortController().signal,
  });
  expect(asked).toContain('mine.invalid');
  expect(asked).not.toContain('theirs.invalid');
});
