/** Measures the A2A server on PostgreSQL: real worker processes, a scripted model, messages and events from this process. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { TaskService } from '../packages/a2a-server/src/contract.js';
import { openLocalService } from '../packages/a2a-server/src/local/local-service.js';
import { Fleet, readEvents } from '../packages/a2a-server/src/scale/testing/fleet.test-helper.js';
import { MemoryTaskStore } from '../packages/a2a-server/src/stores/memory-store.js';
import { createTurnRunner } from '../packages/a2a-server/src/turns/turn-runner.js';
import { callTool, delay, type RecordedRequest, type Script, text } from '../packages/test-utils/src/rig.js';
import { atMost, exactly, type Group, type Row } from './row.js';

const MESSAGES = 40;
const CALLS = 20;
const PIECES = 60;
const TASKS = 40;
const IDLE_TASKS = 10_000;
const WATCH_MS = 5000;

export const A2A_SCALE_ROWS: Record<string, Group> = {
  async 'a2a-scale'() {
    const fleet = await Fleet.start();
    try {
      const api = await fleet.api();
      const worker = await fleet.worker([], { FLEET_CONCURRENCY: '5' });
      const rows = [
        await firstEvents(fleet, api),
        await seenElsewhere(fleet, api),
        await toolCalls(fleet, api),
      ];
      const one = await manyTasks(fleet, api);
      const second = await fleet.worker([], { FLEET_CONCURRENCY: '5' });
      const two = await manyTasks(fleet, api);
      await fleet.kill(second, 'SIGTERM');
      rows.push({
        name: `${TASKS} tasks on 2 workers, over the time on 1, when the model is the limit`,
        unit: '%',
        program: exactly((100 * two) / one),
        ...atMost(59, '%'),
        note: `59 % is 1.7 x as many tasks per second; ${(TASKS / one).toFixed(1)} and ${(TASKS / two).toFixed(1)} a second`,
      });
      rows.push(...(await idleTasks(fleet, worker.child.pid ?? 0)));
      return rows;
    } finally {
      await fleet.stop();
    }
  },
};

async function firstEvents(fleet: Fleet, api: TaskService): Promise<Row> {
  fleet.model.otherwise(() => [text('Hello.')]);
  const times: number[] = [];
  for (let count = 0; count < MESSAGES; count++) {
    const { taskId, after } = await api.send(fleet.message('hi'));
    const accepted = performance.now();
    const { signal } = new AbortController();
    let isFirst = true;
    for await (const _ of api.events(taskId, { after, signal })) {
      if (isFirst) times.push(performance.now() - accepted);
      isFirst = false;
    }
  }
  return {
    name: 'PostgreSQL: accepted message to first event, p95',
    unit: 'ms',
    program: exactly(p95(times)),
    ...atMost(150, 'ms'),
  };
}

/** Each piece of the answer says when the model sent it. */
async function seenElsewhere(fleet: Fleet, api: TaskService): Promise<Row> {
  fleet.model.otherwise(() => pieces());
  const { taskId, after } = await api.send(fleet.message('hi'));
  const { signal } = new AbortController();
  const times: number[] = [];
  for await (const { event } of api.events(taskId, { after, signal })) {
    const content =
      event.payload?.$case === 'statusUpdate'
        ? event.payload.value.status?.message?.parts[0]?.content
        : undefined;
    const sent = content?.$case === 'text' ? Number(content.value) : Number.NaN;
    if (sent > 0) times.push(performance.now() - sent);
  }
  return {
    name: 'PostgreSQL: piece of an answer sent by the model to its event in another process, p95',
    unit: 'ms',
    program: exactly(p95(times)),
    ...atMost(60, 'ms'),
  };
}

function* pieces(): Script {
  for (let piece = 0; piece < PIECES; piece++) {
    yield delay(45);
    yield text(`${performance.now()} `);
  }
}

async function toolCalls(fleet: Fleet, api: TaskService): Promise<Row> {
  fleet.model.otherwise(readAgain);
  const runner = createTurnRunner({ env: fleet.environment, cwd: fleet.workspace });
  const local = await openLocalService({ store: new MemoryTaskStore(), runner });
  const added: number[] = [];
  for (let run = 0; run < 4; run++) {
    const here = await timeOf(fleet, local);
    const there = await timeOf(fleet, api);
    // The first run warms both up.
    if (run > 0) added.push((there - here) / CALLS);
  }
  await local.close({ drainMs: 0 });
  return {
    name: `PostgreSQL: a tool turn that is kept, over one in this process (${CALLS} calls)`,
    unit: 'ms',
    program: exactly(added.sort((a, b) => a - b)[1] ?? Number.NaN),
    ...atMost(15, 'ms'),
  };
}

function readAgain({ body }: RecordedRequest): Script {
  const done = body.contents.flatMap(({ parts }) => parts).filter((part) => part.functionResponse).length;
  return done >= CALLS
    ? [text('Done.')]
    : [callTool('list_directory', { dir_path: '.', ignore: [`x${done}`] })];
}

async function timeOf(fleet: Fleet, service: TaskService): Promise<number> {
  const { taskId, after } = await service.send(fleet.message('read'));
  let started = 0;
  const { signal } = new AbortController();
  for await (const _ of service.events(taskId, { after, signal })) started ||= performance.now();
  return performance.now() - started;
}

/** @returns seconds */
async function manyTasks(fleet: Fleet, api: TaskService): Promise<number> {
  fleet.model.otherwise(() => [delay(1000), text('Done.')]);
  const started = performance.now();
  await Promise.all(
    Array.from({ length: TASKS }, async () => {
      const { taskId, after } = await api.send(fleet.message('wait'));
      await readEvents(api, taskId, after);
    }),
  );
  return (performance.now() - started) / 1000;
}

async function idleTasks(fleet: Fleet, pid: number): Promise<Row[]> {
  const pool = new pg.Pool({ connectionString: fleet.url, max: 1 });
  const connections = async () => {
    const { rows } = await pool.query<{ count: number }>(
      `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()`,
    );
    return rows[0]?.count ?? 0;
  };
  const without = { cpu: await cpuOf(pid), connections: await connections() };
  await pool.query(
    `INSERT INTO gemini_a2a.task (id, context_id, state, queue, record)
     SELECT 'idle-' || n, 'idle', 6, 'turns', (SELECT record FROM gemini_a2a.task LIMIT 1)
     FROM generate_series(1, ${IDLE_TASKS}) n`,
  );
  const withThem = { cpu: await cpuOf(pid), connections: await connections() };
  await pool.end();
  return [
    {
      name: `PostgreSQL: CPU of an idle worker for ${IDLE_TASKS} idle tasks, per second`,
      unit: 'ms',
      program: exactly(Math.max(0, withThem.cpu - without.cpu)),
      ...atMost(10, 'ms'),
      note: `${without.cpu.toFixed(0)} ms without any`,
    },
    {
      name: `PostgreSQL: connections for ${IDLE_TASKS} idle tasks`,
      unit: 'count',
      program: exactly(Math.max(0, withThem.connections - without.connections)),
      ...atMost(0, 'connections'),
    },
  ];
}

/** Milliseconds of CPU per second. */
async function cpuOf(pid: number): Promise<number> {
  const before = ticks(pid);
  await sleep(WATCH_MS);
  return ((ticks(pid) - before) * 10 * 1000) / WATCH_MS;
}

function ticks(pid: number): number {
  const fields =
    readFileSync(join('/proc', String(pid), 'stat'), 'utf8')
      .split(') ')[1]
      ?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

function p95(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
}
