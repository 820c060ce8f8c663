/** What clients get wrong, by accident or on purpose: each has a defined answer, and other tasks do not notice. */
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  newMessage,
  oldMessage,
  rawRequest,
  readStream,
  rpc,
  startTestApp,
  streamRequest,
  type TestApp,
  taskOf,
  V1,
} from '../test-app.test-helper.js';

let app: TestApp;
const JSON_TYPE = { 'content-type': 'application/json' };

beforeEach(async () => {
  app = await startTestApp();
});

afterEach(async () => {
  // Whatever the test sent, the server still works.
  expect((await rpc(app, 'message/send', oldMessage('hi'), auth)).body.result).toMatchObject({
    kind: 'task',
  });
  await app.close({ drainMs: 0 });
  auth = {};
});

let auth: Record<string, string> = {};

async function restart(options: Parameters<typeof startTestApp>[0]) {
  await app.close({ drainMs: 0 });
  app = await startTestApp(options);
}

describe('JSON-RPC', () => {
  const post = (body: string, headers: Record<string, string> = JSON_TYPE) =>
    rawRequest(app.url, { method: 'POST', headers, body });

  it('names the error of a body that is not a request', async () => {
    for (const [body, code] of [
      ['{', -32700],
      ['', -32700],
      ['[]', -32600],
      ['7', -32600],
      ['{"jsonrpc":"1.0","id":1,"method":"tasks/get","params":{}}', -32600],
      ['{"jsonrpc":"2.0","id":{},"method":"tasks/get","params":{}}', -32600],
      ['{"jsonrpc":"2.0","id":1,"method":"tasks/destroy","params":{}}', -32601],
      ['{"jsonrpc":"2.0","id":1,"method":"DestroyTask","params":{}}', -32601],
      ['{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":[]}', -32602],
    ] as const) {
      const { status, text } = await post(body);
      expect({ body, status, code: JSON.parse(text).error.code }).toEqual({ body, status: 200, code });
    }
  });

  it('names the request that it refuses', async () => {
    const one = { jsonrpc: '2.0', id: 'mine', method: 'message/send', params: { message: {} } };
    expect(JSON.parse((await post(JSON.stringify(one))).text)).toMatchObject({ id: 'mine' });
    const headers = { ...JSON_TYPE, 'a2a-version': '7.0' };
    const two = { jsonrpc: '2.0', id: 5, method: 'tasks/get', params: { id: 'a' } };
    expect(JSON.parse((await post(JSON.stringify(two), headers)).text)).toMatchObject({ id: 5 });
  });

  it('refuses another content type, which a web page could send without asking', async () => {
    expect((await post('{}', { 'content-type': 'text/plain' })).status).toBe(415);
  });

  it('refuses an unknown protocol version, in both forms', async () => {
    for (const version of ['2.0', '0.2', 'x'.repeat(500), '1.00'])
      expect((await rpc(app, 'tasks/get', { id: 'a' }, { 'a2a-version': version })).body.error).toMatchObject(
        { code: -32009 },
      );
    const rest = await rawRequest(`${app.origin}/tasks/a`, { headers: { 'a2a-version': '9.9' } });
    expect(JSON.parse(rest.text).error.details[0]).toMatchObject({ reason: 'VERSION_NOT_SUPPORTED' });
  });

  it('refuses messages without an id, without parts, with parts that are nothing, with ids that are too long', async () => {
    const parts = [{ kind: 'text', text: 'x' }];
    for (const message of [
      undefined,
      { role: 'user', parts },
      { role: 'user', messageId: 'a', parts: [] },
      { role: 'user', messageId: 'a', parts: [{ kind: 'nothing' }] },
      { role: 'user', messageId: 'a', parts: [null] },
      { role: 'user', messageId: 'a'.repeat(1000), parts },
      { role: 'user', messageId: 'a', taskId: '../../etc/passwd', parts },
      { role: 'user', messageId: 'a\0', parts },
      { role: 'user', messageId: 'a', contextId: 'c\ud800', parts },
      ...['x'.repeat(65), 'a\0', '\ud800', ''].map((label) => ({
        role: 'user',
        messageId: 'a',
        parts,
        metadata: { coderAgent: { kind: 'agent-settings', labels: [label] } },
      })),
      {
        role: 'user',
        messageId: 'a',
        parts,
        metadata: { coderAgent: { kind: 'agent-settings', workspacePath: 7 } },
      },
    ]) {
      const old = await rpc(app, 'message/send', { message });
      expect({ message, error: old.body.error?.code }).toEqual({
        message,
        error: expect.toBeOneOf([-32602, -32001]),
      });
      expect(old.body.error?.message).not.toMatch(/at .*\.js:|Cannot read|not iterable/);
    }
    expect(
      (await rpc(app, 'SendMessage', { message: { messageId: 'a', parts: [{}] } }, V1)).body.error,
    ).toMatchObject({ code: -32602 });
    expect(app.service.messages).toHaveLength(0);
  });

  it('refuses fields of another type than they have, in words of its own', async () => {
    const file = (fields: object) => [
      { kind: 'file', file: { bytes: 'aGk=', mimeType: 'text/plain', ...fields } },
    ];
    const { message } = oldMessage('hi');
    const current = newMessage('hi').message;
    for (const [method, params, headers] of [
      ...[{ bytes: 7 }, { bytes: {} }, { mimeType: 7 }, { mimeType: {} }, { name: [] }].map(
        (fields) => ['message/send', { message: { ...message, parts: file(fields) } }, {}] as const,
      ),
      ['message/send', { message, configuration: { acceptedOutputModes: true } }, {}],
      ['message/send', { message, configuration: { historyLength: -1 } }, {}],
      ['SendMessage', { message: current, configuration: { historyLength: -1 } }, V1],
      ['SendMessage', { message: { ...current, parts: [{ raw: 7 }] } }, V1],
      ['SendMessage', { message: { ...current, messageId: { toString: 'x' } } }, V1],
      ['GetTask', { id: { toString: 'x' } }, V1],
      ['ListTasks', { status: 'TASK_STATE_LOST' }, V1],
      ['tasks/resubscribe', { id: { toString: 'x' } }, {}],
    ] as const) {
      const { body } = await rpc(app, method, params, headers);
      expect({ method, params, code: body.error?.code }).toEqual({ method, params, code: -32602 });
      expect(body.error?.message).not.toMatch(/Cannot|iterable|argument|not a function/);
    }
    for (const [path, headers] of [
      ['/message:send', V1],
      ['/v1/message:send', {}],
    ] as const) {
      for (const body of [
        { message: { parts: [null] } },
        { message: { parts: [{ raw: 7 }], content: [{ file: { fileWithBytes: 7 } }] } },
      ]) {
        const answer = await rawRequest(app.origin + path, {
          method: 'POST',
          headers: { ...JSON_TYPE, ...headers },
          body: JSON.stringify(body),
        });
        expect({ path, body, status: answer.status }).toEqual({ path, body, status: 400 });
      }
    }
    expect(app.service.messages).toHaveLength(0);
  });

  it('refuses bodies that are nested too deep: a task with one could not be read any more', async () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const request = (depth: number) =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params: oldMessage('hi') }).replace(
        '"hi"',
        `"hi"},{"kind":"data","data":${nested(depth)}`,
      );
    expect(JSON.parse((await post(request(50))).text).result).toMatchObject({ kind: 'task' });
    for (const depth of [101, 2_000, 1_000_000]) {
      const { error } = JSON.parse((await post(request(depth))).text);
      expect({ depth, error }).toMatchObject({
        depth,
        error: { code: -32600, message: expect.stringContaining('nested') },
      });
    }
    const rest = await rawRequest(`${app.origin}/tasks`, {
      method: 'POST',
      headers: JSON_TYPE,
      body: nested(101),
    });
    expect(rest.status).toBe(400);
  });

  it('says nothing about its inside when it fails', async () => {
    for (const answer of [
      await rpc(app, 'message/send', oldMessage('crash')),
      await rpc(app, 'SendMessage', newMessage('crash'), V1),
      await rpc(app, 'message/stream', oldMessage('crash')),
    ]) {
      expect(answer.body.error).toMatchObject({
        code: -32603,
        message: 'The server failed. Its log says more.',
      });
    }
  });

  it('answers 429 with Retry-After when the service takes no more tasks', async () => {
    const { status, headers, text } = await post(
      JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'message/send', params: oldMessage('refuse') }),
    );
    expect({ status, retry: headers['retry-after'] }).toEqual({ status: 429, retry: '5' });
    expect(JSON.parse(text)).toMatchObject({
      id: 9,
      error: { code: -32000, message: 'Too many tasks run now.' },
    });
  });

  it('cannot cancel a task that is over', async () => {
    const { body } = await rpc(app, 'message/send', oldMessage('fail'));
    const id = body.result?.['id'];
    expect((await rpc(app, 'tasks/cancel', { id })).body.error).toMatchObject({ code: -32002 });
    expect((await rpc(app, 'CancelTask', { id }, V1)).body.error).toMatchObject({
      code: -32002,
      data: [{ reason: 'TASK_NOT_CANCELABLE' }],
    });
  });

  it('refuses push notifications while tasks live in memory', async () => {
    const { body } = await rpc(app, 'message/send', oldMessage('hi'));
    const params = {
      taskId: body.result?.['id'],
      pushNotificationConfig: { url: 'https://example.com/hook' },
    };
    expect((await rpc(app, 'tasks/pushNotificationConfig/set', params)).body.error).toMatchObject({
      code: -32003,
    });
  });

  it('has no extended card', async () => {
    expect((await rpc(app, 'GetExtendedAgentCard', {}, V1)).body.error).toMatchObject({ code: -32007 });
    expect((await rpc(app, 'agent/getAuthenticatedExtendedCard', {})).body.error).toMatchObject({
      code: -32007,
    });
  });
});

