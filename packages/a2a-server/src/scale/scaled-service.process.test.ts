import { join } from 'node:path';
import { callTool, text } from '@gemini-cli/test-utils/rig';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TaskService } from '../contract.js';
import { lines, waitingCall } from '../local/service-rig.test-helper.js';
import { dataPart } from '../turns/events/event-factory.js';
import { Fleet, linesOf, readEvents } from './testing/fleet.test-helper.js';

let fleet: Fleet;
let api: TaskService;

beforeAll(async () => {
  fleet = await Fleet.start();
  api = await fleet.api();
}, 60_000);

afterAll(() => fleet.stop());

describe('a fleet on PostgreSQL', () => {
  it('runs a turn on a worker; its events are read in another process', async () => {
    await fleet.worker();
    fleet.model.replies([text('Hello.')]);
    const { taskId, after } = await api.send(fleet.message('hi'));
    const events = await readEvents(api, taskId, after);
    expect(lines(events)).toEqual([
      'state-change working',
      'text-content working Hello.',
      'state-change input_required',
    ]);
    expect(events.map(({ id }) => id)).toEqual(['1-1', '1-2', '1-3']);
    const { task } = await api.get(taskId);
    expect(task.history.map(({ parts }) => parts[0]?.content?.value)).toEqual(['hi', 'Hello.']);
  });
});
