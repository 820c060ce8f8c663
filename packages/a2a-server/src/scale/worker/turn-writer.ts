/**
 * All that a turn writes, fenced: each statement locks the row of the turn and writes only if this run still owns it.
 * Events are written in batches, and always before a journal entry that follows them, so a later process finds both or
 * neither.
 */
import { randomUUID } from 'node:crypto';
import { Message, StreamResponse } from '@a2a-js/sdk';
import type { Pool } from 'pg';
import type { TaskRecord, TurnJournal } from '../../contract.js';
import { taskFromJson, taskToJson } from '../../stores/task-json.js';
import { endsTurn } from '../../tasks/new-task.js';
import { TurnLostError } from '../../turns/turn-errors.js';
import { EVENTS_CHANNEL } from '../database/listener.js';
import { isAway, whileAway } from '../database/retry.js';
import { SCHEMA } from '../database/schema.js';

export interface TurnKey {
  taskId: string;
  turn: number;
}

export interface ClaimedTurn {
  record: TaskRecord;
  message: Message;
  entries: Map<string, unknown>;
  emitted: StreamResponse[];
  cancels: boolean;
  /** How many processes have had it, this one included. */
  attempt: number;
}

const BATCH_MS = 25;
/** A database that is away for longer ends the turn in this process; another one continues it. */
const AWAY_MS = 120_000;

const MINE = `
  mine AS (
    SELECT 1 FROM ${SCHEMA}.turn
    WHERE task_id = $1 AND turn = $2 AND owner = $3 AND ended_at IS NULL FOR UPDATE
  )`;