describe('bodies', () => {
  it('refuses 100 MB before they have arrived, and says so', async () => {
    const body = Buffer.alloc(100 * 1024 * 1024, 'x');
    const answer = await rawRequest(app.url, { method: 'POST', headers: JSON_TYPE, body }).catch(
      () => undefined,
    );
    // A client that insists on sending everything may see the connection close first.
    if (answer) expect(answer.status).toBe(413);
    const announced = await rawRequest(app.url, {
      method: 'POST',
      headers: { ...JSON_TYPE, 'content-length': '11000000' },
      body: Buffer.alloc(11_000_000),
    });
    expect(announced.status).toBe(413);
    expect(JSON.parse(announced.text).error.message).toBe(
      'The body is larger than 10 MB, the limit of this server.',
    );
  });

  it('counts a body that comes in pieces without a length', async () => {
    await restart({ limits: { bodyBytes: 1_000 } });
    const answer = await chunked('x'.repeat(2_000));
    expect(answer).toMatch(/^HTTP\/1\.1 413/);
  });

  it('gives up on a request that does not arrive', async () => {
    await restart({ times: { requestMs: 50 } });
    const socket = connect(app.port, '127.0.0.1');
    const answer = new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(String(bytes))));
    socket.write(
      `POST / HTTP/1.1\r\nHost: 127.0.0.1:${app.port}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    expect(await answer).toMatch(/^HTTP\/1\.1 408/);
    socket.destroy();
  });

  function chunked(text: string): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect(app.port, '127.0.0.1');
      let answer = '';
      socket.setEncoding('utf8');
      socket.on('data', (piece: string) => {
        answer += piece;
        if (answer.includes('\r\n\r\n')) {
          socket.destroy();
          resolve(answer);
        }
      });
      const head = `POST / HTTP/1.1\r\nHost: 127.0.0.1:${app.port}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
      socket.write(`${head}${text.length.toString(16)}\r\n${text}\r\n`);
    });
  }
});

