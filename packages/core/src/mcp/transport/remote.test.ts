/** Servers over streamable HTTP, SSE and WebSocket, made with the 1.x SDK. */
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../client.test-helper.js';
import { MCPServerStatus } from '../mcp-client.js';
import { httpServer, listen, plainFrame, sseServer, webSocketServer } from './remote.test-helper.js';

const textIn = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text ?? '';
const environment = (variables: Record<string, string> = {}) => ({ variables, cwd: '/', home: '/' });

describe('Streamable HTTP', () => {
  it.each([
    ['httpUrl', (url: string) => ({ httpUrl: url })],
    ['url with its type', (url: string) => ({ url, type: 'http' as const })],
    ['url alone', (url: string) => ({ url })],
  ])('is spoken for %s', async (_what, config) => {
    const { url, sessions } = await httpServer();
    const { client } = clientOf(config(`${url}/mcp`));
    await client.connect();
    expect(textIn(await client.callTool('greet', {}))).toBe('Hello.');
    expect(sessions()).toBe(1);
    await client.disconnect();
    expect(sessions()).toBe(0);
  });

  it('opens a new session when the server has forgotten the old one, and repeats the call', async () => {
    const { url, forget } = await httpServer();
    const { client } = clientOf({ httpUrl: `${url}/mcp` });
    await client.connect();
    forget();
    expect(textIn(await client.callTool('greet', {}))).toBe('Hello.');
    expect(client.status).toBe(MCPServerStatus.CONNECTED);
  });

  it('connects again after a server that does not know the session answers 400', async () => {
    let isNew = false;
    const { url, sessions } = await httpServer(({ headers }, response) => {
      if (!isNew || !headers['mcp-session-id']) return false;
      isNew = false;
      response.writeHead(400).end('No valid session ID');
      return true;
    });
    const { client } = clientOf({ httpUrl: `${url}/mcp` });
    await client.connect();
    isNew = true;
    await expect(client.callTool('greet', {})).rejects.toThrow('No valid session ID');
    expect(textIn(await client.callTool('greet', {}))).toBe('Hello.');
    expect(sessions()).toBe(1);
  });

  it('sends configured headers; secret variables only where they are allowed', async () => {
    const { url, requests } = await httpServer();
    const variables = { PLAIN: 'p', API_TOKEN: 'hunter2hunter2' };
    const headers = { 'X-Plain': 'a-$PLAIN', 'X-Secret': '$API_TOKEN' };
    const connect = (allowed: string[]) =>
      clientOf(
        { httpUrl: `${url}/mcp`, headers },
        { environment: environment(variables), redaction: () => ({ allowed }) },
      ).client.connect();
    await connect([]);
    expect(requests[0]?.headers).toMatchObject({ 'x-plain': 'a-p', 'x-secret': '$API_TOKEN' });
    await connect(['API_TOKEN']);
    expect(requests.at(-1)?.headers).toMatchObject({ 'x-secret': 'hunter2hunter2' });
  });

  it('does not go through a proxy on this machine', async () => {
    const proxy = await listen((_, response) => response.writeHead(502).end());
    const { url } = await httpServer();
    const proxied = environment({ HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url });
    await clientOf({ httpUrl: `${url}/mcp` }, { environment: proxied }).client.connect();
    expect(proxy.requests).toEqual([]);
  });

  it('follows no redirect to another origin, and sends it no headers', async () => {
    const other = await httpServer();
    const { url } = await listen((_, response) =>
      response.writeHead(307, { location: `${other.url}/mcp` }).end(),
    );
    const { client } = clientOf({ httpUrl: url, headers: { authorization: 'Bearer hunter2' } });
    await expect(client.connect()).rejects.toThrow(/^MCP server "test": connecting failed/);
    expect(other.requests).toEqual([]);
  });

  it.each([
    [404, 'no such page', 'connecting failed: HTTP 404: no such page'],
    [404, '<html>Not found</html>', 'connecting failed: HTTP 404.'],
    [400, '{"jsonrpc":"2.0","id":0,"error":{"code":-32600,"message":"no key"}}', 'HTTP 400: no key'],
    [403, '{"error":"blocked"}', 'HTTP 403: blocked'],
    [500, '', 'HTTP 500.'],
    [307, '', 'not followed; use that URL as the endpoint if it is the intended server'],
  ])('that answers with %i and %j is named with what it said', async (status, body, said) => {
    const { url } = await listen((_, response) =>
      response.writeHead(status, status === 307 ? { location: 'http://127.0.0.1:1/' } : {}).end(body),
    );
    const { client } = clientOf({ httpUrl: url });
    await expect(client.connect()).rejects.toMatchObject({ code: 'transport' });
    expect(client.lastError?.message).toMatch(/^MCP server "test": connecting failed: HTTP \d+[.:]/);
    expect(client.lastError?.message.endsWith(said)).toBe(true);
  });

  it.each(['http', 'sse'] as const)(
    'over %s is given up at its limit where it never answers',
    async (type) => {
      const { url } = await listen(() => undefined);
      const { client } = clientOf({ url, type, timeout: 300 });
      await expect(client.connect()).rejects.toThrow('MCP server "test": it did not answer within 300 ms.');
    },
  );

  it('over SSE is left at once where it never answers', async () => {
    const { url, requests } = await listen(() => undefined);
    const { client } = clientOf({ url, type: 'sse', timeout: 60_000 });
    const connecting = client.connect();
    connecting.catch(() => undefined);
    await expect.poll(() => requests.length).toBe(1);
    await client.disconnect();
    await expect(connecting).rejects.toThrow('the connection was closed');
  });

  it('fails with the address of a server that is not there', async () => {
    const { client } = clientOf({ httpUrl: 'http://127.0.0.1:1/mcp' });
    await expect(client.connect()).rejects.toThrow('ECONNREFUSED');
  });

  it.each(['ftp://x/', 'not an address', 'file:///etc/passwd'])('refuses the address %s', async (url) => {
    await expect(clientOf({ url }).client.connect()).rejects.toThrow(
      'its address is not an http or https URL',
    );
  });
});

