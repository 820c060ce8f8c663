/** Tasks in a database: any process accepts messages and shows events; workers run the turns. */
import { Message, TaskState } from '@a2a-js/sdk';
import type { DBOSClient } from '@dbos-inc/dbos-sdk';
import type { Pool, PoolClient } from 'pg';
import type {
  Accepted,
  AgentSettings,
  TaskDescription,
  TaskEvent,
  TaskPage,
  TaskQuery,
  TaskRecord,
  TaskService,
  TurnRunner,
} from '../../contract.js';
import { taskToJson } from '../../stores/task-json.js';
import { TaskError, tooManyTasks } from '../../task-error.js';
import {
  checkMessage,
  firstMessageKey,
  newTask,
  placeOf,
  settingsOf,
  stateEvent,
} from '../../tasks/new-task.js';
import { isOver } from '../../turns/events/event-factory.js';
import { CANCEL_CHANNEL, EVENTS_CHANNEL, type Listener } from '../database/listener.js';
import { isAway, whileAway } from '../database/retry.js';
import { SCHEMA } from '../database/schema.js';
import { APPLICATION, MAX_LABELS, queueOf, SHAPE, WORKFLOW, workflowIdOf } from '../queues.js';
import type { Worker } from '../worker/worker.js';
import { EventReader } from './event-reader.js';
import { findTask, insertTask, listTasks, viewTask } from './task-rows.js';

export interface ScaledParts {
  pool: Pool;
  client: DBOSClient;
  listener: Listener;
  runner: TurnRunner & { describe?(taskId: string): TaskDescription | undefined };
  /** Absent: this process only accepts messages and shows events. */
  worker: Worker | undefined;
  addQueue: (name: string) => Promise<void>;
  limits?: ScaledLimits;
}

export interface ScaledLimits {
  maxTasks?: number;
  /** Messages of one task that wait. */
  maxQueued?: number;
}

const MAX_QUEUED = 20;
/** So long the worker has to end a cancelled turn itself, with all that belongs to it. */
const CANCEL_MS = 2000;
/** A client waits this long for a database that restarts. */
const AWAY_MS = 5000;

const { TASK_STATE_WORKING, TASK_STATE_CANCELED } = TaskState;

export class ScaledTaskService implements TaskService {
  readonly isDurable = true;
  private readonly reader: EventReader;
  private readonly queues = new Set<string>();
  private readonly closing = new AbortController();

  constructor(private readonly parts: ScaledParts) {
    this.reader = new EventReader(parts.pool, parts.listener);
  }

  async create(settings: AgentSettings | undefined, contextId?: string): Promise<TaskRecord> {
    const record = await this.prepareTask(settings, contextId);
    await this.change((db) => insertTask(db, record));
    return record;
  }

  async send(message: Message): Promise<Accepted> {
    if (message.messageId === '') throw new TaskError('invalid', 'The message has no messageId.');
    const settings = settingsOf(message);
    const fresh = message.taskId === '' ? await this.prepareTask(settings, message.contextId) : undefined;
    if (fresh) checkMessage(fresh, { ...message, contextId: '' });
    const accepted = await this.change(async (db) => {
      const taskId = fresh ? await this.firstTask(db, fresh, firstMessageKey(message)) : message.taskId;
      return this.accept(db, taskId, message, settings);
    });
    return accepted;
  }

  async *events(
    taskId: string,
    { after, signal }: { after?: string; signal: AbortSignal },
  ): AsyncIterable<TaskEvent> {
    const { accepted } = await this.whileAway(() => findTask(this.parts.pool, taskId));
    let { turn, offset } = after === undefined ? { turn: 0, offset: 0 } : placeOf(after);
    if (turn > accepted) throw new TaskError('invalid', `Task ${taskId} has no event ${after}.`);
    if (after === undefined) turn = (await this.whileAway(() => this.openTurn(taskId))) ?? accepted;
    else if (
      turn < accepted &&
      offset > 0 &&
      (await this.whileAway(() => this.isWhole(taskId, turn, offset)))
    ) {
      turn++;
      offset = 0;
    }
    const ends = AbortSignal.any([signal, this.closing.signal]);
    if (turn > 0) yield* this.reader.read({ taskId, turn, offset, signal: ends });
  }

  get(taskId: string): Promise<TaskRecord> {
    return this.whileAway(() => viewTask(this.parts.pool, taskId));
  }

  list(query: TaskQuery): Promise<TaskPage> {
    return this.whileAway(() => listTasks(this.parts.pool, query));
  }

