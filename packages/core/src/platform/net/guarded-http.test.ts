import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GuardedHttp, type GuardedHttpOptions } from './guarded-http.js';
import { PageServer } from './page-server.test-helper.js';
import { redirectTarget } from './redirect-target.js';

let server: PageServer;
beforeEach(async () => {
  server = await PageServer.start();
});
afterEach(() => server.close());

/** 127.0.0.1 counts as public here; every other private address stays private. */
const OPEN: GuardedHttpOptions = {
  userAgent: 'test-agent/1.0',
  proxies: { variables: {} },
  allow: (address) => address === '127.0.0.1',
};
const never = new AbortController().signal;

const client = (options: Partial<GuardedHttpOptions> = {}) => new GuardedHttp({ ...OPEN, ...options });
const get = (url: string, options: Partial<GuardedHttpOptions> = {}) =>
  client(options).get(new URL(url), never);
const resolvesTo = (...addresses: string[]) => ({
  resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
});

describe('a request', () => {
  it('returns status, headers and body, and sends only the user agent about us', async () => {
    server.page('/a', 'hello', 'text/plain');
    const page = await get(server.url('/a'));
    expect(page).toMatchObject({ status: 200, statusText: 'OK', truncated: false });
    expect(page.bytes.toString()).toBe('hello');
    expect(page.headers['content-type']).toBe('text/plain');
    const headers = server.lastRequest?.headers ?? {};
    expect(headers['user-agent']).toBe('test-agent/1.0');
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['cookie']));
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['authorization']));
  });

  it('returns error pages unchanged', async () => {
    expect(await get(server.url('/none'))).toMatchObject({ status: 404 });
  });

  it('ends with the reason of the signal', async () => {
    server.on('/silent', () => undefined);
    const controller = new AbortController();
    const running = client().get(new URL(server.url('/silent')), controller.signal);
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(running).rejects.toBe(reason);
    await expect(client().get(new URL(server.url('/silent')), controller.signal)).rejects.toBe(reason);
  });

  it('over https requires an encrypted response', async () => {
    const url = new URL(server.url('/a').replace('http:', 'https:'));
    await expect(client().get(url, never)).rejects.toMatchObject({ problem: 'network' });
  });

  it('says why a connection failed', async () => {
    server.on('/cut', (request) => request.socket.destroy());
    await expect(get(server.url('/cut'))).rejects.toMatchObject({
      problem: 'network',
      message: expect.stringContaining('connection lost'),
    });
  });
});

describe('private addresses', () => {
  it.each([
    'http://127.0.0.2/',
    'http://localhost/',
    'http://2130706434/',
    'http://0x7f.2/',
    'http://[::1]/',
    'http://[::ffff:7f00:2]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://metadata.google.internal/',
    'http://10.1.2.3/',
    'http://[fd00:ec2::254]/',
  ])('are refused: %s', async (url) => {
    const { allow: _none, ...strict } = OPEN;
    await expect(new GuardedHttp(strict).get(new URL(url), never)).rejects.toMatchObject({
      problem: 'blocked',
    });
    expect(await new GuardedHttp(strict).problemOf(new URL(url))).toContain('not on the public internet');
  });

  it.each([['10.0.0.1'], ['::1'], ['127.0.0.1', '192.168.0.1'], ['::ffff:10.0.0.1']])(
    'are refused behind a name: %s',
    async (...addresses) => {
      const options = resolvesTo(...addresses);
      const url = `http://inside.example:${server.port}/`;
      await expect(get(url, options)).rejects.toMatchObject({ problem: 'blocked' });
      await expect(get('https://inside.example/', options)).rejects.toMatchObject({ problem: 'blocked' });
      expect(await client(options).problemOf(new URL(url))).toContain('inside.example leads to');
      expect(server.asked).toEqual([]);
    },
  );

  it('are refused when a name is rebound after it was checked', async () => {
    const answers = ['127.0.0.1', '127.0.0.9'];
    const resolve = async () => [{ address: answers.shift() ?? '127.0.0.9', family: 4 }];
    const http = client({ resolve });
    const url = new URL(`http://rebound.example:${server.port}/`);
    expect(await http.problemOf(url)).toBeUndefined();
    await expect(http.get(url, never)).rejects.toMatchObject({ problem: 'blocked' });
    expect(server.asked).toEqual([]);
  });

  it('are not reached by a name that is rebound while connecting: the checked answer is used', async () => {
    server.page('/', 'public');
    let lookups = 0;
    const resolve = async () => [{ address: lookups++ === 0 ? '127.0.0.1' : '127.0.0.9', family: 4 }];
    const page = await get(`http://once.example:${server.port}/`, { resolve });
    expect(page.bytes.toString()).toBe('public');
    expect(lookups).toBe(1);
  });

  it('are not assumed for a name that does not resolve, but it cannot be fetched', async () => {
    const resolve = async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    const url = new URL('http://gone.example/');
    expect(await client({ resolve }).problemOf(url)).toBeUndefined();
    await expect(client({ resolve }).get(url, never)).rejects.toMatchObject({
      problem: 'network',
      message: 'gone.example: no such host',
    });
    await expect(get(url.href, resolvesTo())).rejects.toMatchObject({ problem: 'network' });
  });

  it('are refused, as are URLs with a password or another scheme', async () => {
    await expect(get('http://user:pass@example.com/')).rejects.toThrow('user name or password');
    await expect(get('file:///etc/passwd')).rejects.toThrow('file: is not fetched');
  });
});

