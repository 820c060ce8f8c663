import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { HttpClient, readText } from '../../platform/net/http.js';
import { createGemmaClient } from './gemma-client.js';

const http = new HttpClient();
const servers: Server[] = [];
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

const question = (host: string) => ({ host, model: 'gemma/x', systemInstruction: 'rules', text: 'hi' });
const never = new AbortController().signal;

it('sends a Gemini API request, and returns the text', async () => {
  const seen: unknown[] = [];
  const host = await serve(async (request, response) => {
    seen.push(request.method, request.url, JSON.parse(await readText(request, 10_000)));
    response.end(
      JSON.stringify({ candidates: [{ content: { parts: [{ text: '{"a":' }, { text: '1}' }] } }] }),
    );
  });
  expect(await createGemmaClient(http)(question(`${host}/`), never)).toBe('{"a":1}');
  expect(seen).toEqual([
    'POST',
    '/v1beta/models/gemma%2Fx:generateContent',
    {
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      systemInstruction: { parts: [{ text: 'rules' }] },
      generationConfig: { temperature: 0, maxOutputTokens: 256, responseMimeType: 'application/json' },
    },
  ]);
});

it.each<[string, RequestListener]>([
  ['an error', (_request, response) => response.writeHead(500).end('{}')],
  ['a web page', (_request, response) => response.end('<html>')],
  ['a cut connection', (_request, response) => response.destroy()],
  ['silence', () => {}],
  ['half an answer and silence', (_request, response) => response.write('{"candidates":')],
])('fails on %s', async (name, listener) => {
  // Only the silent ones ever come near the limit, and those always reach it.
  const ask = createGemmaClient(http, name.includes('silence') ? 50 : 60_000);
  await expect(ask(question(await serve(listener)), never)).rejects.toThrow();
});

it('fails on an invalid address, and when it is cancelled', async () => {
  await expect(createGemmaClient(http)(question('nowhere'), never)).rejects.toThrow();
  const host = await serve(() => {});
  await expect(createGemmaClient(http)(question(host), AbortSignal.abort())).rejects.toThrow();
});
