import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpClient, type HttpLimits, readText } from './http.js';

let server: Server | undefined;
let client: HttpClient | undefined;

afterEach(() => {
  client?.close();
  server?.closeAllConnections();
  server?.close();
});

async function ask(
  answer: RequestListener,
  limits: Partial<HttpLimits>,
  signal = new AbortController().signal,
) {
  const listening = createServer(answer);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const { port } = listening.address() as AddressInfo;
  client = new HttpClient(limits);
  const url = new URL(`http://127.0.0.1:${port}/`);
  return client.send({ method: 'GET', url, headers: {}, signal });
}

describe('a slow server', () => {
  it('times out when no response begins', async () => {
    const asked = ask(() => {}, { firstByteMs: 30 });
    await expect(asked).rejects.toMatchObject({
      code: 'ETIMEDOUT',
      message: expect.stringMatching(/^no data from 127\.0\.0\.1:\d+ for 0\.03 s$/),
    });
  });

  it('times out when no further content arrives after the first content', async () => {
    let timer: NodeJS.Timeout | undefined;
    const response = await ask(
      (_, answer) => {
        timer = setInterval(() => answer.write(': still here\n\n'), 5);
      },
      { contentMs: 60 },
    );
    response.contentArrived();
    await expect(readText(response.body, 1_000_000)).rejects.toMatchObject({
      code: 'ETIMEDOUT',
      message: expect.stringMatching(/^nothing but keep-alives from 127\.0\.0\.1:\d+ for 0\.06 s$/),
    });
    clearInterval(timer);
  });

  it('times out when it falls silent in the middle of the response', async () => {
    const response = await ask((_, answer) => void answer.write('half'), { silenceMs: 30 });
    await expect(readText(response.body, 1000)).rejects.toMatchObject({
      code: 'ETIMEDOUT',
      message: expect.stringMatching(/^no more data from 127\.0\.0\.1:\d+ for 0\.03 s$/),
    });
  });

  it('times out when the response never ends', async () => {
    const drip: RequestListener = (_, answer) => {
      const timer = setInterval(() => answer.write('.'), 5);
      answer.on('close', () => clearInterval(timer));
    };
    const response = await ask(drip, { totalMs: 60 });
    await expect(readText(response.body, 1_000_000)).rejects.toMatchObject({
      code: 'ETIMEDOUT',
      message: expect.stringMatching(/took longer than 0\.06 s$/),
    });
  });

  it('is waited for within the limits', async () => {
    const response = await ask((_, answer) => void answer.end('whole'), {});
    expect(await readText(response.body, 1000)).toBe('whole');
  });
});

describe('an abort', () => {
  it('of a response that has arrived but was not read to its end harms nothing else', async () => {
    const abort = new AbortController();
    const response = await ask((_, answer) => void answer.end('done'), {}, abort.signal);
    const pieces = response.body[Symbol.asyncIterator]();
    await pieces.next();
    // An error of the connection that is about to be free would have no listener, which ends the process.
    abort.abort();
    const next = await ask((_, answer) => void answer.end('more'), {});
    expect(await readText(next.body, 1000)).toBe('more');
  });

  it('before and during the response ends the request', async () => {
    const abort = new AbortController();
    const waiting = ask(() => abort.abort(), {}, abort.signal);
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    await expect(ask(() => {}, {}, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });

    const later = new AbortController();
    const response = await ask((_, answer) => void answer.write('half'), {}, later.signal);
    const reading = readText(response.body, 1000);
    later.abort();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  });
});
