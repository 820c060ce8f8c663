import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpClient } from '../platform/net/http.js';
import { findLocalServers, type LocalSearch } from './local-servers.js';

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

/** No server listens there; a port just closed could be reused by another test. */
const REFUSING = 'http://127.0.0.1:1/v1';

const sends =
  (body: unknown): RequestListener =>
  (_request, response) =>
    response.end(JSON.stringify(body));

/** All four at addresses of the test: the machine's own servers are left alone. */
async function search(addresses: Partial<Record<string, string>>, rest: Partial<LocalSearch> = {}) {
  const ids = ['ollama', 'lmstudio', 'llamacpp', 'vllm'];
  const providers = Object.fromEntries(ids.map((id) => [id, { baseUrl: addresses[id] ?? REFUSING }]));
  // A loaded machine may be slow; those that are to be found get all the time they need.
  return findLocalServers({
    env: {},
    providers,
    http,
    signal: new AbortController().signal,
    timeoutMs: 60_000,
    ...rest,
  });
}

describe('local servers', () => {
  it('are found with their models when they answer', async () => {
    const paths: unknown[] = [];
    const ollama = await serve((request, response) => {
      paths.push(request.method, request.url);
      response.end(
        JSON.stringify({ object: 'list', data: [{ id: 'qwen3:8b' }, { id: 7 }, null, { id: 'gemma3' }] }),
      );
    });
    const vllm = await serve(sends({ data: [{ id: 'meta/llama' }] }));
    expect(await search({ ollama: `${ollama}/v1`, vllm: `${vllm}/v1/` })).toEqual([
      { provider: 'ollama', baseUrl: `${ollama}/v1`, models: ['qwen3:8b', 'gemma3'] },
      { provider: 'vllm', baseUrl: expect.stringContaining(vllm), models: ['meta/llama'] },
    ]);
    expect(paths).toEqual(['GET', '/v1/models']);
  });

  it('are found at OLLAMA_HOST', async () => {
    const address = await serve(sends({ object: 'list', data: null }));
    const found = await findLocalServers({
      env: { OLLAMA_HOST: address.replace('http://', '') },
      providers: {
        lmstudio: { baseUrl: REFUSING },
        llamacpp: { baseUrl: REFUSING },
        vllm: { baseUrl: REFUSING },
      },
      http,
      signal: new AbortController().signal,
      timeoutMs: 60_000,
    });
    expect(found).toEqual([{ provider: 'ollama', baseUrl: `${address}/v1`, models: [] }]);
  });

  it.each<[string, RequestListener]>([
    ['a web page', (_request, response) => response.end('<html>')],
    ['another service', sends({ status: 'ok' })],
    ['a list', sends([1])],
    ['an error', (_request, response) => response.writeHead(404).end('{"data":[]}')],
    ['a cut connection', (_request, response) => response.destroy()],
  ])('are not mistaken for %s', async (_name, listener) => {
    const address = await serve(listener);
    expect(await search({ llamacpp: `${address}/v1` })).toEqual([]);
  });

  it('are not awaited when they never answer', async () => {
    const silent = await serve(() => {});
    expect(await search({ lmstudio: `${silent}/v1` }, { timeoutMs: 50 })).toEqual([]);
  });

  it('are ignored when their settings are invalid', async () => {
    expect(await search({ vllm: 'nonsense', ollama: 'http://far.example.com/v1' })).toEqual([]);
    expect(await search({}, { signal: AbortSignal.abort() })).toEqual([]);
  });
});
