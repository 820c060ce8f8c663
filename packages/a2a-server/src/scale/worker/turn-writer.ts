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
/** What a tool call says before it begins is written with its begin. */
const FIRST_MS = 5;
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
  /** Entries of the journal, as text, in their order. */
  private readonly waiting = new Map<string, string>();
  private written = 0;
  private timer: NodeJS.Timeout | undefined;
  private last = 0;
  private work: Promise<unknown> = Promise.resolve();
  private lost: TurnLostError | undefined;

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
    // A process that was stopped and wakes up late has an older attempt.
    const claimed = await pool.query<{ attempt: number; message: string | null; cancels: boolean }>(
      `WITH status AS (
         SELECT recovery_attempts::int AS attempt FROM dbos.workflow_status
         WHERE workflow_uuid = $4 AND executor_id = $5 AND status = 'PENDING'
       ),
       claimed AS (
         UPDATE ${SCHEMA}.turn SET owner = $3, attempt = status.attempt FROM status
         WHERE task_id = $1 AND turn = $2 AND ended_at IS NULL
           AND (turn.attempt < status.attempt OR owner = $3)
         RETURNING message, cancels
       )
       SELECT status.attempt, claimed.message, claimed.cancels FROM status LEFT JOIN claimed ON true`,
      [taskId, turn, owner, workflowId, executorId],
    );
    const row = claimed.rows[0];
    if (!row) throw new TurnLostError(`Turn ${workflowId} belongs to another process.`);
    const { message, cancels, attempt } = row;
    if (message === null) return undefined;
    // In a later statement: what the process before wrote until the turn was ours is to be seen.
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
      message: Message.fromJSON(JSON.parse(message)),
      entries: new Map(this.entries),
      emitted: events.rows.flatMap((batch) => eventsFrom(batch.events)),
      cancels,
      attempt,
    };
  }

  /** The first events after a pause are written almost at once, others a little later, together. */
  emit(events: readonly StreamResponse[]): void {
    // The last event is written with the record, so that a client that sees it may send its next message.
    this.buffer.push(...events);
    if (!this.buffer.every(endsTurn)) this.flushLater(FIRST_MS);
  }

  async write(key: string, value: unknown): Promise<void> {
    this.take(key, value);
    await this.flush();
  }

  writeSoon(key: string, value: unknown): void {
    this.take(key, value);
    this.flushLater(BATCH_MS);
  }

  private take(key: string, value: unknown): void {
    this.waiting.set(key, JSON.stringify(value) ?? 'null');
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

  private flushLater(ms: number): void {
    const wait = Math.max(ms, this.last + BATCH_MS - performance.now());
    this.timer ??= setTimeout(() => void this.flush().catch(() => undefined), wait);
  }

  /** All that waits, in one statement. */
  private flush(): Promise<void> {
    return this.inOrder(async () => {
      const entries = [...this.waiting];
      this.waiting.clear();
      const batch = this.takeBatch();
      if (entries.length > 0) await this.writeEntries(entries, batch);
      else if (batch.length > 0)
        await this.run(
          `WITH ${MINE}, ${EVENTS} SELECT (SELECT count(*) FROM mine)::int AS written, ${NOTIFY}`,
          this.eventValues(batch),
        );
    });
  }

  private async writeEntries(entries: readonly [string, string][], batch: StreamResponse[]): Promise<void> {
    await this.run(
      `WITH ${MINE}, ${EVENTS},
       j AS (
         INSERT INTO ${SCHEMA}.journal (task_id, turn, key, owner, value)
         SELECT $1, $2, entry.key, $3, entry.value FROM mine, unnest($7::text[], $8::text[]) AS entry (key, value)
         ON CONFLICT (task_id, turn, key) DO UPDATE SET value = excluded.value WHERE journal.owner = $3
         RETURNING 1
       )
       SELECT ((SELECT count(*) FROM j) = cardinality($7::text[]))::int AS written, ${NOTIFY}`,
      [...this.eventValues(batch), entries.map(([key]) => key), entries.map(([, value]) => value)],
    );
  }

  private inOrder(work: () => Promise<void>): Promise<void> {
    const done = this.work.then(() => {
      // What an earlier statement took along and could not keep must not look kept, nor be missing before the end.
      if (this.lost) throw this.lost;
      return work();
    });
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
    this.lost = new TurnLostError(`Turn ${turn} of task ${taskId} belongs to another process.`, { cause });
    this.onLost(this.lost);
    return this.lost;
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
