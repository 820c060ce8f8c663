/** What a worker does about others and about its own turns, against a real database without a fleet. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresServer } from '@gemini-cli/test-utils/rig';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { TaskRecord } from '../../contract.js';
import { newTask } from '../../tasks/new-task.js';
import { TurnLostError } from '../../turns/turn-errors.js';
import { insertTask } from '../api/task-rows.js';
import { connection } from '../database/connection.js';
import { migrate } from '../database/migrate.js';
import { Lease } from './lease.js';
import { Peers } from './peers.js';
import { TurnWriter } from './turn-writer.js';
import { UnstartedTurns } from './unstarted-turns.js';

let server: PostgresServer;
let url: string;
let pool: pg.Pool;
const opened: { close(): Promise<unknown> }[] = [];

beforeAll(async () => {
  server = await PostgresServer.start();
  url = await server.createDatabase('parts');
  pool = new pg.Pool({ connectionString: url, max: 4 });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  await migrate(pool, url);
}, 60_000);

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
  await pool.query('DELETE FROM gemini_a2a.executor');
  await pool.query('DELETE FROM dbos.workflow_status');
});

afterAll(async () => {
  await pool.end();
  await server.stop();
});

const until = <T>(check: () => T) => vi.waitFor(check, { timeout: 15_000, interval: 20 });

/** A worker whose lock is held and whose beats say what the caller wants. */
async function peer(id: string, beat: () => string): Promise<{ isLocked: () => boolean }> {
  const client = new pg.Client(connection(url, 'lease'));
  let isLocked = true;
  client.on('error', () => undefined);
  client.once('end', () => (isLocked = false));
  await client.connect();
  await client.query('SELECT pg_advisory_lock(hashtextextended($1, 7))', [id]);
  await client.query(`INSERT INTO gemini_a2a.executor (id, labels) VALUES ($1, '{}')`, [id]);
  const timer = setInterval(
    () =>
      void pool.query(`UPDATE gemini_a2a.executor SET beat = ${beat()} WHERE id = $1`, [id]).catch(() => 0),
    50,
  );
  opened.push({
    close: async () => {
      clearInterval(timer);
      await client.end().catch(() => undefined);
    },
  });
  return { isLocked: () => isLocked };
}

/** Of the tests; every part must give its connections back. */
function inUse(): number {
  return pool.totalCount - pool.idleCount;
}

async function ids(): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM gemini_a2a.executor ORDER BY id');
  return rows.map(({ id }) => id);
}

async function pendingTurn(id: string, executorId: string): Promise<void> {
  await pool.query(
    `INSERT INTO dbos.workflow_status (workflow_uuid, status, name, executor_id, queue_name, owner_xid,
       recovery_attempts, created_at, updated_at)
     VALUES ($1, 'PENDING', 'turn', $2, 'turns', 'x', 1, 0, 0)`,
    [id, executorId],
  );
}

/** The first turn of a task, that DBOS has given to this worker. */
async function newTurn(record: TaskRecord, onLost: (error: unknown) => void): Promise<TurnWriter> {
  await insertTask(pool, record);
  const message = JSON.stringify({ messageId: 'm', role: 'ROLE_USER', parts: [] });
  await pool.query(
    `INSERT INTO gemini_a2a.turn (task_id, turn, message_id, message) VALUES ($1, 1, 'm', $2)`,
    [record.id, message],
  );
  await pendingTurn(`${record.id}:1`, 'me');
  return new TurnWriter(pool, { taskId: record.id, turn: 1 }, onLost);
}

async function claimedTurn(record: TaskRecord, onLost: (error: unknown) => void): Promise<TurnWriter> {
  const writer = await newTurn(record, onLost);
  await writer.claim(`${record.id}:1`, 'me');
  return writer;
}

async function keysOf(taskId: string): Promise<string[]> {
  const { rows } = await pool.query<{ key: string }>(
    'SELECT key FROM gemini_a2a.journal WHERE task_id = $1 ORDER BY key',
    [taskId],
  );
  return rows.map(({ key }) => key);
}

