/**
 * Finds turns that the database gave to this worker and that it never began: the answer to the claim was lost with its
 * connection. This worker lives, so no other one takes them over; they go back to their queues.
 */
import { createLog, messageOf } from '@gemini-cli/core';
import type { Pool } from 'pg';
import { requeue } from './requeue.js';

const log = createLog('a2a');

export interface UnstartedTurnsOptions {
  pool: Pool;
  executorId: string;
  isRunning: (workflowId: string) => boolean;
  everyMs?: number;
}

const EVERY_MS = 2000;

export class UnstartedTurns {
  private timer: NodeJS.Timeout | undefined;
  private work: Promise<void> = Promise.resolve();
  private isClosed = false;
  /** A turn that is missing once may be about to begin. */
  private missing: ReadonlySet<string> = new Set();

  constructor(private readonly options: UnstartedTurnsOptions) {
    this.lookLater();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.work;
  }

  private lookLater(): void {
    this.timer = setTimeout(() => {
      this.work = this.look()
        .catch((error) => log.debug(`cannot look for turns that did not begin: ${messageOf(error)}`))
        .then(() => {
          if (!this.isClosed) this.lookLater();
        });
    }, this.options.everyMs ?? EVERY_MS);
  }

  private async look(): Promise<void> {
    const { pool, executorId, isRunning } = this.options;
    const { rows } = await pool.query<{ id: string }>(
      `SELECT workflow_uuid AS id FROM dbos.workflow_status WHERE status = 'PENDING' AND executor_id = $1`,
      [executorId],
    );
    const missing = rows.map(({ id }) => id).filter((id) => !isRunning(id));
    const again = missing.filter((id) => this.missing.has(id));
    this.missing = new Set(missing);
    if (again.length === 0) return;
    log.warn(`${again.length} turns had not begun here; they go back to their queues.`);
    await requeue(pool, executorId, again);
    this.missing = new Set();
  }
}
