/** Deletes events and workflows of turns that ended long ago. Tasks with their conversations stay. */
import { DBOS } from '@dbos-inc/dbos-sdk';
import { createLog, messageOf } from '@gemini-cli/core';
import type { Pool } from 'pg';
import { SCHEMA } from '../database/schema.js';
import { workflowIdOf } from '../queues.js';

const log = createLog('a2a');
const EVERY_MS = 60_000;
const AT_ONCE = 500;

export class Retention {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly keepMs: number,
  ) {
    this.later();
  }

  close(): void {
    clearTimeout(this.timer);
  }

  /** @returns how many turns were deleted */
  async deleteOld(): Promise<number> {
    const { rows } = await this.pool.query<{ task_id: string; turn: number }>(
      `SELECT task_id, turn FROM ${SCHEMA}.turn
       WHERE ended_at < now() - make_interval(secs => $1) ORDER BY ended_at LIMIT ${AT_ONCE}`,
      [this.keepMs / 1000],
    );
    if (rows.length === 0) return 0;
    await DBOS.deleteWorkflows(rows.map(({ task_id, turn }) => workflowIdOf(task_id, turn)));
    await this.pool.query(
      `DELETE FROM ${SCHEMA}.turn USING unnest($1::text[], $2::int[]) AS old (task_id, turn)
       WHERE turn.task_id = old.task_id AND turn.turn = old.turn`,
      [rows.map(({ task_id }) => task_id), rows.map(({ turn }) => turn)],
    );
    return rows.length;
  }

  private later(): void {
    this.timer = setTimeout(
      async () => {
        const count = await this.deleteOld().catch((error) => {
          log.warn(`Old turns could not be deleted: ${messageOf(error)}`);
          return 0;
        });
        if (count === AT_ONCE) await this.deleteOld().catch(() => 0);
        this.later();
      },
      EVERY_MS * (0.5 + Math.random()),
    ).unref();
  }
}
