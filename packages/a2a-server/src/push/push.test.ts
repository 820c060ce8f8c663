/** Push notifications, to a real receiver on this machine that the test declares public. */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import { ScriptedService } from '../scripted-service.test-helper.js';
import { FolderTaskStore } from '../stores/folder-store.js';
import {
  newMessage,
  oldMessage,
  rawRequest,
  rpc,
  startTestApp,
  type TestApp,
  V1,
} from '../test-app.test-helper.js';
import { FolderPushStore } from './folder-push-store.js';

interface Received {
  headers: IncomingHttpHeaders;
  text: string;
  body: Record<string, unknown>;
}

const open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

function folderOf(): string {
  const { path, cleanup } = tempDir('push-');
  open.push(async () => cleanup());
  return path;
}

/** @param statuses of the first answers; then 200 */
async function receiver(statuses: number[] = []) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (piece) => {
      text += piece;
    });
    request.once('end', () => {
      received.push({ headers: request.headers, text, body: JSON.parse(text) });
      response.writeHead(statuses.shift() ?? 200, { location: 'http://169.254.169.254/' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => new Promise((resolve) => server.close(resolve)));
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

async function startDurable(folder: string, waits: number[] = []): Promise<TestApp> {
  const app = await startTestApp({
    service: new ScriptedService(await FolderTaskStore.open(folder)),
    pushStore: new FolderPushStore(folder),
    push: {
      allow: (address) => address === '127.0.0.1',
      resolve: async () => [{ address: '10.1.2.3', family: 4 }],
      clock: { now: () => Date.now(), sleep: async (ms) => void waits.push(ms) },
    },
  });
  open.push(() => app.close({ drainMs: 0 }));
  return app;
}

describe('push notifications', () => {
  it('tell each change of state, signed for the receiver and the body', async () => {
    const { received, url } = await receiver();
    const app = await startDurable(folderOf());
    const message = {
      ...newMessage('many 5'),
      configuration: { taskPushNotificationConfig: { url, token: 'mine' } },
    };
    const { body } = await rpc(app, 'SendMessage', message, V1);
    const { id } = (body.result as { task: { id: string } }).task;
    await expect.poll(() => received.length).toBe(2);
    expect(received.map(({ body: { statusUpdate } }) => statusUpdate)).toMatchObject([
      { taskId: id, status: { state: 'TASK_STATE_WORKING' } },
      { taskId: id, status: { state: 'TASK_STATE_INPUT_REQUIRED' } },
    ]);
    const last = received.at(-1);
    expect(last?.headers['x-a2a-notification-token']).toBe('mine');

    const { keys } = JSON.parse((await rawRequest(`${app.origin}/.well-known/jwks.json`)).text);
    const [head = '', claims = '', signature = ''] = (last?.headers.authorization ?? '')
      .replace('Bearer ', '')
      .split('.');
    const key = { key: createPublicKey({ key: keys[0], format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const };
    expect(verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(
      true,
    );
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iss: app.url,
      aud: url,
      sub: id,
      request_body_sha256: createHash('sha256')
        .update(last?.text ?? '')
        .digest('hex'),
    });
  });

  it('send the whole task to clients of 0.3, with the credentials they gave', async () => {
    const { received, url } = await receiver();
    const app = await startDurable(folderOf());
    const first = await rpc(app, 'message/send', oldMessage('hi'));
    const taskId = first.body.result?.['id'];
    const pushNotificationConfig = {
      id: 'one',
      url,
      authentication: { schemes: ['Bearer'], credentials: 'theirs' },
    };
    await rpc(app, 'tasks/pushNotificationConfig/set', { taskId, pushNotificationConfig });
    await rpc(app, 'message/send', oldMessage('more', { taskId }));
    await expect.poll(() => received.length).toBe(2);
    expect(received[1]).toMatchObject({
      headers: { authorization: 'Bearer theirs' },
      body: { kind: 'task', id: taskId, status: { state: 'input-required' } },
    });
    const list = await rpc(app, 'tasks/pushNotificationConfig/list', { id: taskId });
    expect(list.body.result).toMatchObject([{ taskId, pushNotificationConfig: { id: 'one' } }]);
    await rpc(app, 'tasks/pushNotificationConfig/delete', { id: taskId, pushNotificationConfigId: 'one' });
    expect((await rpc(app, 'tasks/pushNotificationConfig/list', { id: taskId })).body.result).toEqual([]);
  });

  it('are sent again while the receiver fails, and not after it refused; redirects are not followed', async () => {
    const failing = await receiver([503, 500, 429]);
    const refusing = await receiver([302, 404]);
    const waits: number[] = [];
    const app = await startDurable(folderOf(), waits);
    const send = (url: string) =>
      rpc(
        app,
        'SendMessage',
        { ...newMessage('hi'), configuration: { taskPushNotificationConfig: { url } } },
        V1,
      );
    await send(failing.url);
    await expect.poll(() => failing.received.length).toBe(5);
    expect(waits).toEqual([1_000, 2_000, 4_000]);
    await send(refusing.url);
    await expect.poll(() => refusing.received.length).toBe(2);
    expect(waits).toHaveLength(3);
  });

  it('are kept, with the key, over a restart', async () => {
    const folder = folderOf();
    const { received, url } = await receiver();
    const before = await startDurable(folder);
    const { body } = await rpc(
      before,
      'SendMessage',
      { ...newMessage('hi'), configuration: { taskPushNotificationConfig: { url } } },
      V1,
    );
    const { id } = (body.result as { task: { id: string } }).task;
    const keys = (await rawRequest(`${before.origin}/.well-known/jwks.json`)).text;
    await expect.poll(() => received.length).toBe(2);
    await open.pop()?.();
    const after = await startDurable(folder);
    expect((await rawRequest(`${after.origin}/.well-known/jwks.json`)).text).toBe(keys);
    await rpc(after, 'SendMessage', newMessage('again', { taskId: id }), V1);
    await expect.poll(() => received.length).toBe(4);
  });

  it('tell what users do on the page, and a cancel of a task that rests', async () => {
    const { received, url } = await receiver();
    const app = await startDurable(folderOf());
    const { body } = await rpc(
      app,
      'SendMessage',
      { ...newMessage('hi'), configuration: { taskPushNotificationConfig: { url } } },
      V1,
    );
    const { id } = (body.result as { task: { id: string } }).task;
    await expect.poll(() => received.length).toBe(2);
    const form = (path: string, text: string) =>
      rawRequest(`${app.origin}/ui/tasks/${id}/${path}`, {
        method: 'POST',
        headers: { origin: app.origin, 'content-type': 'application/x-www-form-urlencoded' },
        body: text,
      });
    expect((await form('messages', 'text=more')).status).toBe(303);
    await expect.poll(() => received.length).toBe(4);
    expect((await form('cancel', '')).status).toBe(303);
    await expect.poll(() => received.length).toBe(5);
    expect(received.map(({ body: { statusUpdate } }) => stateIn(statusUpdate))).toEqual([
      'TASK_STATE_WORKING',
      'TASK_STATE_INPUT_REQUIRED',
      'TASK_STATE_WORKING',
      'TASK_STATE_INPUT_REQUIRED',
      'TASK_STATE_CANCELED',
    ]);
  });

  it('tell after a restart, once, that a turn has ended that the process before could not tell', async () => {
    const folder = folderOf();
    const { received, url } = await receiver();
    const before = await startDurable(folder);
    const { body } = await rpc(
      before,
      'SendMessage',
      { ...newMessage('hi'), configuration: { taskPushNotificationConfig: { url } } },
      V1,
    );
    const { id } = (body.result as { task: { id: string } }).task;
    await expect.poll(() => received.length).toBe(2);
    await open.pop()?.();
    // It was killed between the end of the second turn and its notification.
    const store = await FolderTaskStore.open(folder);
    const record = await store.load(id);
    if (!record) throw new Error('The task is lost.');
    await store.save({ ...record, turn: 2 });
    await store.close();
    await startDurable(folder);
    await expect.poll(() => received.length).toBe(3);
    expect(stateIn(received[2]?.body['statusUpdate'])).toBe('TASK_STATE_INPUT_REQUIRED');
    await open.pop()?.();
    const last = await startDurable(folder);
    await rpc(last, 'SendMessage', newMessage('again', { taskId: id }), V1);
    await expect.poll(() => received.length).toBe(5);
  });

  it('never go to private addresses, by number, by name, by odd forms', async () => {
    const app = await startDurable(folderOf());
    const { body } = await rpc(app, 'SendMessage', newMessage('hi'), V1);
    const { id: taskId } = (body.result as { task: { id: string } }).task;
    for (const url of [
      'http://10.0.0.1/',
      'http://169.254.169.254/latest',
      'http://[::1]/',
      'http://[::ffff:10.0.0.1]/',
      'http://0x7f000002/',
      'http://localhost/',
      'http://metadata/',
      'http://service.internal/',
      'http://rebound.example.com/',
      'https://user:pass@example.com/',
      'file:///etc/passwd',
      'not a url',
      '',
    ]) {
      const answer = await rpc(app, 'CreateTaskPushNotificationConfig', { taskId, url }, V1);
      expect({ url, code: answer.body.error?.code }).toEqual({ url, code: -32602 });
      expect(answer.body.error?.message).toMatch(/^Push notifications are refused: /);
    }
    const split = { taskId, url: 'http://127.0.0.1/', token: 'a\r\nx: y' };
    expect((await rpc(app, 'CreateTaskPushNotificationConfig', split, V1)).body.error).toMatchObject({
      code: -32602,
    });
  });
});

function stateIn(update: unknown): unknown {
  return (update as { status?: { state?: string } } | undefined)?.status?.state;
}
