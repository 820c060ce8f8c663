import { join } from 'node:path';
import { TaskState } from '@a2a-js/sdk';
import { callTool, silence, text } from '@gemini-cli/test-utils/rig';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TaskService } from '../contract.js';
import { lines, waitingCall } from '../local/service-rig.test-helper.js';
import { dataPart, textPart } from '../turns/events/event-factory.js';
import { Fleet, type FleetMember, linesOf, readEvents } from './testing/fleet.test-helper.js';
import { doAsTold } from './testing/scripted-turns.test-helper.js';

let fleet: Fleet;
let api: TaskService;

beforeAll(async () => {
  fleet = await Fleet.start();
  api = await fleet.api();
}, 60_000);

afterEach(async () => {
  await Promise.all([...fleet.members].map((member) => fleet.kill(member)));
  fleet.model.otherwise(() => undefined);
});

afterAll(() => fleet.stop());

const until = <T>(check: () => T) => vi.waitFor(check, { timeout: 15_000, interval: 20 });

function callLog(name: string): string {
  return join(fleet.folder, name);
}

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
    expect(task.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  });

  it('lets another worker continue a call that waits for an answer', async () => {
    const first = await fleet.worker();
    const path = join(fleet.workspace, 'a.txt');
    fleet.model.replies([callTool('write_file', { file_path: path, content: 'new' })], [text('Done.')]);
    const { taskId, after } = await api.send(fleet.message('write', { autoExecute: false }));
    const { request } = waitingCall(await readEvents(api, taskId, after));
    await fleet.kill(first);
    await fleet.worker();
    const answer = { callId: request.callId, outcome: 'proceed_once', newContent: 'mine' };
    const reply = await api.send(fleet.message('', {}, { taskId, parts: [dataPart(answer)] }));
    const events = lines(await readEvents(api, taskId, reply.after));
    expect(events).toContain('text-content working Done.');
    expect(linesOf(path)).toEqual(['mine']);
  });

  it('accepts a message once, also as the first of its task', async () => {
    const message = fleet.message('hi');
    const [one, two] = await Promise.all([api.send(message), api.send(message)]);
    expect(one.taskId).toBe(two.taskId);
    expect([one.isDuplicate, two.isDuplicate].sort()).toEqual([false, true]);
    expect((await api.get(one.taskId)).task.history).toHaveLength(1);
    await api.cancel(one.taskId);
  });

  it('knows no task under an id that PostgreSQL cannot keep', async () => {
    await expect(api.get('a\0b')).rejects.toMatchObject({ code: 'task_not_found' });
    await expect(api.cancel('a\0b')).rejects.toMatchObject({ code: 'task_not_found' });
  });

  it('cancels a task that waits without any worker, and one that runs', async () => {
    const waiting = await api.send(fleet.message('hi'));
    const canceled = await api.cancel(waiting.taskId);
    expect(canceled.task.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect(lines(await readEvents(api, waiting.taskId, waiting.after))).toEqual(['state-change canceled']);
    await expect(api.cancel(waiting.taskId)).rejects.toMatchObject({ code: 'not_cancelable' });
    await fleet.worker();
    fleet.model.replies([text('Once '), silence()]);
    const before = fleet.model.requests.length;
    const running = await api.send(fleet.message('tell'));
    await fleet.model.waitForRequest(before + 1);
    await api.cancel(running.taskId);
    expect(lines(await readEvents(api, running.taskId, running.after)).at(-1)).toBe('state-change canceled');
    await expect(
      api.send(fleet.message('more', {}, { taskId: running.taskId, parts: [textPart('x')] })),
    ).rejects.toMatchObject({ code: 'unsupported' });
  });

  it('serves a task only where the labels are that it asks for', async () => {
    fleet.model.otherwise(() => [text('Here.')]);
    await fleet.worker(['gpu']);
    const asked = await api.send(fleet.message('hi', { labels: ['disk-7', 'gpu'] }));
    const free = await api.send(fleet.message('hi'));
    await readEvents(api, free.taskId, free.after);
    expect((await api.get(asked.taskId)).task.status?.state).toBe(TaskState.TASK_STATE_WORKING);
    await fleet.worker(['gpu', 'disk-7', 'other']);
    expect(lines(await readEvents(api, asked.taskId, asked.after))).toContain('text-content working Here.');
  });

  it('runs the messages of a task one after the other, those of many tasks at once', async () => {
    const log = callLog('order');
    fleet.model.otherwise(doAsTold({ log, seconds: 0.05 }));
    await Promise.all([fleet.worker(), fleet.worker()]);
    const first = await Promise.all(['a', 'b', 'c'].map((id) => api.send(fleet.message(`do ${id}1 1`))));
    const next = await Promise.all(
      first.map(({ taskId }, index) => api.send(fleet.message(`do ${'abc'[index]}2 1`, {}, { taskId }))),
    );
    await Promise.all(next.map(({ taskId, after }) => readEvents(api, taskId, after)));
    for (const id of ['a', 'b', 'c'])
      expect(linesOf(log).filter((line) => line.includes(` ${id}`))).toEqual([
        `begin ${id}1-1`,
        `end ${id}1-1`,
        `begin ${id}2-1`,
        `end ${id}2-1`,
      ]);
  });

  it('lets the worker that was started last say how many turns run at the same time', async () => {
    await fleet.worker([], { FLEET_CONCURRENCY: '7' });
    await fleet.worker(['fresh'], { FLEET_CONCURRENCY: '1' });
    // Its queue begins with this message, which another process accepts.
    const { taskId, after } = await api.send(fleet.message('hi', { labels: ['fresh'] }));
    await readEvents(api, taskId, after);
    const { rows } = await fleet.query('SELECT name, worker_concurrency AS turns FROM dbos.queues');
    expect(rows.filter(({ name }) => /^turns(?: fresh)?$/.test(name)).map(({ turns }) => turns)).toEqual([
      1, 1,
    ]);
  });

  it('starts with many processes at once on an empty database', async () => {
    const url = await fleet.postgres.createDatabase('empty');
    const members: FleetMember[] = await Promise.all(
      Array.from({ length: 5 }, () => fleet.worker([], { CODER_AGENT_DATABASE_URL: url })),
    );
    expect(members.map(({ lines: said }) => said)).toEqual(members.map(() => ['ready']));
  });
});

