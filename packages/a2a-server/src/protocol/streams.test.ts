/** When a stream begins on the wire, and what becomes of an error before its first event. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { rawRequest } from '../test-app.test-helper.js';
import { Streams } from './streams.js';

async function answers(pingMs: number, first: () => Promise<unknown>) {
  const streams = new Streams({ pingMs, stalledMs: 1_000, maxStreams: 1 });
  async function* events() {
    yield await first();
  }
  const server = createServer(async (_request, response) => {
    const call = { version: '0.3' as const, signal: new AbortController().signal };
    await streams
      .write(response, call, events(), { failed: (error) => String(error) })
      .catch((error) => response.writeHead(418).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it('is open before a first event that takes long, and tells then what is wrong with it', async () => {
  let end = (_error?: Error) => {};
  const waited = new Promise<string>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve('event'));
  });
  const seen: string[] = [];
  const url = await answers(5, () => waited);
  const answer = rawRequest(url, { onText: (text) => seen.push(text) });
  await expect.poll(() => seen.at(-1)).toContain(': ping');
  end(new Error('gone'));
  expect(await answer).toMatchObject({
    status: 200,
    text: expect.stringContaining('event: error\ndata: "Error: gone"'),
  });
});

it('is a response of its own where the first event fails soon', async () => {
  const url = await answers(60_000, async () => {
    throw new Error('refused');
  });
  expect(await rawRequest(url)).toMatchObject({ status: 418, text: 'Error: refused' });
});
