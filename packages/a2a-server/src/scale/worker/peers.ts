/** Finds workers that are dead (their lock is free) or stopped (their beat is old), and hands their turns to the others. */
import { createLog, messageOf } from '@gemini-cli/core';
import type { Pool } from 'pg';
import { SCHEMA } from '../database/schema.js';

const log = createLog('a2a');

const SCAN_MS = 300;
const LEASE_SECONDS = 5;
/** After a restart of the database workers need time to take their locks again. */
const GRACE_SECONDS = 10;

interface Suspect {
  id: string;
  /** Of the connection that holds the lock. */
  pid: number | null;
}

export class Peers {
  private timer: NodeJS.Timeout | undefined;
  private scan: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor(
    private readonly pool: Pool,
    private readonly executorId: string,
    /** Puts the turns of a dead worker back into their queues. */
    private readonly recover: (executorId: string) => Promise<void>,
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
    const { rows } = await this.pool.query<Suspect>(
      `SELECT e.id, l.pid
       FROM ${SCHEMA}.executor e
       LEFT JOIN pg_locks l ON l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
         AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
         AND ((l.classid::bigint << 32) | l.objid::bigint) = hashtextextended(e.id, 7)
       WHERE e.id <> $1
         AND (l.pid IS NULL OR e.beat < clock_timestamp() - make_interval(secs => ${LEASE_SECONDS}))
         AND clock_timestamp() - pg_postmaster_start_time() > make_interval(secs => ${GRACE_SECONDS})`,
      [this.executorId],
    );
    for (const suspect of rows) await this.takeOver(suspect);
  }

  private async takeOver({ id, pid }: Suspect): Promise<void> {
    if (pid !== null) {
      log.warn(`Worker ${id} gives no sign of life; its lock is taken away.`);
      await this.pool.query('SELECT pg_terminate_backend($1)', [pid]);
    }
    const client = await this.pool.connect();
    try {
      const { rows } = await client.query<{ got: boolean }>(
        'SELECT pg_try_advisory_lock(hashtextextended($1, 7)) AS got',
        [id],
      );
      if (!rows[0]?.got) return;
      try {
        const still = await client.query(`SELECT FROM ${SCHEMA}.executor WHERE id = $1`, [id]);
        if (still.rowCount === 0) return;
        log.warn(`Taking over the turns of worker ${id}.`);
        await this.recover(id);
        await client.query(`DELETE FROM ${SCHEMA}.executor WHERE id = $1`, [id]);
      } finally {
        await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 7))', [id]);
      }
      client.release();
    } catch (error) {
      // The lock goes with the connection.
      client.release(true);
      throw error;
    }
  }
}