describe('redirects', () => {
  it('are followed, up to five', async () => {
    server.page('/5', 'there');
    for (let hop = 0; hop < 5; hop++)
      server.redirect(`/${hop}`, `/${hop + 1}`, [301, 302, 303, 307, 308][hop]);
    server.redirect('/more', '/0');
    const page = await get(server.url('/0'));
    expect([page.url.pathname, page.bytes.toString()]).toEqual(['/5', 'there']);
    await expect(get(server.url('/more'))).rejects.toMatchObject({ problem: 'redirect' });
  });

  it('are an error when they form a loop', async () => {
    server.redirect('/round', '/round');
    await expect(get(server.url('/round'))).rejects.toThrow('More than 5 redirects');
    expect(server.asked).toHaveLength(6);
  });

  it.each([
    'http://127.0.0.2/',
    'http://169.254.169.254/latest/',
    'http://[::1]:1/',
    'http://0x0a000001/',
    'http://localhost/',
    '//user:pw@example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
  ])('to %s are refused', async (location) => {
    server.redirect('/out', location);
    await expect(get(server.url('/out'))).rejects.toMatchObject({ problem: 'blocked' });
  });

  it('to a name with a private address are refused', async () => {
    server.redirect('/', 'http://inside.example/');
    const resolve = async (name: string) => [
      { address: name === 'inside.example' ? '192.168.1.1' : '127.0.0.1', family: 4 },
    ];
    await expect(get(`http://outside.example:${server.port}/`, { resolve })).rejects.toMatchObject({
      problem: 'blocked',
      message: expect.stringContaining('192.168.1.1'),
    });
  });

  it('never lead from https to http', () => {
    const from = new URL('https://a.example/x');
    expect(() => redirectTarget(301, 'http://a.example/x', from)).toThrow('from https to http');
    expect(redirectTarget(301, '//b.example/y', from)?.href).toBe('https://b.example/y');
  });

  it('to an invalid URL are refused; without a target they are returned as the response', async () => {
    server.redirect('/bad', 'http://[::g]/');
    await expect(get(server.url('/bad'))).rejects.toMatchObject({ problem: 'redirect' });
    server.on('/bare', (_request, response) => response.writeHead(302).end('moved'));
    expect(await get(server.url('/bare'))).toMatchObject({ status: 302 });
  });
});