  async cancel(taskId: string): Promise<TaskRecord> {
    const turn = await this.change(async (db) => {
      const { record } = await findTask(db, taskId, true);
      if (isOver(record.task.status?.state)) throw new TaskError('not_cancelable', `Task ${taskId} is over.`);
      await db.query(`SELECT pg_notify('${CANCEL_CHANNEL}', $1)`, [taskId]);
      const { rows } = await db.query<{ turn: number }>(
        `UPDATE ${SCHEMA}.turn SET cancels = true WHERE task_id = $1 AND ended_at IS NULL
         RETURNING turn, owner IS NOT NULL AS runs`,
        [taskId],
      );
      return rows.length > 0 ? Math.min(...rows.map((row) => row.turn)) : undefined;
    });
    if (turn !== undefined) await this.untilEnded(taskId, turn);
    await this.change((db) => this.cancelRows(db, taskId));
    return this.get(taskId);
  }

  async describe(taskId: string): Promise<TaskDescription | undefined> {
    return this.parts.runner.describe?.(taskId);
  }

  async close({ drainMs }: { drainMs: number }): Promise<void> {
    if (this.isClosing) return;
    this.closing.abort();
    const { worker, listener, client, pool, runner } = this.parts;
    await worker?.close({ drainMs });
    await runner.close();
    await listener.close();
    await client.destroy();
    await pool.end();
  }

  private get isClosing(): boolean {
    return this.closing.signal.aborted;
  }

  private async prepareTask(settings: AgentSettings | undefined, contextId?: string): Promise<TaskRecord> {
    if (this.isClosing) throw new TaskError('unavailable', 'The server is stopping.');
    const { labels = [] } = settings ?? {};
    if (labels.length > MAX_LABELS)
      throw new TaskError('invalid', `A task may ask for at most ${MAX_LABELS} labels.`);
    const { maxTasks } = this.parts.limits ?? {};
    if (maxTasks !== undefined) {
      const { totalSize } = await this.list({ pageSize: 1 });
      if (totalSize >= maxTasks) throw tooManyTasks(maxTasks);
    }
    const queue = queueOf(labels);
    if (!this.queues.has(queue)) await this.whileAway(() => this.parts.addQueue(queue));
    this.queues.add(queue);
    return newTask(settings, contextId);
  }

  /** The task of a first message, which may have been sent before. */
  private async firstTask(db: PoolClient, fresh: TaskRecord, key: string): Promise<string> {
    const { rows } = await db.query<{ task_id: string }>(
      `INSERT INTO ${SCHEMA}.first_message VALUES ($1, $2)
       ON CONFLICT (message_id) DO UPDATE SET task_id = first_message.task_id RETURNING task_id`,
      [key, fresh.id],
    );
    const taskId = rows[0]?.task_id ?? fresh.id;
    if (taskId === fresh.id) await insertTask(db, fresh);
    return taskId;
  }

  private async accept(
    db: PoolClient,
    taskId: string,
    message: Message,
    settings: AgentSettings | undefined,
  ): Promise<Accepted> {
    const { record, accepted, queue } = await findTask(db, taskId, true);
    const { rows } = await db.query<{ turn: number; message_id: string; open: boolean }>(
      `SELECT turn, message_id, ended_at IS NULL AS open FROM ${SCHEMA}.turn
       WHERE task_id = $1 AND (message_id = $2 OR ended_at IS NULL)`,
      [taskId, message.messageId],
    );
    const known = rows.find((row) => row.message_id === message.messageId);
    if (known) return { taskId, after: `${known.turn}-0`, isDuplicate: true };
    const index = record.messageIds.lastIndexOf(message.messageId);
    if (index !== -1) {
      const turn = Math.max(1, record.turn - (record.messageIds.length - 1 - index));
      return { taskId, after: `${turn}-0`, isDuplicate: true };
    }
    checkMessage(
      record,
      message.contextId === '' || message.taskId !== '' ? message : { ...message, contextId: '' },
    );
    const { maxQueued = MAX_QUEUED } = this.parts.limits ?? {};
    if (rows.length > maxQueued)
      throw new TaskError('too_many', `${maxQueued} messages of task ${taskId} wait already.`);
    const turn = accepted + 1;
    await db.query(
      `INSERT INTO ${SCHEMA}.turn (task_id, turn, message_id, message) VALUES ($1, $2, $3, $4)`,
      [taskId, turn, message.messageId, JSON.stringify(Message.toJSON({ ...message, taskId }))],
    );
    // Settings of a task that was made without any come with its first message.
    const withSettings = !record.settings && settings ? taskToJson({ ...record, settings }) : null;
    await db.query(
      `UPDATE ${SCHEMA}.task
       SET accepted = $2, state = $3, updated_at = now(), record = coalesce($4, record) WHERE id = $1`,
      [taskId, turn, TASK_STATE_WORKING, withSettings],
    );
    await this.parts.client.enqueueInTransaction(
      db,
      {
        workflowName: WORKFLOW,
        queueName: queue,
        queuePartitionKey: taskId,
        workflowID: workflowIdOf(taskId, turn),
        appVersion: SHAPE,
        applicationName: APPLICATION,
      },
      taskId,
      turn,
    );
    return { taskId, after: `${turn}-0`, isDuplicate: false };
  }

