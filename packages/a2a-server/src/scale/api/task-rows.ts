/** The rows of tasks: what every process of the fleet can answer from the database alone. */
import { Message, TaskState } from '@a2a-js/sdk';
import type { Pool, PoolClient } from 'pg';
import type { TaskPage, TaskQuery, TaskRecord } from '../../contract.js';
import { taskFromJson, taskToJson } from '../../stores/task-json.js';
import { TaskError } from '../../task-error.js';
import { asUserMessage } from '../../tasks/new-task.js';
import { SCHEMA } from '../database/schema.js';
import { queueOf } from '../queues.js';

export interface TaskRow {
  record: TaskRecord;
  /** Of the message that was accepted last. */
  accepted: number;
  queue: string;
}

interface RawTask {
  id: string;
  record: string;
  accepted: number;
  queue: string;
  state: number;
}

export type Queries = Pool | PoolClient;

export async function insertTask(db: Queries, record: TaskRecord): Promise<void> {
  await db.query(
    `INSERT INTO ${SCHEMA}.task (id, context_id, state, queue, record) VALUES ($1, $2, $3, $4, $5)`,
    [
      record.id,
      record.contextId,
      record.task.status?.state ?? 0,
      queueOf(record.settings?.labels),
      taskToJson(record),
    ],
  );
}

/** @param lock until the transaction ends. @throws TaskError */
export async function findTask(db: Queries, taskId: string, lock = false): Promise<TaskRow> {
  // PostgreSQL has no texts with the character zero.
  if (taskId.includes('\0')) throw unknownTask(taskId);
  const { rows } = await db.query<RawTask>(
    `SELECT id, record, accepted, queue, state FROM ${SCHEMA}.task WHERE id = $1 ${lock ? 'FOR UPDATE' : ''}`,
    [taskId],
  );
  const [row] = rows;
  if (!row) throw unknownTask(taskId);
  return asTask(row);
}

function unknownTask(taskId: string): TaskError {
  return new TaskError('task_not_found', `There is no task ${taskId}.`);
}

/** The task as clients see it: with the messages whose turns have not ended. */
export async function viewTask(db: Queries, taskId: string): Promise<TaskRecord> {
  const { record, accepted } = await findTask(db, taskId);
  const { rows } = await db.query<{ message: string; message_id: string; turn: number }>(
    `SELECT message, message_id, turn FROM ${SCHEMA}.turn
     WHERE task_id = $1 AND ended_at IS NULL ORDER BY turn`,
    [taskId],
  );
  if (rows.length === 0) return { ...record, turn: Math.max(record.turn, accepted) };
  const waiting = rows.map(({ message }) => asUserMessage(Message.fromJSON(JSON.parse(message)), record));
  const status = { state: TaskState.TASK_STATE_WORKING, message: undefined, timestamp: record.updatedAt };
  return {
    ...record,
    turn: rows[0]?.turn ?? record.turn,
    messageIds: [...record.messageIds, ...rows.map(({ message_id }) => message_id)],
    task: { ...record.task, status, history: [...record.task.history, ...waiting] },
  };
}

export async function listTasks(db: Queries, query: TaskQuery): Promise<TaskPage> {
  const { contextId, state, pageSize, pageToken } = query;
  const number = state === undefined ? undefined : stateNumber(state);
  const [after = null, afterId = null] = pageToken ? readToken(pageToken) : [];
  // PostgreSQL has no texts with the character zero.
  if (contextId?.includes('\0')) return { records: [], nextPageToken: '', totalSize: 0 };
  const filter = '($1::text IS NULL OR context_id = $1) AND ($2::int IS NULL OR state = $2)';
  const values = [contextId ?? null, number ?? null];
  const total = await db.query<{ count: number }>(
    `SELECT count(*)::int FROM ${SCHEMA}.task WHERE ${filter}`,
    values,
  );
  const { rows } = await db.query<RawTask & { at: string }>(
    `SELECT id, record, accepted, queue, state, (extract(epoch FROM updated_at) * 1000000)::bigint::text AS at
     FROM ${SCHEMA}.task
     WHERE ${filter} AND ($3::bigint IS NULL OR (updated_at, id) < ('epoch'::timestamptz + $3 * interval '1 microsecond', $4))
     ORDER BY updated_at DESC, id DESC LIMIT $5`,
    [...values, after, afterId, pageSize + 1],
  );
  const page = rows.slice(0, pageSize);
  const last = page.at(-1);
  return {
    records: page.map((row) => asTask(row).record),
    nextPageToken: rows.length > pageSize && last ? token(last.at, last.id) : '',
    totalSize: total.rows[0]?.count ?? 0,
  };
}

function asTask({ record: text, accepted, queue, state }: RawTask): TaskRow {
  const record = taskFromJson(text);
  // While a turn runs only the column changes.
  if (record.task.status && state === TaskState.TASK_STATE_WORKING) record.task.status.state = state;
  return { record, accepted, queue };
}

/** Names and numbers of both protocol versions are understood. */
function stateNumber(state: string): number {
  const name = state.toUpperCase().replaceAll('-', '_');
  const value = TaskState[`TASK_STATE_${name.replace(/^TASK_STATE_/, '')}` as keyof typeof TaskState];
  return value ?? -1;
}

function token(at: string, id: string): string {
  return Buffer.from(JSON.stringify([at, id])).toString('base64url');
}

const MICROSECONDS = /^\d{1,17}$/;

function readToken(text: string): [string, string] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    const [at, id]: unknown[] = Array.isArray(value) ? value : [];
    if (typeof at === 'string' && MICROSECONDS.test(at) && typeof id === 'string' && !id.includes('\0'))
      return [at, id];
  } catch {
    // Reported below, like a list of the wrong shape.
  }
  throw new TaskError('invalid', 'The page token is not one of this server.');
}