describe('A server that asks for a sign-in', () => {
  const guarded = () => {
    const refuse = (response: ServerResponse) =>
      response.writeHead(401, { 'www-authenticate': 'Bearer realm="x"' }).end();
    return httpServer(({ headers }, response) => {
      if (headers.authorization === 'Bearer good') return false;
      refuse(response);
      return true;
    });
  };

  it('is not tried over SSE, and the message says what to do', async () => {
    const { url, requests } = await guarded();
    const { client } = clientOf({ url: `${url}/mcp` }, { name: 'hub' });
    await expect(client.connect()).rejects.toMatchObject({ code: 'unauthorized' });
    expect(client.lastError?.message).toBe('MCP server "hub": it asks for a sign-in. Run /mcp auth hub.');
    expect(requests.every(({ method }) => method === 'POST')).toBe(true);
  });

  it('says which configured header is wrong, where one is', async () => {
    const { url } = await guarded();
    const message = async (authorization: string) => {
      const settings = { url: `${url}/mcp`, headers: { authorization } };
      const { client } = clientOf(settings, {
        name: 'hub',
        environment: environment({ PAT: 'hunter2hunter2', API_TOKEN: 'hunter2hunter2' }),
      });
      await client.connect().catch(() => undefined);
      return client.lastError?.message;
    };
    expect(await message('Bearer $API_TOKEN')).toBe(
      'MCP server "hub": it refused the request: its header "authorization" names $API_TOKEN, ' +
        'which may be a secret: list it in security.environmentVariableRedaction.allowed.',
    );
    expect(await message('Bearer $PAT')).toBe(
      'MCP server "hub": it refused the header "Authorization" of its settings. ' +
        'Correct it, or remove it and run /mcp auth hub.',
    );
  });

  it('gets the headers of the sign-in, asked once for each refusal', async () => {
    const { url } = await guarded();
    let token = 'old';
    const challenges: unknown[] = [];
    const auth = {
      headers: async () => ({ Authorization: `Bearer ${token}` }),
      onUnauthorized: async (_: unknown, challenge: string | undefined) => {
        challenges.push(challenge);
        token = 'good';
        return true;
      },
    };
    const { client } = clientOf({ url: `${url}/mcp` }, { auth: () => auth });
    await client.connect();
    expect(challenges).toEqual(['Bearer realm="x"']);
    expect(textIn(await client.callTool('greet', {}))).toBe('Hello.');
  });
});

