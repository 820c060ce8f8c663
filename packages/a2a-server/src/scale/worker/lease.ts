/**
 * Says that this process lives: an advisory lock on a connection of its own (free as soon as the process is gone) and a
 * row with a beat (old when the process was stopped, whose connection stays open).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog, messageOf } from '@gemini-cli/core';
import pg from 'pg';
import { connection } from '../database/connection.js';
import { SCHEMA } from '../database/schema.js';

const log = createLog('a2a');
const BEAT_MS = 1000;
const AGAIN_MS = 100;

export class Lease {
  private client: pg.Client | undefined;
  private isClosed = false;
  private timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly url: string,
    readonly executorId: string,
    private readonly onLost: () => void,
  ) {}

  static async take(
    url: string,
    { executorId, labels, onLost }: { executorId: string; labels: readonly string[]; onLost: () => void },
  ): Promise<Lease> {
    const lease = new Lease(url, executorId, onLost);
    if (!(await lease.connect())) throw new Error(`Another process has the name ${executorId}.`);
    await lease.client?.query(`INSERT INTO ${SCHEMA}.executor (id, labels) VALUES ($1, $2)`, [
      executorId,
      labels,
    ]);
    lease.beatLater();
    return lease;
  }

  /** Turns that stay behind keep the row: another process finds the lock free and takes them over. */
  async release(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    const { client, executorId } = this;
    await client
      ?.query(
        `DELETE FROM ${SCHEMA}.executor WHERE id = $1 AND NOT EXISTS (
           SELECT FROM dbos.workflow_status WHERE executor_id = $1 AND status = 'PENDING'
         )`,
        [executorId],
      )
      .catch(() => undefined);
    await client?.end().catch(() => undefined);
  }

  private async connect(): Promise<boolean> {
    const client = new pg.Client(connection(this.url, 'lease'));
    client.on('error', (error) => log.debug('the connection of the lease broke', error));
    client.once('end', () => {
      if (this.client === client) void this.takeAgain();
    });
    try {
      await client.connect();
      const { rows } = await client.query<{ got: boolean }>(
        'SELECT pg_try_advisory_lock(hashtextextended($1, 7)) AS got',
        [this.executorId],
      );
      if (rows[0]?.got) this.client = client;
      else await client.end();
      return rows[0]?.got === true;
    } catch (error) {
      // A lock that was granted after all must not stay behind.
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  /** The database was away, or a peer ended the connection. While the row is there no peer has taken the turns over. */
  private async takeAgain(): Promise<void> {
    while (!this.isClosed) {
      try {
        if (await this.connect()) break;
      } catch (error) {
        log.debug(`cannot take the lease: ${messageOf(error)}`);
      }
      await sleep(AGAIN_MS);
    }
    // A connection that breaks here calls this function again.
    await this.beat().catch((error) => log.debug(`no beat: ${messageOf(error)}`));
  }

  private async beat(): Promise<void> {
    if (this.isClosed || !this.client) return;
    const { rowCount } = await this.client.query(
      `UPDATE ${SCHEMA}.executor SET beat = clock_timestamp() WHERE id = $1`,
      [this.executorId],
    );
    if (rowCount === 1 || this.isClosed) return;
    log.warn(`Worker ${this.executorId} was taken for dead; it ends.`);
    this.isClosed = true;
    this.onLost();
  }

  private beatLater(): void {
    this.timer = setTimeout(async () => {
      // A broken connection is opened again elsewhere.
      await this.beat().catch((error) => log.debug(`no beat: ${messageOf(error)}`));
      if (!this.isClosed) this.beatLater();
    }, BEAT_MS);
  }
}
