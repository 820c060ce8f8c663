/** Finds workers that are dead (their lock is free) or stopped (their beat is old), and hands their turns to the others. */
import { createLog, messageOf } from '@gemini-cli/core';
import type { Pool, PoolClient } from 'pg';
import { applicationName } from '../database/connection.js';
import { SCHEMA } from '../database/schema.js';
import { requeue } from './requeue.js';

const log = createLog('a2a');

const SCAN_MS = 300;
const LEASE_MS = 5000;
/** After a restart of the database workers need time to take their locks again. */
const GRACE_MS = 10_000;
/** A database that was stopped itself says nothing about workers: a longer pause between two looks counts as this. */
const LONGEST_PAUSE_MS = 1000;

interface PeerRow {
  id: string;
  /** Empty: it was taken over, woke up, and took more turns before it noticed. */
  beat: string;
  /** Of the connection that holds the lock. */
  pid: number | null;
  /** When the database was started, and how long ago, in milliseconds. */
  started: string;
  age: number;
}

export interface PeerTimes {
  leaseMs?: number;
  graceMs?: number;
}

export class Peers {
  private timer: NodeJS.Timeout | undefined;
  private scan: Promise<void> = Promise.resolve();
  private isClosed = false;
  /** How long each beat has stood still, counted by this process: clocks of other machines may jump. */
  private silent = new Map<string, { beat: string; ms: number }>();
  private lastLook = performance.now();
  private database: { started: string; graceMs: number } | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly executorId: string,
    private readonly times: PeerTimes = {},
  ) {
    this.scanLater();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.scan;
  }

  private scanLater(): void {
    // Not all workers at the same moment.
    const wait = SCAN_MS * (0.75 + Math.random() / 2);
    this.timer = setTimeout(() => {
      this.scan = this.scanOnce()
        .catch((error) => log.debug(`cannot look for dead workers: ${messageOf(error)}`))
        .then(() => {
          if (!this.isClosed) this.scanLater();
        });
    }, wait);
  }

  private async scanOnce(): Promise<void> {
    const { rows } = await this.pool.query<PeerRow>(
      `SELECT e.id, e.beat, l.pid, pg_postmaster_start_time()::text AS started,
         (extract(epoch FROM clock_timestamp() - pg_postmaster_start_time()) * 1000)::float8 AS age
       FROM (
         SELECT id, beat::text FROM ${SCHEMA}.executor
         UNION ALL
         SELECT DISTINCT w.executor_id, '' FROM dbos.workflow_status w
         WHERE w.status = 'PENDING' AND NOT EXISTS (SELECT FROM ${SCHEMA}.executor WHERE id = w.executor_id)
       ) e
       LEFT JOIN pg_locks l ON l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
         AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
         AND ((l.classid::bigint << 32) | l.objid::bigint) = hashtextextended(e.id, 7)`,
    );
    const now = performance.now();
    const pause = Math.min(now - this.lastLook, LONGEST_PAUSE_MS);
    this.lastLook = now;
    const { leaseMs = LEASE_MS } = this.times;
    const silent = new Map<string, { beat: string; ms: number }>();
    for (const { id, beat } of rows) {
      const before = this.silent.get(id);
      silent.set(id, { beat, ms: before?.beat === beat ? before.ms + pause : 0 });
    }
    this.silent = silent;
    if (this.isGrace(rows[0], pause)) return;
    for (const { id, pid } of rows) {
      if (id === this.executorId) continue;
      if (pid === null || (silent.get(id)?.ms ?? 0) > leaseMs) await this.takeOver(id, pid);
    }
  }

  private isGrace(row: PeerRow | undefined, pause: number): boolean {
    if (!row) return false;
    const { graceMs = GRACE_MS } = this.times;
    const { started, age } = row;
    if (this.database?.started === started) this.database.graceMs -= pause;
    // At the first look only the clock of the database can tell.
    else this.database = { started, graceMs: this.database || age < 0 ? graceMs : graceMs - age };
    return this.database.graceMs > 0;
  }

  private async takeOver(id: string, pid: number | null): Promise<void> {
    if (pid !== null) {
      log.warn(`Worker ${id} gives no sign of life; its lock is taken away.`);
      // Not that of a worker which is just taking the turns over.
      await this.pool.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND application_name = $2',
        [pid, applicationName('lease')],
      );
    }
    const client = await this.pool.connect();
    try {
      await this.takeTurns(client, id);
      client.release();
    } catch (error) {
      // The lock goes with the connection.
      client.release(true);
      throw error;
    }
  }

  /** Several workers try at the same time; one gets the lock. */
  private async takeTurns(client: PoolClient, id: string): Promise<void> {
    const { rows } = await client.query<{ got: boolean }>(
      'SELECT pg_try_advisory_lock(hashtextextended($1, 7)) AS got',
      [id],
    );
    if (!rows[0]?.got) return;
    // Both or neither: the turns of a worker must not outlive its row unseen. An error ends the connection, and so all.
    await client.query('BEGIN');
    const { rowCount } = await client.query(`DELETE FROM ${SCHEMA}.executor WHERE id = $1`, [id]);
    const turns = await requeue(client, id);
    await client.query('COMMIT');
    await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 7))', [id]);
    if (rowCount === 1 || turns > 0) log.warn(`Took over ${turns} turns of worker ${id}.`);
  }
}