async function statusOf(id: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ status: string }>(
    'SELECT status FROM dbos.workflow_status WHERE workflow_uuid = $1',
    [id],
  );
  return rows[0]?.status;
}

it('a worker whose beats move is alive, whatever the clock of the database says; one whose beat stands still is not', async () => {
  let minutes = 0;
  const jumping = await peer('jumping', () => `now() - interval '1 hour' * ${++minutes % 7}`);
  const still = await peer('still', () => 'beat');
  await pendingTurn('t:1', 'still');
  await pendingTurn('t:2', 'jumping');
  opened.push(new Peers(pool, 'me', { leaseMs: 3000, graceMs: 0 }));
  await until(() => expect(still.isLocked()).toBe(false));
  await vi.waitFor(async () => expect(await ids()).toEqual(['jumping']), { timeout: 15_000 });
  expect(jumping.isLocked()).toBe(true);
  expect(await statusOf('t:1')).toBe('ENQUEUED');
  expect(await statusOf('t:2')).toBe('PENDING');
});

it('workers that look for a dead one at the same time give their connections back', async () => {
  const holder = new pg.Client(url);
  await holder.connect();
  opened.push({ close: () => holder.end() });
  // Another worker is just taking its turns over.
  await holder.query(`SELECT pg_advisory_lock(hashtextextended('dead', 7))`);
  await pool.query(`INSERT INTO gemini_a2a.executor (id, labels) VALUES ('dead', '{}')`);
  const tried = vi.spyOn(pool, 'connect');
  const peers = [1, 2].map((number) => new Peers(pool, `me${number}`, { leaseMs: 0, graceMs: 0 }));
  await until(() => expect(tried.mock.calls.length).toBeGreaterThan(12));
  await Promise.all(peers.map((one) => one.close()));
  tried.mockRestore();
  expect(inUse()).toBe(0);
  // The connection that holds the lock is still open.
  expect((await holder.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

it('no worker is taken for dead while the database has just been started', async () => {
  await pool.query(`INSERT INTO gemini_a2a.executor (id, labels) VALUES ('dead', '{}')`);
  await pendingTurn('t:1', 'dead');
  // The age of the database is known; the grace of this test is longer.
  const cautious = new Peers(pool, 'me', { graceMs: 3_600_000 });
  opened.push(cautious);
  await sleep(1000);
  expect(await ids()).toEqual(['dead']);
  opened.push(new Peers(pool, 'you', { graceMs: 0 }));
  await vi.waitFor(async () => expect(await statusOf('t:1')).toBe('ENQUEUED'), { timeout: 15_000 });
  expect(await ids()).toEqual([]);
});

it('a turn that a worker took after its row was gone goes back to its queue when the worker has ended', async () => {
  const woken = new pg.Client(connection(url, 'lease'));
  await woken.connect();
  await woken.query(`SELECT pg_advisory_lock(hashtextextended('woken', 7))`);
  await pendingTurn('late:1', 'woken');
  await pendingTurn('mine:1', 'me');
  opened.push(new Peers(pool, 'me', { leaseMs: 3_600_000, graceMs: 0 }));
  await woken.end();
  await vi.waitFor(async () => expect(await statusOf('late:1')).toBe('ENQUEUED'), { timeout: 15_000 });
  expect(await statusOf('mine:1')).toBe('PENDING');
});

it('a turn that the database gave to this worker, and that never began, goes back to its queue', async () => {
  await pendingTurn('lost:1', 'me');
  await pendingTurn('runs:1', 'me');
  await pendingTurn('other:1', 'you');
  opened.push(
    new UnstartedTurns({ pool, executorId: 'me', isRunning: (id) => id === 'runs:1', everyMs: 20 }),
  );
  await vi.waitFor(async () => expect(await statusOf('lost:1')).toBe('ENQUEUED'), { timeout: 15_000 });
  expect(await statusOf('runs:1')).toBe('PENDING');
  expect(await statusOf('other:1')).toBe('PENDING');
});

it('a worker that ends leaves its row while the database says that it has turns', async () => {
  const take = (executorId: string) =>
    Lease.take(url, { executorId, labels: [], onLost: () => expect.unreachable() });
  const [idle, busy] = await Promise.all([take('idle'), take('busy')]);
  await pendingTurn('b:1', 'busy');
  await Promise.all([idle.release(), busy.release()]);
  expect(await ids()).toEqual(['busy']);
});

it('entries of a turn are kept together and in order; none looks kept when the turn belongs to another one', async () => {
  const record = newTask(undefined);
  const lost: unknown[] = [];
  const writer = await claimedTurn(record, (error) => lost.push(error));
  writer.writeSoon('model:1', ['answer']);
  await Promise.all([writer.write('call:a:begin', {}), writer.write('call:b:begin', {})]);
  expect(await keysOf(record.id)).toEqual(['call:a:begin', 'call:b:begin', 'model:1']);
  await pool.query(`UPDATE gemini_a2a.turn SET owner = 'another' WHERE task_id = $1`, [record.id]);
  const late = await Promise.allSettled([
    writer.write('call:c:begin', {}),
    writer.write('call:d:begin', {}),
    writer.write('call:e:begin', {}),
  ]);
  expect(late.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await expect(writer.write('call:f:begin', {})).rejects.toBeInstanceOf(TurnLostError);
  expect(lost).toHaveLength(1);
  expect(await keysOf(record.id)).toHaveLength(3);
});

it('a turn whose events were lost once does not end here, although it belongs to this run again', async () => {
  const record = newTask(undefined);
  const writer = await claimedTurn(record, () => undefined);
  const setOwner = (owner: string) =>
    pool.query(`UPDATE gemini_a2a.turn SET owner = $2 WHERE task_id = $1`, [record.id, owner]);
  await setOwner('another');
  await expect(writer.write('call:a:begin', {})).rejects.toBeInstanceOf(TurnLostError);
  await setOwner(writer.owner);
  await expect(writer.end(record)).rejects.toBeInstanceOf(TurnLostError);
});

it('a turn waits while the disk of the database is full', async () => {
  const record = newTask(undefined);
  const writer = await newTurn(record, () => expect.unreachable());
  await pool.query(`CREATE SEQUENCE public.tries`);
  await pool.query(
    `CREATE FUNCTION public.full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF nextval('public.tries') > 2 THEN RETURN NEW; END IF;
       RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
     END $$`,
  );
  await pool.query(
    `CREATE TRIGGER full_disk BEFORE UPDATE ON gemini_a2a.turn FOR EACH ROW EXECUTE FUNCTION public.full_disk()`,
  );
  try {
    expect(await writer.claim(`${record.id}:1`, 'me')).toMatchObject({ attempt: 1 });
  } finally {
    await pool.query('DROP FUNCTION public.full_disk CASCADE');
    await pool.query('DROP SEQUENCE public.tries');
  }
});

it('a turn is claimed when the database comes back; its end is not lost either', async () => {
  const record = newTask(undefined);
  const lost: unknown[] = [];
  const writer = await newTurn(record, (error) => lost.push(error));
  server.kill();
  const claimed = writer.claim(`${record.id}:1`, 'me');
  claimed.catch(() => undefined);
  await server.startAgain();
  expect(await claimed).toMatchObject({ attempt: 1, cancels: false });
  await writer.end(record);
  expect(lost).toEqual([]);
  const { rows } = await pool.query(
    'SELECT ended_at IS NOT NULL AS ended FROM gemini_a2a.turn WHERE task_id = $1',
    [record.id],
  );
  expect(rows).toEqual([{ ended: true }]);
  await expect(writer.claim(`${record.id}:1`, 'you')).rejects.toBeInstanceOf(TurnLostError);
}, 60_000);
