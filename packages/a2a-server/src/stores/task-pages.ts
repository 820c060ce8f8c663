/** Lists of tasks in pages: the one that changed last comes first; a page begins behind the last task of the one before. */
import { TaskState } from '@a2a-js/sdk';
import type { TaskQuery } from '../contract.js';
import { TaskError } from '../task-error.js';

/** What a list is ordered and filtered by. */
export interface Listed {
  id: string;
  contextId: string;
  updatedAt: string;
  task: { status: { state: TaskState } | undefined };
}

export interface ListPage<T> {
  records: T[];
  nextPageToken: string;
  /** Of all pages. */
  totalSize: number;
}

export function pageOf<T extends Listed>(all: readonly T[], query: TaskQuery): ListPage<T> {
  const { contextId, state, pageSize, pageToken } = query;
  const wanted = all
    .filter((record) => contextId === undefined || record.contextId === contextId)
    .filter((record) => state === undefined || stateName(record.task.status?.state) === state)
    .sort(byChange);
  const start = pageToken ? placeOf(pageToken) : undefined;
  const rest = start ? wanted.filter((record) => byChange(record, start) > 0) : wanted;
  const records = rest.slice(0, pageSize);
  const last = records.at(-1);
  const nextPageToken = last && rest.length > records.length ? tokenOf(last) : '';
  return { records, nextPageToken, totalSize: wanted.length };
}

/** `TASK_STATE_WORKING` */
export function stateName(state: TaskState | undefined): string {
  return TaskState[state ?? TaskState.TASK_STATE_UNSPECIFIED] ?? 'TASK_STATE_UNSPECIFIED';
}

type Place = Pick<Listed, 'id' | 'updatedAt'>;

function byChange(a: Place, b: Place): number {
  return b.updatedAt.localeCompare(a.updatedAt) || a.id.localeCompare(b.id);
}

function tokenOf({ updatedAt, id }: Place): string {
  return Buffer.from(JSON.stringify([updatedAt, id])).toString('base64url');
}

function placeOf(token: string): Place {
  try {
    const [updatedAt, id]: unknown[] = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (typeof updatedAt === 'string' && typeof id === 'string') return { updatedAt, id };
  } catch {
    // Answered below.
  }
  throw new TaskError('invalid', 'This page token was not made by this server.');
}
