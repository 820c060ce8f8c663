import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isSameSecret, type LocalServerRules, refuseStranger } from './local-server-guard.js';

const TOKEN = 'a-long-secret-token';
let server: Server;
let port: number;
let rules: Omit<LocalServerRules, 'port'>;

beforeEach(async () => {
  rules = { token: TOKEN, origins: ['vscode-webview://x'] };
  server = createServer((request, response) => {
    const refusal = refuseStranger(request, { port, ...rules });
    response.writeHead(refusal?.status ?? 200, { connection: 'close' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

/** Sends a raw request, because libraries do not allow a false host header. */
function statusOf(...headers: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(['GET / HTTP/1.1', ...headers, 'Connection: close', '', ''].join('\r\n')),
    );
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])));
  });
}

const bearer = `Authorization: Bearer ${TOKEN}`;

describe('a local server', () => {
  it('accepts a request with the right token and host', async () => {
    for (const name of ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])
      expect([name, await statusOf(`Host: ${name}:${port}`, bearer)]).toEqual([name, 200]);
    expect(await statusOf(`Host: localhost:${port}`, bearer, 'Origin: vscode-webview://x')).toBe(200);
  });

  it('refuses other hosts, even those that resolve to this machine', async () => {
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      `localhost.evil.example:${port}`,
      'localhost',
      '',
      `127.0.0.1:${port}@evil.example`,
    ])
      expect([host, await statusOf(`Host: ${host}`, bearer)]).toEqual([host, 403]);
  });

  it('refuses two host headers', async () => {
    const status = await statusOf(`Host: 127.0.0.1:${port}`, 'Host: evil.example', bearer);
    expect(status).toBeGreaterThanOrEqual(400);
  });

  it('refuses web pages, even those with origin "null"', async () => {
    for (const origin of [
      'https://evil.example',
      'null',
      `http://localhost:${port}`,
      'vscode-webview://x.evil',
    ])
      expect([origin, await statusOf(`Host: localhost:${port}`, bearer, `Origin: ${origin}`)]).toEqual([
        origin,
        403,
      ]);
  });

  it('refuses a request without the right token', async () => {
    const host = `Host: 127.0.0.1:${port}`;
    for (const header of [
      'X-Nothing: 1',
      'Authorization: Bearer',
      'Authorization: Bearer wrong',
      `Authorization: Basic ${TOKEN}`,
      `Authorization: Bearer ${TOKEN}x`,
    ])
      expect([header, await statusOf(host, header)]).toEqual([header, 401]);
    rules = {};
    expect(await statusOf(host)).toBe(200);
  });
});

describe('isSameSecret', () => {
  it('accepts only the complete secret', () => {
    expect(isSameSecret('abc', 'abc')).toBe(true);
    for (const given of [undefined, null, '', 'ab', 'abd', 'abcd'])
      expect(isSameSecret(given, 'abc')).toBe(false);
    expect(isSameSecret('', '')).toBe(false);
  });
});