  /** No worker has ended them: their events end here, and a worker that still runs one is fenced. */
  private async cancelRows(db: PoolClient, taskId: string): Promise<void> {
    const { record } = await findTask(db, taskId, true);
    const timestamp = new Date().toISOString();
    const canceled: TaskRecord = isOver(record.task.status?.state)
      ? record
      : {
          ...record,
          pending: [],
          updatedAt: timestamp,
          task: { ...record.task, status: { state: TASK_STATE_CANCELED, message: undefined, timestamp } },
        };
    const { rows } = await db.query<{ turn: number; last: number }>(
      `UPDATE ${SCHEMA}.turn t SET ended_at = now(), owner = NULL WHERE task_id = $1 AND ended_at IS NULL
       RETURNING turn, coalesce((SELECT max(last) FROM ${SCHEMA}.event e
         WHERE e.task_id = t.task_id AND e.turn = t.turn), 0)::int AS last`,
      [taskId],
    );
    const { StreamResponse } = await import('@a2a-js/sdk');
    const event = JSON.stringify([StreamResponse.toJSON(stateEvent(canceled))]);
    for (const { turn, last } of rows)
      await db.query(
        `INSERT INTO ${SCHEMA}.event (task_id, turn, first, last, events) VALUES ($1, $2, $3, $3, $4)`,
        [taskId, turn, last + 1, event],
      );
    await db.query(
      `UPDATE ${SCHEMA}.task SET record = $2, state = $3, ended = accepted, updated_at = now() WHERE id = $1`,
      [taskId, taskToJson(canceled), canceled.task.status?.state ?? TASK_STATE_CANCELED],
    );
    await db.query(`SELECT pg_notify('${EVENTS_CHANNEL}', $1)`, [taskId]);
  }

  private async untilEnded(taskId: string, turn: number): Promise<void> {
    const signal = AbortSignal.timeout(CANCEL_MS);
    for await (const _ of this.reader.read({ taskId, turn, offset: 0, signal }));
  }

  /** The turn that runs or waits; undefined: none. */
  private async openTurn(taskId: string): Promise<number | undefined> {
    const { rows } = await this.parts.pool.query<{ turn: number | null }>(
      `SELECT min(turn)::int AS turn FROM ${SCHEMA}.turn WHERE task_id = $1 AND ended_at IS NULL`,
      [taskId],
    );
    return rows[0]?.turn ?? undefined;
  }

  /** Whether this was the last event of a turn that has ended. */
  private async isWhole(taskId: string, turn: number, offset: number): Promise<boolean> {
    const { rows } = await this.parts.pool.query<{ open: boolean }>(
      `SELECT ended_at IS NULL OR EXISTS (
         SELECT FROM ${SCHEMA}.event e WHERE e.task_id = t.task_id AND e.turn = t.turn AND e.last > $3
       ) AS open FROM ${SCHEMA}.turn t WHERE task_id = $1 AND turn = $2`,
      [taskId, turn, offset],
    );
    return rows[0]?.open !== true;
  }

  /** In one transaction; repeated while the database is away, so it must be safe to repeat. */
  private change<T>(work: (db: PoolClient) => Promise<T>): Promise<T> {
    return this.whileAway(async () => {
      const db = await this.parts.pool.connect();
      let failure: unknown;
      try {
        await db.query('BEGIN');
        const result = await work(db);
        await db.query('COMMIT');
        return result;
      } catch (error) {
        failure = error;
        await db.query('ROLLBACK').catch(() => undefined);
        throw error;
      } finally {
        db.release(isAway(failure));
      }
    });
  }

  private async whileAway<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await whileAway(work, { forMs: AWAY_MS });
    } catch (error) {
      if (!isAway(error)) throw error;
      throw new TaskError('unavailable', 'The database of the server does not answer. Try again.', error);
    }
  }
}