describe('strangers', () => {
  const card = () => `${app.origin}/.well-known/agent-card.json`;

  it('are refused by a foreign host or origin, on every route', async () => {
    for (const path of [
      '/',
      '/tasks/metadata',
      '/.well-known/agent-card.json',
      '/healthz',
      '/nothing',
      '/listCommands',
    ]) {
      for (const headers of [
        { host: `evil.example:${app.port}` },
        { host: '127.0.0.1:1' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: app.origin },
      ] as Record<string, string>[]) {
        const { status } = await rawRequest(app.origin + path, { headers });
        expect({ path, headers, status }).toEqual({ path, headers, status: 403 });
      }
    }
  });

  it('need the token or the password on every route but the card, whatever they guess', async () => {
    await restart({ credentials: { token: 'a-long-secret-token', basic: 'ann:pass:word' } });
    auth = { authorization: 'Bearer a-long-secret-token' };
    const guesses = [
      '',
      'Bearer',
      'Bearer ',
      'Bearer a',
      'Bearer a-long-secret-tokem',
      `Bearer ${'a'.repeat(5_000)}`,
      'Basic',
      'Basic !!!',
      `Basic ${btoa('ann:pass')}`,
      'Digest a-long-secret-token',
    ];
    for (const authorization of guesses) {
      for (const path of ['/', '/healthz', '/metrics', '/ui', '/nothing', '/tasks/x/metadata']) {
        const { status, headers } = await rawRequest(app.origin + path, { headers: { authorization } });
        expect({ authorization, path, status }).toEqual({ authorization, path, status: 401 });
        expect(headers['www-authenticate']).toContain('Bearer');
      }
    }
    expect((await rawRequest(card())).status).toBe(200);
    expect((await rawRequest(`${app.origin}/healthz`, { headers: auth })).status).toBe(200);
    const basic = { authorization: `Basic ${btoa('ann:pass:word')}` };
    expect((await rawRequest(`${app.origin}/healthz`, { headers: basic })).status).toBe(200);
  });

  it('are refused before their body is read', async () => {
    await restart({ credentials: { token: 'secret' } });
    auth = { authorization: 'Bearer secret' };
    const socket = connect(app.port, '127.0.0.1');
    const first = new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(bytes.toString())));
    socket.write(`POST / HTTP/1.1\r\nHost: 127.0.0.1:${app.port}\r\nContent-Length: 1000000\r\n\r\nx`);
    expect(await first).toMatch(/^HTTP\/1\.1 401/);
    socket.destroy();
  });

  it('cannot use a request line that names another host', async () => {
    const socket = connect(app.port, '127.0.0.1');
    const first = new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(bytes.toString())));
    socket.write(`GET http://evil.example/healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n`);
    expect(await first).toMatch(/^HTTP\/1\.1 403/);
    socket.destroy();
  });
});

