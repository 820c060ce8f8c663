/**
 * Creates and updates all tables. Many processes may start at once on an empty database: one migrates, the others wait
 * by asking again, because a blocking lock would make `CREATE INDEX CONCURRENTLY` of DBOS wait for the waiters.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { migrateSystemDatabase } from '@dbos-inc/dbos-sdk/internal/system_database';
import { GlobalLogger } from '@dbos-inc/dbos-sdk/internal/telemetry/logs';
import type { Pool, PoolClient } from 'pg';
import { dbosLog } from './dbos-log.js';
import { MIGRATIONS, SCHEMA } from './schema.js';

const LOCK = `hashtextextended('${SCHEMA}.migrate', 7)`;
const ASK_AGAIN_MS = 50;

export async function migrate(pool: Pool, url: string): Promise<void> {
  const client = await pool.connect();
  try {
    while (!(await tryLock(client))) await sleep(ASK_AGAIN_MS);
    try {
      // The migration wants a logger of its own class; it says nothing that an operator needs.
      await migrateSystemDatabase(url, new GlobalLogger(undefined, { logger: dbosLog }));
      await migrateOwn(client);
    } finally {
      await client.query(`SELECT pg_advisory_unlock(${LOCK})`);
    }
  } finally {
    client.release();
  }
}

async function tryLock(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ got: boolean }>(`SELECT pg_try_advisory_lock(${LOCK}) AS got`);
  return rows[0]?.got === true;
}

async function migrateOwn(client: PoolClient): Promise<void> {
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
  await client.query(`CREATE TABLE IF NOT EXISTS ${SCHEMA}.migration (number int PRIMARY KEY)`);
  const { rows } = await client.query<{ count: number }>(`SELECT count(*)::int FROM ${SCHEMA}.migration`);
  const done = rows[0]?.count ?? 0;
  for (const [index, sql] of MIGRATIONS.entries()) {
    if (index < done) continue;
    await client.query('BEGIN');
    try {
      await client.query(sql);
      await client.query(`INSERT INTO ${SCHEMA}.migration VALUES ($1)`, [index + 1]);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    }
  }
}
