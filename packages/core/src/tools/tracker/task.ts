/** A task of the tracker as it is stored. */
import { join } from 'node:path';
import { isObject } from '../../base/objects.js';

export const TASK_TYPES = ['epic', 'task', 'bug'] as const;
export const TASK_STATUSES = ['open', 'in_progress', 'blocked', 'closed'] as const;

export type TaskType = (typeof TASK_TYPES)[number];
export type TaskStatus = (typeof TASK_STATUSES)[number];

export interface Task {
  /** Six hexadecimal digits; also the file name. */
  id: string;
  title: string;
  description: string;
  type: TaskType;
  status: TaskStatus;
  parentId?: string;
  dependencies: string[];
  subagentSessionId?: string;
  metadata?: Record<string, unknown>;
}

/** Ids become file names, so nothing else is accepted. */
export function isTaskId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{6}$/.test(value);
}

export const TASK_FILE_SUFFIX = '.json';

export function taskPath(directory: string, id: string): string {
  return join(directory, `${id}${TASK_FILE_SUFFIX}`);
}

/** The file may have been edited or cut off. */
export function isTask(value: unknown): value is Task {
  if (!isObject(value)) return false;
  const { id, title, description, type, status, parentId, dependencies } = value;
  return (
    isTaskId(id) &&
    typeof title === 'string' &&
    typeof description === 'string' &&
    TASK_TYPES.some((known) => known === type) &&
    TASK_STATUSES.some((known) => known === status) &&
    (parentId === undefined || isTaskId(parentId)) &&
    Array.isArray(dependencies) &&
    dependencies.every(isTaskId)
  );
}
