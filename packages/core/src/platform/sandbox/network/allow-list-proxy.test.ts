import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addressProblem } from '../../net/address-guard.js';
import { AllowListProxy, type ProxyOptions } from './allow-list-proxy.js';
import { isListed, parseAuthority } from './host-list.js';

const isPrivateAddress = (address: string) => addressProblem(address) !== undefined;

describe('the proxy', () => {
  let directory: string;
  let server: Server;
  let port: number;
  let proxy: AllowListProxy;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'proxy-'));
    server = createServer((incoming, response) => {
      response.end(
        `${incoming.method} ${incoming.url} ${incoming.headers.host} ${incoming.headers['proxy-authorization']}`,
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    port = typeof address === 'object' && address ? address.port : 0;
  });
  afterEach(async () => {
    await proxy.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(directory, { recursive: true });
  });

  const socketPath = () => join(directory, 's');
  const start = async (options: Partial<ProxyOptions>) => {
    proxy = new AllowListProxy({
      allowHosts: ['api.test', '127.0.0.1'],
      resolve: async () => ['127.0.0.1'],
      isPrivate: () => false,
      ...options,
    });
    await proxy.listen(socketPath());
  };
  const get = (url: string) =>
    new Promise<string>((resolve, reject) => {
      const headers = { host: 'lie.test', 'proxy-authorization': 'x' };
      request({ socketPath: socketPath(), path: url, headers }, async (answer) => {
        let text = '';
        for await (const chunk of answer) text += chunk;
        resolve(`${answer.statusCode} ${text.trim()}`);
      })
        .on('error', reject)
        .end();
    });
  /** Raw answer to a CONNECT, and to a request through the tunnel. */
  const tunnel = (authority: string) =>
    new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect(socketPath(), () =>
        socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: x\r\n\r\n`),
      );
      socket.once('data', () => socket.write('GET /in HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n'));
      socket.on('data', (chunk) => (text += chunk));
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
    });

  it('forwards requests to listed hosts, with the right host and without its own headers', async () => {
    await start({});
    expect(await get(`http://api.test:${port}/a?b`)).toBe(`200 GET /a?b api.test:${port} undefined`);
  });

  it('tunnels to listed hosts', async () => {
    await start({});
    const answer = await tunnel(`api.test:${port}`);
    expect(answer).toContain('200 Connection established');
    expect(answer).toContain('GET /in t undefined');
  });

  it('refuses other hosts with 403 and their name, without resolving them', async () => {
    const asked: string[] = [];
    await start({
      resolve: async (host) => {
        asked.push(host);
        return ['127.0.0.1'];
      },
    });
    expect(await get('http://evil.test/')).toMatch(/^403 .*evil\.test/);
    expect(await tunnel('evil.test:443')).toMatch(/^HTTP\/1\.1 403 Forbidden[\s\S]*evil\.test/);
    expect(asked).toEqual([]);
  });

  it('refuses a listed name that leads to a private address, and a listed private address', async () => {
    await start({ isPrivate: isPrivateAddress, resolve: async () => ['93.184.216.34', '169.254.169.254'] });
    expect(await get('http://api.test/')).toBe(
      '403 The sandbox does not allow connections to api.test: 169.254.169.254 is a private address.',
    );
    expect(await get(`http://127.0.0.1:${port}/`)).toMatch(/^403 .*private address/);
  });

  it('says what went wrong with a listed host', async () => {
    await start({
      resolve: async () => {
        throw new Error('no such name');
      },
    });
    expect(await get('http://api.test/')).toBe('502 api.test was not found: no such name');
    expect(await tunnel('nonsense')).toContain('HTTP/1.1 400');
    expect(await get('/relative')).toMatch(/^400/);
  });
});

describe('the list of hosts', () => {
  it.each([
    ['example.com', 443, ['example.com'], true],
    ['EXAMPLE.com.', 443, ['example.com'], true],
    ['a.example.com', 443, ['example.com'], false],
    ['a.example.com', 443, ['*.example.com'], true],
    ['example.com', 443, ['*.example.com'], false],
    ['notexample.com', 443, ['*.example.com', 'example.com'], false],
    ['example.com', 22, ['example.com:443'], false],
    ['example.com', 443, ['example.com:443'], true],
    ['anything', 443, ['', '*.', ':443'], false],
  ])('matches %s:%i against %j: %s', (host, port, list, expected) => {
    expect(isListed({ host, port }, list)).toBe(expected);
  });

  it('reads the target of a CONNECT request', () => {
    expect(parseAuthority('a.b:443')).toEqual({ host: 'a.b', port: 443 });
    expect(parseAuthority('[::1]:80')).toEqual({ host: '::1', port: 80 });
    for (const bad of ['a.b', 'a:0', 'a:99999', 'user@a:1', 'a b:1', '', 'http://a:1']) {
      expect(parseAuthority(bad)).toBeUndefined();
    }
  });
});

it('the proxy recognises private addresses in all their forms', () => {
  const hidden = [
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
  ];
  const hidden6 = [
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
  ];
  for (const address of [...hidden, ...hidden6, 'not an address'])
    expect([address, isPrivateAddress(address)]).toEqual([address, true]);
  for (const address of ['93.184.216.34', '8.8.8.8', '2606:4700::1111', '172.32.0.1'])
    expect(isPrivateAddress(address)).toBe(false);
});
