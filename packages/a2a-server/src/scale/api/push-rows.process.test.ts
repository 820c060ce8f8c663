/** Two processes notify from one database: what one could not tell, the other tells; nothing is told by both. */
import { PostgresServer } from '@gemini-cli/test-utils/rig';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { newTask } from '../../tasks/new-task.js';
import { migrate } from '../database/migrate.js';
import { SCHEMA } from '../database/schema.js';
import { DatabasePushStore } from './push-rows.js';
import { insertTask } from './task-rows.js';

const TARGET = {
  version: '1.0' as const,
  config: {
    tenant: '',
    taskId: '',
    id: 'one',
    url: 'https://example.com/',
    token: '',
    authentication: undefined,
  },
};

it('reserves the end of a turn for one process, for a while, until it was told', {
  timeout: 60_000,
}, async () => {
  const postgres = await PostgresServer.start();
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2 });
  onTestFinished(async () => {
    await pool.end();
    await postgres.stop();
  });
  await migrate(pool, postgres.url);
  const [one, other] = [new DatabasePushStore(pool), new DatabasePushStore(pool)];
  const task = newTask(undefined);
  await insertTask(pool, task);
  const ended = (turn: number) =>
    pool.query(`UPDATE ${SCHEMA}.task SET accepted = $2, ended = $2 WHERE id = $1`, [task.id, turn]);

  await ended(1);
  await one.save(task.id, [TARGET], 1);
  expect(await other.tasks()).toEqual([]);
  expect(await one.claimEnd(task.id, 1)).toBe(false);

  await ended(2);
  expect(await other.tasks()).toEqual([task.id]);
  expect([await one.claimEnd(task.id, 2), await other.claimEnd(task.id, 2)]).toEqual([true, false]);
  expect(await other.tasks()).toEqual([]);
  // The first one is killed before it told it.
  await pool.query(`UPDATE ${SCHEMA}.push SET claimed_at = now() - interval '3 minutes'`);
  expect(await other.tasks()).toEqual([task.id]);
  expect(await other.claimEnd(task.id, 2)).toBe(true);
  await other.endTold(task.id, 2);
  await pool.query(`UPDATE ${SCHEMA}.push SET claimed_at = now() - interval '3 minutes'`);
  expect([await one.tasks(), await one.claimEnd(task.id, 2)]).toEqual([[], false]);

  await ended(3);
  expect(await one.claimEnd(task.id, 3)).toBe(true);
  await one.save(task.id, [TARGET, { ...TARGET, config: { ...TARGET.config, id: 'two' } }], 0);
  await one.endTold(task.id, 3);
  expect(await one.claimEnd(task.id, 3)).toBe(false);
});
