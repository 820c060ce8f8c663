/** Both protocol versions over JSON-RPC and HTTP+JSON, with the library's own clients of 1.3 and 0.3. */
import { ClientFactory } from '@a2a-js/sdk/client';
import { ClientFactory as OldClientFactory, RestTransportFactory } from 'a2a-js-sdk-0.3/client';
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

beforeEach(async () => {
  app = await startTestApp();
});

afterEach(async () => {
  await app.close({ drainMs: 0 });
});

describe('the client of the library 0.3', () => {
  it('reads the card, streams a turn to a final event, and continues the task', async () => {
    const client = await new OldClientFactory().createFromUrl(app.origin);
    const events: { kind: string }[] = [];
    for await (const event of client.sendMessageStream(oldMessage('many 3') as never)) events.push(event);
    const kinds = events.map(({ kind }) => kind);
    expect(kinds).toEqual(['task', ...Array(5).fill('status-update')]);
    expect(events.at(-1)).toMatchObject({ final: true, status: { state: 'input-required' } });
    expect(events.at(-2)).toMatchObject({
      final: false,
      status: { state: 'working' },
      metadata: { coderAgent: { kind: 'text-content' } },
    });

    const { id, contextId } = events[0] as unknown as { id: string; contextId: string };
    const answer = (await client.sendMessage(oldMessage('hello', { taskId: id, contextId }) as never)) as {
      id: string;
      history: unknown[];
    };
    expect(answer).toMatchObject({ kind: 'task', id, status: { state: 'input-required' } });
    expect(answer.history).toHaveLength(4);
    expect(await client.getTask({ id, historyLength: 1 })).toMatchObject({
      id,
      history: [{ role: 'agent' }],
    });
    expect(await client.cancelTask({ id })).toMatchObject({ id, status: { state: 'canceled' } });
  });

  it('is told which of the extensions that it asks for is in use', async () => {
    const { extensions = [] } = (
      await new OldClientFactory().createFromUrl(app.origin).then((client) => client.getAgentCard())
    ).capabilities;
    const uri = extensions[0]?.uri ?? '';
    const asked = (name: string, path: string, headers: Record<string, string>) =>
      rawRequest(app.origin + path, { headers: { [name]: `https://example.com/other, ${uri}`, ...headers } });
    expect((await asked('x-a2a-extensions', '/v1/tasks/a', {})).headers).toMatchObject({
      'x-a2a-extensions': uri,
    });
    expect((await asked('a2a-extensions', '/tasks/a', V1)).headers).toMatchObject({ 'a2a-extensions': uri });
    const { headers } = await rawRequest(app.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-a2a-extensions': uri },
      body: streamRequest('message/stream', oldMessage('hi')).body,
    });
    expect(headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-a2a-extensions': uri });
    expect((await rawRequest(`${app.origin}/v1/tasks/a`, {})).headers).not.toHaveProperty('x-a2a-extensions');
  });

  it('gets the code of an unknown task', async () => {
    const client = await new OldClientFactory().createFromUrl(app.origin);
    await expect(client.getTask({ id: 'nobody' })).rejects.toThrow('Task not found');
    expect((await rpc(app, 'tasks/get', { id: 'nobody' })).body.error).toMatchObject({
      code: -32001,
      message: 'There is no task nobody.',
    });
  });
});

describe('the client of the library 1.3', () => {
  it('reads the card, streams a turn, lists, asks for and cancels the task', async () => {
    const client = await new ClientFactory().createFromUrl(app.origin);
    const states: unknown[] = [];
    let taskId = '';
    for await (const { payload } of client.sendMessageStream({ ...newRequest('many 2') })) {
      states.push(payload?.$case);
      if (payload?.$case === 'task') taskId = payload.value.id;
    }
    expect(states).toEqual(['task', 'statusUpdate', 'statusUpdate', 'statusUpdate', 'statusUpdate']);
    const task = await client.getTask({ id: taskId, tenant: '' });
    expect(task.status?.state).toBe(6);
    const cancelled = await client.cancelTask({ id: taskId, tenant: '', metadata: undefined });
    expect(cancelled.status?.state).toBe(5);
    const { body } = await rpc(app, 'ListTasks', {}, V1);
    expect(body.result).toMatchObject({
      totalSize: 1,
      pageSize: 50,
      tasks: [{ id: taskId, status: { state: 'TASK_STATE_CANCELED' } }],
    });
  });

  it('refuses to subscribe to a task that is over', async () => {
    const { body } = await rpc(app, 'SendMessage', newMessage('fail'), V1);
    const { id } = (body.result as { task: { id: string } }).task;
    const { body: refused } = await rpc(app, 'SubscribeToTask', { id }, V1);
    expect(refused.error).toMatchObject({ code: -32004, data: [{ domain: 'a2a-protocol.org' }] });
  });
});

