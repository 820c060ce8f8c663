import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  oldMessage,
  rawRequest,
  readStream,
  rpc,
  startTestApp,
  type TestApp,
} from '../test-app.test-helper.js';
import { textPart } from '../turns/events/event-factory.js';

let app: TestApp;

beforeEach(async () => {
  app = await startTestApp();
});

afterEach(() => app.close({ drainMs: 0 }));

describe('the events of a page', () => {
  it('say little about a task that has no message yet, and then what the model says', async () => {
    const { id: taskId, contextId } = await app.service.create(undefined);
    const message = {
      messageId: 'm',
      taskId,
      contextId,
      role: 1,
      parts: [textPart('wait')],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    };
    const events = await readStream(
      `${app.origin}/ui/tasks/${taskId}/events`,
      { method: 'GET' },
      ({ event }, all) => {
        if (all.length === 1) void app.service.send(message);
        if (all.length === 2) app.service.release(taskId);
        return event === 'text' || all.length > 20;
      },
    );
    expect(events.map(({ event, data }) => (event === 'text' ? data : event))).toEqual([
      'changed',
      'changed',
      'wait 0',
    ]);
  });

  it('begin with a change when the turn has ended since the page was made', async () => {
    const { id: taskId } = await app.service.create(undefined);
    const { text } = await rawRequest(`${app.origin}/ui/tasks/${taskId}`);
    const seen = /data-seen="([^"]+)"/.exec(text)?.[1] ?? '';
    const message = oldMessage('hi');
    await rpc(app, 'message/send', { message: { ...message.message, taskId } });
    const [first] = await readStream(
      `${app.origin}/ui/tasks/${taskId}/events?seen=${encodeURIComponent(seen)}`,
      { method: 'GET' },
      () => true,
    );
    expect(first?.event).toBe('changed');
  });
});