describe('SSE', () => {
  it.each([
    ['url with its type', 'sse' as const],
    ['url alone, after streamable HTTP has failed', undefined],
  ])('is spoken for %s', async (_what, type) => {
    const { url } = await sseServer();
    const { client } = clientOf({ url: `${url}/sse`, ...(type && { type }) });
    await client.connect();
    expect(textIn(await client.callTool('greet', {}))).toBe('Hello.');
  });

  it('sends nothing to another origin that the stream names for messages', async () => {
    const other = await listen((_, response) => response.writeHead(202).end());
    const { url } = await listen((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: ${other.url}/messages\n\n`);
    });
    const { client } = clientOf({ url, type: 'sse', headers: { 'x-key': 'hunter2' }, timeout: 5_000 });
    await expect(client.connect()).rejects.toThrow(/^MCP server "test": connecting failed: .*origin/);
    expect(other.requests).toEqual([]);
  });

  it('reports the error of streamable HTTP when both fail', async () => {
    const { url } = await listen((request, response) =>
      response.writeHead(request.method === 'POST' ? 418 : 500).end('teapot'),
    );
    await expect(clientOf({ url }).client.connect()).rejects.toThrow('teapot');
  });
});

describe('WebSocket', () => {
  it('exchanges messages in fragments, under the subprotocol mcp', async () => {
    const { url, protocols } = await webSocketServer();
    for (const tcp of [url.replace('http', 'ws'), url.replace('http://', '')]) {
      const { client } = clientOf({ tcp });
      await client.connect();
      expect(textIn(await client.callTool('greet', {}))).toMatch(/^(Hello\. ?){20000}$/);
      await client.disconnect();
    }
    expect(protocols).toEqual(['mcp', 'mcp']);
  });

  const HUGE = Buffer.from([0x81, 127, 0, 0, 0, 0, 0x10, 0, 0, 0]);
  const FRAGMENT = plainFrame(0x00, Buffer.alloc(0));
  it.each([
    ['in one frame', HUGE],
    ['in fragments without end, also empty ones', Buffer.alloc(FRAGMENT.length * 1_100_000, FRAGMENT)],
  ])('ends the connection at a message that is too large, %s', async (_what, bytes) => {
    const { url } = await webSocketServer((socket) => {
      socket.on('error', () => undefined).resume();
      socket.write(bytes);
    });
    const { client } = clientOf({ tcp: url.replace('http', 'ws'), timeout: 20_000 });
    await expect(client.connect()).rejects.toThrow('it sent a message of more than 64 MB');
  });

  it('reads no more from a server that asks without end and reads no answer, and still ends', async () => {
    const ping = plainFrame(0x89, Buffer.alloc(60_000));
    let read = 0;
    const { url } = await webSocketServer((socket) => {
      socket.on('error', () => undefined).pause();
      const next = () => socket.write(ping, () => ++read < 1_000 && next());
      next();
    });
    const { client } = clientOf({ tcp: url.replace('http', 'ws'), timeout: 1_500 });
    await expect(client.connect()).rejects.toThrow('it did not answer within 1.5 s');
    expect(read).toBeLessThan(1_000);
  });

  it('fails where the server speaks only HTTP', async () => {
    const { url } = await listen((_, response) => response.writeHead(200).end());
    const { client } = clientOf({ tcp: url.replace('http', 'ws') });
    await expect(client.connect()).rejects.toThrow('it answered 200 instead of opening a WebSocket');
  });
});
