/** Lists of tasks in the database: pages, and what clients get wrong about them. */
import { PostgresServer } from '@gemini-cli/test-utils/rig';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { newTask } from '../../tasks/new-task.js';
import { migrate } from '../database/migrate.js';
import { insertTask, listTasks } from './task-rows.js';

const token = (...values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url');

it('has every task on one page, whatever the time zone, and refuses foreign tokens', {
  timeout: 60_000,
}, async () => {
  const postgres = await PostgresServer.start();
  const options = '-c TimeZone=Asia/Kolkata -c DateStyle=German';
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2, options });
  onTestFinished(async () => {
    await pool.end();
    await postgres.stop();
  });
  await migrate(pool, postgres.url);
  const tasks = Array.from({ length: 7 }, () => newTask(undefined, 'mine'));
  for (const task of tasks) await insertTask(pool, task);
  // Some changed at the same moment.
  await pool.query(`UPDATE gemini_a2a.task SET updated_at = date_trunc('second', now()) WHERE id = ANY($1)`, [
    tasks.slice(0, 4).map(({ id }) => id),
  ]);

  const seen: string[] = [];
  for (let pageToken = ''; ; ) {
    const page = await listTasks(pool, { pageSize: 2, ...(pageToken && { pageToken }) });
    seen.push(...page.records.map(({ id }) => id));
    expect(page.totalSize).toBe(7);
    pageToken = page.nextPageToken;
    if (pageToken === '') break;
  }
  expect(seen.toSorted()).toEqual(tasks.map(({ id }) => id).toSorted());

  for (const pageToken of ['x', token('a', 'b'), token(1, 2), token('1', 'a\0'), token('9'.repeat(30), 'a')])
    await expect(listTasks(pool, { pageSize: 2, pageToken })).rejects.toMatchObject({ code: 'invalid' });
  expect(await listTasks(pool, { pageSize: 2, contextId: 'a\0' })).toMatchObject({ totalSize: 0 });
});