describe('a worker that', () => {
  it('is killed in a tool call: another one tells the model that the outcome is unknown', async () => {
    const log = callLog('killed');
    fleet.model.otherwise(doAsTold({ log, seconds: 1 }));
    const first = await fleet.worker();
    const { taskId, after } = await api.send(fleet.message('do k 2'));
    const read = readEvents(api, taskId, after);
    await until(() => expect(linesOf(log)).toContain('begin k-1'));
    await Promise.all([fleet.worker(), fleet.kill(first)]);
    const events = await read;
    expect(lines(events).at(-1)).toBe('state-change input_required');
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => `1-${index + 1}`));
    expect(linesOf(log).filter((line) => line === 'begin k-1')).toHaveLength(1);
    const sent = JSON.stringify(fleet.model.requests.at(-1)?.body);
    expect(sent).toContain('its outcome is unknown');
  });

  it('is told to end finishes its turns, and takes no more', async () => {
    const log = callLog('drained');
    fleet.model.otherwise(doAsTold({ log, seconds: 0.5 }));
    const worker = await fleet.worker();
    const { taskId, after } = await api.send(fleet.message('do d 1'));
    await until(() => expect(linesOf(log)).toContain('begin d-1'));
    await fleet.kill(worker, 'SIGTERM');
    expect(linesOf(log)).toEqual(['begin d-1', 'end d-1']);
    expect(lines(await readEvents(api, taskId, after)).at(-1)).toBe('state-change input_required');
  });

  it('is stopped loses its turn; when it wakes up it does nothing more and ends', async () => {
    const log = callLog('stopped');
    fleet.model.otherwise(doAsTold({ log, seconds: 1 }));
    const stopped = await fleet.worker();
    const { taskId, after } = await api.send(fleet.message('do s 3'));
    await until(() => expect(linesOf(log)).toContain('begin s-1'));
    stopped.child.kill('SIGSTOP');
    await fleet.worker();
    const events = lines(await readEvents(api, taskId, after));
    expect(events.at(-1)).toBe('state-change input_required');
    const before = linesOf(log).filter((line) => line.startsWith('begin'));
    stopped.child.kill('SIGCONT');
    expect(await stopped.ended).toBe(70);
    expect(linesOf(log).filter((line) => line.startsWith('begin'))).toEqual(before);
    expect(new Set(before).size).toBe(before.length);
  }, 40_000);
});

describe('a worker that', () => {
  it('did not answer when its turn was cancelled takes other turns afterwards', async () => {
    const worker = await fleet.worker([], { FLEET_CONCURRENCY: '1' });
    fleet.model.replies([text('Once '), silence()]);
    const before = fleet.model.requests.length;
    const stuck = await api.send(fleet.message('tell'));
    await fleet.model.waitForRequest(before + 1);
    worker.child.kill('SIGSTOP');
    const canceled = await api.cancel(stuck.taskId);
    worker.child.kill('SIGCONT');
    expect(canceled.task.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    fleet.model.otherwise(() => [text('Next.')]);
    const { taskId, after } = await api.send(fleet.message('hi'));
    expect(lines(await readEvents(api, taskId, after))).toContain('text-content working Next.');
  });
});

describe('a stream', () => {
  it('is continued in another process behind the last event, without gap or repeat', async () => {
    const log = callLog('stream');
    fleet.model.otherwise(doAsTold({ log, seconds: 0.3, words: 50 }));
    await fleet.worker();
    const { taskId, after } = await api.send(fleet.message('do r 2'));
    const first = fleet.reader(taskId, after);
    await until(() => expect(first.lines.length).toBeGreaterThan(1));
    await fleet.kill(first);
    const second = fleet.reader(taskId, first.lines.at(-1) ?? after);
    await second.ended;
    const all = [...first.lines, ...second.lines];
    expect(all.at(-1)).toBe('end');
    const ids = (await readEvents(api, taskId, after)).map(({ id }) => id);
    expect(all.slice(0, -1)).toEqual(ids);
  });

  it('is whole after the database was killed in the middle of it', async () => {
    const log = callLog('database');
    fleet.model.otherwise(doAsTold({ log, seconds: 0.5 }));
    await fleet.worker();
    const { taskId, after } = await api.send(fleet.message('do p 3'));
    const read = readEvents(api, taskId, after);
    await until(() => expect(linesOf(log)).toContain('begin p-1'));
    fleet.postgres.kill();
    await fleet.postgres.startAgain();
    const events = await read;
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => `1-${index + 1}`));
    expect(lines(events).at(-1)).toBe('state-change input_required');
    expect(linesOf(log)).toHaveLength(6);
  }, 40_000);
});
