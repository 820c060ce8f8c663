/** Targets of push notifications in the database, and the one key that all processes sign them with. */
import type { Pool } from 'pg';
import { type PushStore, type PushTarget, targetsFromJson, targetsToJson } from '../../push/push-store.js';
import { SCHEMA } from '../database/schema.js';

/** Longer than all attempts to tell one end. */
const CLAIM = "interval '2 minutes'";
const AT_ONCE = 100;

export class DatabasePushStore implements PushStore {
  readonly isShared = true;

  constructor(private readonly pool: Pool) {}

  async load(taskId: string): Promise<PushTarget[]> {
    const { rows } = await this.pool.query<{ targets: string }>(
      `SELECT targets FROM ${SCHEMA}.push WHERE task_id = $1`,
      [taskId],
    );
    return rows[0] ? targetsFromJson(rows[0].targets) : [];
  }

  async save(taskId: string, targets: readonly PushTarget[], told: number): Promise<void> {
    if (targets.length === 0)
      await this.pool.query(`DELETE FROM ${SCHEMA}.push WHERE task_id = $1`, [taskId]);
    else
      await this.pool.query(
        `INSERT INTO ${SCHEMA}.push (task_id, targets, told) VALUES ($1, $2, $3)
         ON CONFLICT (task_id) DO UPDATE SET targets = excluded.targets`,
        [taskId, targetsToJson(targets), told],
      );
  }

  /** Those whose last turn has ended, and no process tells it. */
  async tasks(): Promise<string[]> {
    const { rows } = await this.pool.query<{ task_id: string }>(
      `SELECT task_id FROM ${SCHEMA}.push JOIN ${SCHEMA}.task ON id = task_id
       WHERE ended = accepted AND ended > told
         AND (claimed < ended OR claimed_at < clock_timestamp() - ${CLAIM}) LIMIT ${AT_ONCE}`,
    );
    return rows.map(({ task_id }) => task_id);
  }

  async claimEnd(taskId: string, turn: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `UPDATE ${SCHEMA}.push SET claimed = $2, claimed_at = clock_timestamp()
       WHERE task_id = $1 AND told < $2
         AND (claimed < $2 OR claimed_at < clock_timestamp() - ${CLAIM})`,
      [taskId, turn],
    );
    return rowCount === 1;
  }

  async endTold(taskId: string, turn: number): Promise<void> {
    await this.pool.query(`UPDATE ${SCHEMA}.push SET told = greatest(told, $2) WHERE task_id = $1`, [
      taskId,
      turn,
    ]);
  }

  async key(make: () => string): Promise<string> {
    const name = 'push-key';
    await this.pool.query(`INSERT INTO ${SCHEMA}.setting VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`, [
      name,
      make(),
    ]);
    const { rows } = await this.pool.query<{ value: string }>(
      `SELECT value FROM ${SCHEMA}.setting WHERE name = $1`,
      [name],
    );
    return rows[0]?.value ?? make();
  }
}
