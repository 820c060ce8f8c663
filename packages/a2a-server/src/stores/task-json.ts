/** A task as the text of a file, and back. What a file says is checked: another program may have written it. */
import { Task } from '@a2a-js/sdk';
import type { AgentSettings, PendingCall, RunningTurn, TaskRecord } from '../contract.js';

/** Of files that a newer version wrote in a way that this one cannot read. */
const FORMAT = 1;

export function taskToJson({ task, ...rest }: TaskRecord): string {
  return JSON.stringify({ format: FORMAT, ...rest, task: Task.toJSON(task) });
}

/** @throws Error that says what is wrong */
export function taskFromJson(text: string): TaskRecord {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new Error('it holds no task');
  const fields = value as Partial<Record<keyof TaskRecord | 'format', unknown>>;
  if (fields.format !== FORMAT) throw new Error(`it has the format ${String(fields.format)}, not ${FORMAT}`);
  const { id, contextId, createdAt, updatedAt, task } = fields;
  if (!isText(id) || !isText(contextId) || !isText(createdAt) || !isText(updatedAt))
    throw new Error('its id, context or times are missing');
  if (typeof task !== 'object' || task === null) throw new Error('its task is missing');
  return {
    id,
    contextId,
    createdAt,
    updatedAt,
    task: Task.fromJSON(task),
    ...(fields.settings !== undefined && { settings: fields.settings as AgentSettings }),
    ...(isText(fields.model) && { model: fields.model }),
    ...(typeof fields.cost === 'number' && { cost: fields.cost }),
    pending: Array.isArray(fields.pending) ? (fields.pending as PendingCall[]) : [],
    turn: typeof fields.turn === 'number' ? fields.turn : 0,
    messageIds: Array.isArray(fields.messageIds) ? fields.messageIds.filter(isText) : [],
    ...(fields.conversation !== undefined && { conversation: fields.conversation }),
    ...(fields.running !== undefined && { running: fields.running as RunningTurn }),
    ...(Array.isArray(fields.queued) && { queued: fields.queued as unknown[] }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
