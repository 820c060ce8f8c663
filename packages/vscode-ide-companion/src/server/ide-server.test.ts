import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStream, type PlainAnswer, plainRequest, TestClient } from '../testing/client.test-helper.js';
import { IdeServer, type IdeServerOptions } from './ide-server.js';

const CONTEXT = { method: 'ide/contextUpdate', params: { workspaceState: { isTrusted: true } } };

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'plain', version: '1' } },
};

describe('IdeServer', () => {
  let server: IdeServer;
  let calls: unknown[][];
  let ended: object[];
  let lines: string[];
  let clients: TestClient[];
  let diffError: Error | undefined;

  const options = (): IdeServerOptions => ({
    version: '1.2.3',
    diffs: {
      openDiff: async (...words) => {
        if (diffError) throw diffError;
        calls.push(words);
      },
      closeDiff: async (_owner, path) => (path === '/unknown' ? undefined : `the end of ${path}`),
    },
    firstNotification: () => CONTEXT,
    sessionEnded: (owner) => ended.push(owner),
    log: (line) => lines.push(line),
  });

  beforeEach(async () => {
    calls = [];
    ended = [];
    lines = [];
    clients = [];
    diffError = undefined;
    server = new IdeServer(options());
    await server.start();
  });
  afterEach(async () => {
    for (const client of clients) await client.close();
    await server.stop();
  });

  async function connect(): Promise<TestClient> {
    const client = new TestClient(server);
    clients.push(client);
    return client.connect();
  }

  it('sends the context as soon as a program listens', async () => {
    const client = await connect();
    expect(await client.next('ide/contextUpdate')).toEqual(CONTEXT);
    expect(await client.tools()).toEqual(['openDiff', 'closeDiff']);
  });

  it('opens and closes diffs for the program that calls the tools', async () => {
    const client = await connect();
    const opened = await client.call('openDiff', { filePath: '/a.txt', newContent: 'new' });
    expect(opened).toEqual({ text: '', isError: false });
    expect(calls).toEqual([[expect.anything(), '/a.txt', 'new']]);
    const closed = await client.call('closeDiff', { filePath: '/a.txt', suppressNotification: true });
    expect(JSON.parse(closed.text)).toEqual({ content: 'the end of /a.txt' });
    const unknown = await client.call('closeDiff', { filePath: '/unknown' });
    expect(unknown).toEqual({ text: '{}', isError: false });
  });

  it('tells the program what went wrong with a diff', async () => {
    const client = await connect();
    diffError = new Error('the window is closing');
    const failed = await client.call('openDiff', { filePath: '/a.txt', newContent: 'new' });
    expect(failed).toEqual({ text: 'the window is closing', isError: true });
    const relative = await client.call('openDiff', { filePath: 'a.txt', newContent: 'new' });
    expect(relative).toMatchObject({ isError: true, text: expect.stringContaining('absolute path') });
  });

  it('talks to clients of the older library, too', async () => {
    const client = new OlderClient({ name: 'older', version: '1' });
    const arrived = new Promise((resolve) => {
      client.fallbackNotificationHandler = async (notification) => resolve(notification);
    });
    const transport = new OlderTransport(new URL(`http://127.0.0.1:${server.port}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${server.token}` } },
    });
    await client.connect(transport as Parameters<OlderClient['connect']>[0]);
    expect(await arrived).toMatchObject(CONTEXT);
    const { content } = await client.callTool({ name: 'closeDiff', arguments: { filePath: '/a.txt' } });
    expect(content).toEqual([{ type: 'text', text: '{"content":"the end of /a.txt"}' }]);
    await client.close();
  });

  it('tells all programs of a change, and one program of its diff', async () => {
    const [first, second] = [await connect(), await connect()];
    for (const client of [first, second]) await client.next('ide/contextUpdate');
    await second.call('openDiff', { filePath: '/a.txt', newContent: 'new' });
    const owner = calls[0]?.[0] as object;
    server.notify({ method: 'ide/diffAccepted', params: { filePath: '/a.txt', content: 'x' } }, owner);
    server.notify(CONTEXT);
    for (const client of [first, second]) await client.next('ide/contextUpdate');
    expect(first.left()).toEqual([]);
    expect(second.left()).toEqual(['ide/diffAccepted']);
  });

  it('forgets a program that leaves, and answers 404 to its session', async () => {
    const client = await connect();
    await client.next('ide/contextUpdate');
    await client.leave();
    expect(ended).toHaveLength(1);
    const headers = { 'mcp-session-id': 'gone' };
    expect((await plainRequest(server, { headers, body: '{}' })).status).toBe(404);
    await expect(client.ping()).rejects.toThrow();
  });

  it('drops a program that does not answer three pings, and lets it begin again', async () => {
    const { headers } = await plainRequest(server, { body: JSON.stringify(INITIALIZE) });
    const session = { 'mcp-session-id': String(headers['mcp-session-id']) };
    for (let interval = 0; interval < 3; interval++) void server.pingAll();
    expect(ended).toEqual([]);
    await server.pingAll();
    expect(ended).toHaveLength(1);
    const request = { headers: session, body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' }) };
    expect((await plainRequest(server, request)).status).toBe(404);
    const again = await plainRequest(server, { body: JSON.stringify(INITIALIZE) });
    expect(again.status).toBe(200);
  });

  it('sends the context again to a program whose stream was cut', async () => {
    const { headers } = await plainRequest(server, { body: JSON.stringify(INITIALIZE) });
    const session = String(headers['mcp-session-id']);
    const first = await openStream(server, session);
    expect(await first.read()).toContain('ide/contextUpdate');
    await first.breakOff();
    // The server learns of it a moment later; until then it refuses a second stream.
    await expect
      .poll(async () => {
        const again = await openStream(server, session);
        const text = await again.read();
        await again.breakOff();
        return text;
      })
      .toContain('ide/contextUpdate');
    expect(ended).toEqual([]);
  });

  it('keeps a program that answers', async () => {
    const client = await connect();
    await client.next('ide/contextUpdate');
    for (let interval = 0; interval < 10; interval++) await server.pingAll();
    expect(ended).toEqual([]);
    await client.ping();
  });

  describe('refuses', () => {
    const refused: [string, Parameters<typeof plainRequest>[1], number][] = [
      ['a request without a token', { headers: { authorization: undefined } }, 401],
      ['a wrong token', { headers: { authorization: 'Bearer wrong' } }, 401],
      ['a token of another kind', { headers: { authorization: 'Basic wrong' } }, 401],
      ['a web page', { headers: { origin: 'http://127.0.0.1' } }, 403],
      ['the page of no origin', { headers: { origin: 'null' } }, 403],
      ['a foreign host', { headers: { host: 'attacker.example' } }, 403],
      ['a host with another port', { headers: { host: '127.0.0.1:1' } }, 403],
      ['another path', { path: '/' }, 404],
      ['another method', { method: 'PUT' }, 405],
      ['a stream without a session', { method: 'GET' }, 400],
      ['a session it does not know', { headers: { 'mcp-session-id': 'x' }, body: '{}' }, 404],
      ['a body that is not JSON', { body: '{' }, 400],
      ['a first request that is not initialize', { body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' }, 400],
    ];
    it.each(refused)('%s', async (_, request, status) => {
      expect((await plainRequest(server, request)).status).toBe(status);
      expect(lines.filter((line) => line.includes('connected'))).toEqual([]);
    });
  });

  it('accepts the names of this machine, also the one from inside a container', async () => {
    const body = JSON.stringify(INITIALIZE);
    for (const name of ['127.0.0.1', 'localhost', 'host.docker.internal']) {
      const headers = { host: `${name}:${server.port}` };
      expect((await plainRequest(server, { headers, body })).status).toBe(200);
    }
  });

  it('takes a request of nearly 10 MB, refuses a longer one, and keeps working', async () => {
    const client = await connect();
    const newContent = 'x'.repeat(9_900_000);
    expect(await client.call('openDiff', { filePath: '/a', newContent })).toMatchObject({ isError: false });
    const answers: PlainAnswer[] = [];
    const body = Buffer.alloc(11 * 1024 * 1024, 'x');
    answers.push(await plainRequest(server, { body }));
    // In pieces, without a length.
    answers.push(await plainRequest(server, { body, headers: { 'transfer-encoding': 'chunked' } }));
    expect(answers.map(({ status }) => status)).toEqual([413, 413]);
    expect(await client.tools()).toHaveLength(2);
  });
});