describe('limits', () => {
  it('refuse a stream too many with 429, and take one again when another ends', async () => {
    await restart({ limits: { streams: 1 } });
    const first = readStream(app.url, streamRequest('message/stream', oldMessage('wait')));
    await expect
      .poll(async () => (await rawRequest(`${app.origin}/metrics`)).text)
      .toContain('a2a_streams 1');
    const refused = await rpc(app, 'message/stream', oldMessage('many 1'));
    expect(refused).toMatchObject({ status: 429, body: { error: { code: -32000 } } });
    const { tasks } = (await rpc(app, 'ListTasks', {}, V1)).body.result as { tasks: { id: string }[] };
    for (const { id } of tasks) app.service.release(id);
    expect((await first).at(-1)?.data).toMatchObject({ result: { final: true } });
    expect(taskOf(await readStream(app.url, streamRequest('message/stream', oldMessage('many 1'))))).not.toBe(
      '',
    );
  });

  it('cut off a client that reads nothing, while others are served', async () => {
    await restart({ times: { stalledMs: 50 } });
    const socket = connect(app.port, '127.0.0.1');
    socket.pause();
    const { headers, body } = streamRequest('message/stream', oldMessage('many 300'));
    const big = body.replace('many 300', `big ${40 * 1024 * 1024}`);
    const head = Object.entries({ ...headers, 'content-length': String(big.length) }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    socket.write(`POST / HTTP/1.1\r\nHost: 127.0.0.1:${app.port}\r\n${head.join('')}\r\n${big}`);
    await expect.poll(() => app.service.messages.length).toBe(1);
    await expect
      .poll(async () => (await rawRequest(`${app.origin}/metrics`)).text, { timeout: 4_000 })
      .toContain('a2a_streams 0');
    socket.destroy();
  });
});

describe('routes', () => {
  it('answer 404, 405 and 400 as JSON', async () => {
    expect(await rawRequest(`${app.origin}/nothing`)).toMatchObject({ status: 404 });
    expect(await rawRequest(`${app.origin}/healthz`, { method: 'POST' })).toMatchObject({
      status: 405,
      headers: { allow: 'GET' },
    });
    expect(await rawRequest(`${app.origin}/tasks/%ff/metadata`)).toMatchObject({ status: 400 });
    expect(await rawRequest(`${app.origin}/tasks/nobody/metadata`)).toMatchObject({ status: 404 });
  });
});