describe('response bodies', () => {
  const compressed = (path: string, encoding: string, bytes: Buffer) =>
    server.on(path, (_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding, 'content-type': 'text/plain' }).end(bytes),
    );

  it('are decompressed', async () => {
    compressed('/gzip', 'gzip', gzipSync('one'));
    compressed('/br', 'BR', brotliCompressSync('two'));
    compressed('/deflate', 'deflate', deflateSync('three'));
    compressed('/plain', 'identity', Buffer.from('four'));
    const texts = await Promise.all(
      ['/gzip', '/br', '/deflate', '/plain'].map(async (path) =>
        (await get(server.url(path))).bytes.toString(),
      ),
    );
    expect(texts).toEqual(['one', 'two', 'three', 'four']);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('that expand enormously (%s) are cut at the limit', async (encoding, compress) => {
    compressed('/bomb', encoding, compress(Buffer.alloc(4 * 1024 * 1024)));
    const page = await get(server.url('/bomb'), { maxBytes: 100_000 });
    expect(page.truncated).toBe(true);
    expect(page.bytes).toHaveLength(100_000);
  });

  it('without an end are cut at the limit', async () => {
    server.on('/endless', (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    });
    const page = await get(server.url('/endless'), { maxBytes: 1_000_000 });
    expect([page.bytes.length, page.truncated]).toEqual([1_000_000, true]);
  });

  it('of exactly the limit are complete', async () => {
    server.page('/exact', 'x'.repeat(1000));
    expect(await get(server.url('/exact'), { maxBytes: 1000 })).toMatchObject({ truncated: false });
  });

  it('that never arrive or stop arriving end with the time limit', async () => {
    server.on('/silent', () => undefined);
    server.on('/stuck', (_request, response) => response.writeHead(200).write('a'));
    for (const path of ['/silent', '/stuck']) {
      await expect(get(server.url(path), { timeoutMs: 50 })).rejects.toMatchObject({
        problem: 'timeout',
        message: expect.stringContaining('longer than 0.05 s'),
      });
    }
  });

  it('that are damaged or compressed in an unknown way are an error', async () => {
    compressed('/bad', 'gzip', Buffer.from('not gzip at all'));
    compressed('/bad-br', 'br', Buffer.from('not brotli at all'));
    compressed('/odd', 'zstd', Buffer.from('x'));
    for (const path of ['/bad', '/bad-br', '/odd']) {
      await expect(get(server.url(path))).rejects.toMatchObject({ problem: 'encoding' });
    }
  });

  it('that are truncated yield what arrived', async () => {
    compressed('/cut', 'gzip', gzipSync('a'.repeat(50) + Math.PI).subarray(0, -8));
    expect((await get(server.url('/cut'))).bytes.toString()).toContain('aaaa');
  });
});

describe('guarded HTTP with a proxy', () => {
  const proxied = () => ({
    proxies: { variables: { HTTP_PROXY: `http://me:secret@127.0.0.1:${server.port}` } },
  });

  it('sends the request to the proxy, with its credentials', async () => {
    server.page('/page', 'by proxy');
    const page = await get('http://site.example/page#part', { ...proxied(), ...resolvesTo('93.184.215.14') });
    expect(page.bytes.toString()).toBe('by proxy');
    expect(server.asked).toEqual(['http://site.example/page']);
    const credentials = Buffer.from('me:secret').toString('base64');
    expect(server.lastRequest?.headers).toMatchObject({
      host: 'site.example',
      'proxy-authorization': `Basic ${credentials}`,
    });
  });

  it('still refuses names and redirects to private addresses', async () => {
    const resolve = async (name: string) => [
      { address: name === 'inside.example' ? '10.0.0.1' : '93.184.215.14', family: 4 },
    ];
    const options = { ...proxied(), resolve };
    await expect(get('http://inside.example/', options)).rejects.toMatchObject({ problem: 'blocked' });
    await expect(get('http://169.254.169.254/', options)).rejects.toMatchObject({ problem: 'blocked' });
    expect(server.asked).toEqual([]);
    server.redirect('/out', 'http://inside.example/');
    await expect(get('http://outside.example/out', options)).rejects.toMatchObject({ problem: 'blocked' });
  });

  it('opens a tunnel for https', async () => {
    const options = {
      proxies: { variables: { HTTPS_PROXY: `http://127.0.0.1:${server.port}` } },
      ...resolvesTo('93.184.215.14'),
    };
    // This server does not support CONNECT, so the tunnel is refused.
    await expect(get('https://site.example/', options)).rejects.toMatchObject({ problem: 'network' });
  });
});