describe('HTTP+JSON of 1.0', () => {
  it('sends, asks for, lists and cancels', async () => {
    const headers = { 'content-type': 'application/a2a+json', ...V1 };
    const sent = await rawRequest(`${app.origin}/message:send`, {
      method: 'POST',
      headers,
      body: JSON.stringify(newMessage('hi')),
    });
    const { task } = JSON.parse(sent.text);
    expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const get = async (path: string) =>
      JSON.parse((await rawRequest(app.origin + path, { headers: V1 })).text);
    expect(await get(`/tasks/${task.id}`)).toMatchObject({ id: task.id });
    expect(await get('/tasks?pageSize=5&status=TASK_STATE_INPUT_REQUIRED')).toMatchObject({ totalSize: 1 });
    expect(await get('/tasks?status=TASK_STATE_WORKING')).toMatchObject({ totalSize: 0 });
    expect(await get('/tasks/nobody')).toMatchObject({ error: { code: 404, status: 'NOT_FOUND' } });
    expect(await get('/tasks?pageSize=1000')).toMatchObject({ error: { code: 400 } });
    const cancelled = await rawRequest(`${app.origin}/tasks/${task.id}:cancel`, {
      method: 'POST',
      headers: V1,
    });
    expect(JSON.parse(cancelled.text).status.state).toBe('TASK_STATE_CANCELED');
  });

  it('streams bare events with ids', async () => {
    const events = await readStream(`${app.origin}/message:stream`, {
      headers: { 'content-type': 'application/json', ...V1 },
      body: JSON.stringify(newMessage('many 2')),
    });
    expect(events.map(({ data }) => Object.keys(data)[0])).toEqual([
      'task',
      ...Array(4).fill('statusUpdate'),
    ]);
    expect(events.map(({ id }) => id)).toEqual([undefined, '1-1', '1-2', '1-3', '1-4']);
  });
});

describe('HTTP+JSON of 0.3', () => {
  it('serves the client of the library: turns, tasks, cancel, errors', async () => {
    const transports = [new RestTransportFactory()];
    const factory = new OldClientFactory({ transports, preferredTransports: ['HTTP+JSON'] });
    const client = await factory.createFromUrl(app.origin);
    const events: Record<string, unknown>[] = [];
    for await (const event of client.sendMessageStream(oldMessage('many 2') as never))
      events.push({ ...event });
    expect(events.map(({ kind }) => kind)).toEqual(['task', ...Array(4).fill('status-update')]);
    expect(events.at(-1)).toMatchObject({ final: true, status: { state: 'input-required' } });
    expect(events.at(-2)).toMatchObject({
      final: false,
      status: { message: { parts: [{ kind: 'text', text: 'many 1' }] } },
      metadata: { coderAgent: { kind: 'text-content' } },
    });
    const id = String(events[0]?.['id']);
    const file = { kind: 'file', file: { bytes: 'AAE=', mimeType: 'image/png' } };
    const data = { kind: 'data', data: { callId: 'c', outcome: 'cancel' } };
    const text = { kind: 'text', text: 'more' };
    await client.sendMessage(oldMessage('', { taskId: id, parts: [text, file, data] }) as never);
    expect(app.service.messages.at(-1)?.parts.map(({ content }) => content)).toEqual([
      { $case: 'text', value: 'more' },
      { $case: 'raw', value: Buffer.from([0, 1]) },
      { $case: 'data', value: { callId: 'c', outcome: 'cancel' } },
    ]);
    expect(await client.getTask({ id })).toMatchObject({ id, history: { length: 4 } });
    expect(await client.cancelTask({ id })).toMatchObject({ status: { state: 'canceled' } });
    await expect(client.getTask({ id: 'nobody' })).rejects.toThrow('There is no task nobody.');
    const answer = await rawRequest(`${app.origin}/v1/tasks/nobody`);
    expect({ status: answer.status, body: JSON.parse(answer.text) }).toEqual({
      status: 404,
      body: { code: -32001, message: 'There is no task nobody.' },
    });
  });
});

