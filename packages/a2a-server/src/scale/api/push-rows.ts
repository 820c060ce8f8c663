/** Targets of push notifications in the database, and the one key that all processes sign them with. */
import type { Pool } from 'pg';
import { type PushStore, type PushTarget, targetsFromJson, targetsToJson } from '../../push/push-store.js';
import { SCHEMA } from '../database/schema.js';

export class DatabasePushStore implements PushStore {
  constructor(private readonly pool: Pool) {}

  async load(taskId: string): Promise<PushTarget[]> {
    const { rows } = await this.pool.query<{ targets: string }>(
      `SELECT targets FROM ${SCHEMA}.push WHERE task_id = $1`,
      [taskId],
    );
    return rows[0] ? targetsFromJson(rows[0].targets) : [];
  }

  async save(taskId: string, targets: readonly PushTarget[]): Promise<void> {
    if (targets.length === 0)
      await this.pool.query(`DELETE FROM ${SCHEMA}.push WHERE task_id = $1`, [taskId]);
    else
      await this.pool.query(
        `INSERT INTO ${SCHEMA}.push VALUES ($1, $2) ON CONFLICT (task_id) DO UPDATE SET targets = excluded.targets`,
        [taskId, targetsToJson(targets)],
      );
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
