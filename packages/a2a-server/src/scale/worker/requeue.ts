/** Puts turns back into their queues, where any worker may take them. */
import type { Queries } from '../api/task-rows.js';

/**
 * As `recoverPendingWorkflows` of DBOS does it for its own version; here for every one, so that a worker of a new shape
 * leaves the turns of a dead one to the workers that can run them.
 * @param workflowIds absent: all turns of the worker
 */
export async function requeue(
  db: Queries,
  executorId: string,
  workflowIds?: readonly string[],
): Promise<number> {
  const { rowCount } = await db.query(
    `UPDATE dbos.workflow_status
     SET status = 'ENQUEUED', owner_xid = NULL, started_at_epoch_ms = NULL,
       updated_at = (extract(epoch FROM now()) * 1000)::bigint
     WHERE status = 'PENDING' AND executor_id = $1 AND ($2::text[] IS NULL OR workflow_uuid = ANY($2))`,
    [executorId, workflowIds ?? null],
  );
  return rowCount ?? 0;
}