describe('a stream', () => {
  it('has ids, and is resumed behind the last one without gap or repeat', async () => {
    const request = streamRequest('message/stream', oldMessage('many 200'));
    const first = await readStream(app.url, request, (_event, all) => all.length === 50);
    const taskId = taskOf(first);
    const last = first.at(-1)?.id ?? '';
    const rest = await readStream(
      app.url,
      streamRequest('tasks/resubscribe', { id: taskId }, { 'last-event-id': last }),
    );
    const ids = [...first.slice(1), ...rest].map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: 202 }, (_, index) => `1-${index + 1}`));
    expect(rest.at(-1)?.data).toMatchObject({ result: { final: true } });
  });

  it('is given again to a message that is sent twice, which runs once', async () => {
    const message = oldMessage('many 3');
    const first = await readStream(app.url, streamRequest('message/stream', message));
    const taskId = taskOf(first);
    const again = { message: { ...message.message, taskId } };
    const second = await readStream(app.url, streamRequest('message/stream', again));
    expect(second.map(({ id }) => id)).toEqual(first.slice(1).map(({ id }) => id));
    expect(app.service.messages).toHaveLength(1);
  });

  it('keeps quiet streams alive with comments', async () => {
    await app.close({ drainMs: 0 });
    app = await startTestApp({ times: { pingMs: 5 } });
    let isPinged = false;
    const answer = rawRequest(app.url, {
      method: 'POST',
      ...streamRequest('message/stream', oldMessage('wait')),
      onText: (text) => {
        isPinged ||= text.includes(': ping\n\n');
      },
    });
    await expect.poll(() => isPinged).toBe(true);
    const { tasks } = (await rpc(app, 'ListTasks', {}, V1)).body.result as { tasks: { id: string }[] };
    app.service.release(tasks[0]?.id ?? '');
    expect((await answer).text).toContain('"final":true');
  });
});

describe('a client that goes away', () => {
  it('ends the turn when it was the last reader, and no reader comes back in time', async () => {
    await app.close({ drainMs: 0 });
    app = await startTestApp({ times: { readerGraceMs: 20 } });
    await readStream(
      app.url,
      streamRequest('message/stream', oldMessage('wait')),
      (_event, all) => all.length === 2,
    );
    await expect.poll(() => app.service.interrupted.length).toBe(1);
  });

  it('does not end a turn that another client reads', async () => {
    await app.close({ drainMs: 0 });
    app = await startTestApp({ times: { readerGraceMs: 20 } });
    const id = taskOf(
      await readStream(app.url, streamRequest('message/stream', oldMessage('wait')), () => true),
    );
    const other = readStream(app.url, streamRequest('tasks/resubscribe', { id }));
    await expect
      .poll(async () => (await rawRequest(`${app.origin}/metrics`)).text)
      .toContain('a2a_streams 1');
    app.service.release(id);
    expect((await other).at(-1)?.data).toMatchObject({ result: { final: true } });
    expect(app.service.interrupted).toEqual([]);
  });
});

function newRequest(text: string) {
  return {
    tenant: '',
    configuration: undefined,
    metadata: undefined,
    message: {
      messageId: crypto.randomUUID(),
      contextId: '',
      taskId: '',
      role: 1,
      parts: [
        {
          content: { $case: 'text' as const, value: text },
          metadata: undefined,
          filename: '',
          mediaType: '',
        },
      ],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
  };
}