export class TurnWriter implements TurnJournal {
  readonly owner = randomUUID();
  entries: ReadonlyMap<string, unknown> = new Map();
  private buffer: StreamResponse[] = [];
  private written = 0;
  private timer: NodeJS.Timeout | undefined;
  private last = 0;
  private work: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly pool: Pool,
    private readonly key: TurnKey,
    private readonly onLost: (error: TurnLostError) => void,
  ) {}

  /** Undefined: the turn has ended. @throws TurnLostError when DBOS has given it to another process */
  async claim(workflowId: string, executorId: string): Promise<ClaimedTurn | undefined> {
    try {
      return await whileAway(() => this.claimOnce(workflowId, executorId), { forMs: AWAY_MS });
    } catch (error) {
      throw isAway(error) ? this.lose(error) : error;
    }
  }

  /** Repeating is safe: this run keeps what it has claimed. */
  private async claimOnce(workflowId: string, executorId: string): Promise<ClaimedTurn | undefined> {
    const { pool, owner } = this;
    const { taskId, turn } = this.key;
    const status = await pool.query<{ attempt: number }>(
      `SELECT recovery_attempts::int AS attempt FROM dbos.workflow_status
       WHERE workflow_uuid = $1 AND executor_id = $2 AND status = 'PENDING'`,
      [workflowId, executorId],
    );
    const attempt = status.rows[0]?.attempt;
    if (attempt === undefined) throw new TurnLostError(`Turn ${workflowId} belongs to another process.`);
    // A process that was stopped and wakes up late has an older attempt.
    const claimed = await pool.query<{ message: string; cancels: boolean }>(
      `UPDATE ${SCHEMA}.turn SET owner = $3, attempt = $4
       WHERE task_id = $1 AND turn = $2 AND ended_at IS NULL AND (attempt < $4 OR owner = $3)
       RETURNING message, cancels`,
      [taskId, turn, owner, attempt],
    );
    const row = claimed.rows[0];
    if (!row) return undefined;
    const [task, journal, events] = await Promise.all([
      pool.query<{ record: string }>(`SELECT record FROM ${SCHEMA}.task WHERE id = $1`, [taskId]),
      pool.query<{ key: string; value: string }>(
        `SELECT key, value FROM ${SCHEMA}.journal WHERE task_id = $1 AND turn = $2`,
        [taskId, turn],
      ),
      pool.query<{ events: string; last: number }>(
        `SELECT events, last FROM ${SCHEMA}.event WHERE task_id = $1 AND turn = $2 ORDER BY first`,
        [taskId, turn],
      ),
    ]);
    const record = task.rows[0]?.record;
    if (record === undefined) return undefined;
    this.written = events.rows.at(-1)?.last ?? 0;
    this.entries = new Map(journal.rows.map(({ key, value }) => [key, JSON.parse(value) as unknown]));
    return {
      record: taskFromJson(record),
      message: Message.fromJSON(JSON.parse(row.message)),
      entries: new Map(this.entries),
      emitted: events.rows.flatMap((batch) => eventsFrom(batch.events)),
      cancels: row.cancels,
      attempt,
    };
  }

  /** The first events after a pause are written at once, others a little later, together. */
  emit(events: readonly StreamResponse[]): void {
    // The last event is written with the record, so that a client that sees it may send its next message.
    this.buffer.push(...events);
    if (this.timer || this.buffer.every(endsTurn)) return;
    const wait = Math.max(0, this.last + BATCH_MS - performance.now());
    this.timer = setTimeout(() => void this.flush().catch(() => undefined), wait);
  }

  async write(key: string, value: unknown): Promise<void> {
    await this.inOrder(async () => {
      const batch = this.takeBatch();
      await this.run(
        `WITH ${MINE}, ${EVENTS},
         j AS (
           INSERT INTO ${SCHEMA}.journal (task_id, turn, key, owner, value)
           SELECT $1, $2, $7, $3, $8 FROM mine
           ON CONFLICT (task_id, turn, key) DO UPDATE SET value = excluded.value WHERE journal.owner = $3
           RETURNING 1
         )
         SELECT (SELECT count(*) FROM j)::int AS written, ${NOTIFY}`,
        [...this.eventValues(batch), key, JSON.stringify(value) ?? 'null'],
      );
    });
  }

  /** The last thing a turn does. */
  async end(record: TaskRecord): Promise<void> {
    await this.inOrder(async () => {
      const batch = this.takeBatch(true);
      await this.run(
        `WITH ${MINE}, ${EVENTS},
         t AS (
           UPDATE ${SCHEMA}.task
           SET record = $7, state = $8, ended = greatest(ended, $2), updated_at = now()
           WHERE id = $1 AND EXISTS (SELECT 1 FROM mine) RETURNING 1
         ),
         d AS (
           DELETE FROM ${SCHEMA}.journal WHERE task_id = $1 AND turn = $2 AND EXISTS (SELECT 1 FROM mine)
         ),
         u AS (
           UPDATE ${SCHEMA}.turn SET ended_at = now()
           WHERE task_id = $1 AND turn = $2 AND EXISTS (SELECT 1 FROM mine)
         )
         SELECT (SELECT count(*) FROM t)::int AS written, ${NOTIFY}`,
        [...this.eventValues(batch), taskToJson(record), record.task.status?.state ?? 0],
      );
    });
  }

  private flush(): Promise<void> {
    return this.inOrder(async () => {
      const batch = this.takeBatch();
      if (batch.length === 0) return;
      await this.run(
        `WITH ${MINE}, ${EVENTS} SELECT (SELECT count(*) FROM mine)::int AS written, ${NOTIFY}`,
        this.eventValues(batch),
      );
    });
  }

  private inOrder(work: () => Promise<void>): Promise<void> {
    const done = this.work.then(work);
    this.work = done.catch(() => undefined);
    return done;
  }

  private takeBatch(isEnd = false): StreamResponse[] {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.last = performance.now();
    const batch = isEnd ? this.buffer : this.buffer.filter((event) => !endsTurn(event));
    this.buffer = isEnd ? [] : this.buffer.filter(endsTurn);
    return batch;
  }

  private eventValues(batch: readonly StreamResponse[]): unknown[] {
    const first = this.written + 1;
    this.written += batch.length;
    const text = JSON.stringify(batch.map((event) => StreamResponse.toJSON(event)));
    return [this.key.taskId, this.key.turn, this.owner, first, this.written, text];
  }

  /** Repeating is safe: rows that this run has written already stay as they are. */
  private async run(sql: string, values: unknown[]): Promise<void> {
    try {
      const isWritten = await whileAway(
        async () => {
          const { rows } = await this.pool.query<{ written: number }>(sql, values);
          return rows[0]?.written || (await this.hasEnded());
        },
        { forMs: AWAY_MS },
      );
      if (isWritten) return;
    } catch (error) {
      throw this.lose(error);
    }
    throw this.lose();
  }

  /** The first run of a repeated statement may have ended the turn. */
  private async hasEnded(): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `SELECT FROM ${SCHEMA}.turn WHERE task_id = $1 AND turn = $2 AND owner = $3 AND ended_at IS NOT NULL`,
      [this.key.taskId, this.key.turn, this.owner],
    );
    return rowCount === 1;
  }

  private lose(cause?: unknown): TurnLostError {
    const { taskId, turn } = this.key;
    const error = new TurnLostError(`Turn ${turn} of task ${taskId} belongs to another process.`, { cause });
    this.onLost(error);
    return error;
  }
}

const EVENTS = `
  e AS (
    INSERT INTO ${SCHEMA}.event (task_id, turn, first, last, events)
    SELECT $1, $2, $4, $5, $6 FROM mine WHERE $5::int >= $4::int
    ON CONFLICT (task_id, turn, first) DO NOTHING
  )`;

const NOTIFY = `CASE WHEN $5::int >= $4::int THEN pg_notify('${EVENTS_CHANNEL}', $1) END`;

export function eventsFrom(text: string): StreamResponse[] {
  return (JSON.parse(text) as unknown[]).map((event) => StreamResponse.fromJSON(event));
}
