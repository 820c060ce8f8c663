/** New tasks, and what a first message says about them. */
import { createHash, randomUUID } from 'node:crypto';
import { Message, Role, type StreamResponse, TaskState } from '@a2a-js/sdk';
import type { AgentSettings, TaskEvent, TaskRecord } from '../contract.js';
import { TaskError } from '../task-error.js';
import { isOver, stateOf } from '../turns/events/event-factory.js';

export function newTask(settings: AgentSettings | undefined, contextId = ''): TaskRecord {
  const now = new Date().toISOString();
  const id = randomUUID();
  const context = contextId || randomUUID();
  return {
    id,
    contextId: context,
    createdAt: now,
    updatedAt: now,
    task: {
      id,
      contextId: context,
      status: { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: now },
      artifacts: [],
      history: [],
      metadata: undefined,
    },
    ...(settings && { settings }),
    pending: [],
    turn: 0,
    messageIds: [],
  };
}

/** `metadata.coderAgent` of a message. What it says about trust is not read. @throws TaskError for other shapes */
export function settingsOf({ metadata }: Pick<Message, 'metadata'>): AgentSettings | undefined {
  const given: unknown = metadata?.['coderAgent'];
  if (given === undefined || given === null) return undefined;
  const { kind, workspacePath, autoExecute, labels } = given as Partial<Record<keyof AgentSettings, unknown>>;
  if (kind !== 'agent-settings') return undefined;
  if (workspacePath !== undefined && typeof workspacePath !== 'string')
    throw new TaskError('invalid', 'metadata.coderAgent.workspacePath must be a text.');
  if (labels !== undefined && !isLabels(labels))
    throw new TaskError(
      'invalid',
      'metadata.coderAgent.labels must be a list of texts of up to 64 characters.',
    );
  return {
    kind,
    workspacePath: workspacePath ?? '',
    ...(autoExecute === true && { autoExecute }),
    ...(labels && labels.length > 0 && { labels: [...new Set(labels)].sort() }),
  };
}

/**
 * By what a first message is known when it is sent again. Clients that count their messages use the same ids as others:
 * what they ask is part of it, so no client gets the task of another question.
 */
export function firstMessageKey(message: Message): string {
  const { messageId, contextId, parts, metadata } = Message.toJSON(message) as Record<string, unknown>;
  return createHash('sha256')
    .update(JSON.stringify([messageId, contextId, parts, metadata]))
    .digest('hex');
}

/** Whether the task takes this message. @throws TaskError */
export function checkMessage(record: TaskRecord, message: Message): void {
  if (message.messageId === '') throw new TaskError('invalid', 'The message has no messageId.');
  if (message.parts.length === 0) throw new TaskError('invalid', 'The message has no parts.');
  if (message.contextId !== '' && message.contextId !== record.contextId)
    throw new TaskError('invalid', `Task ${record.id} belongs to another context.`);
  if (isOver(record.task.status?.state))
    throw new TaskError('unsupported', `Task ${record.id} is over. Begin a new one.`);
}

/** A user's message as the history keeps it. */
export function asUserMessage(message: Message, { id, contextId }: TaskRecord): Message {
  return { ...message, role: Role.ROLE_USER, taskId: id, contextId };
}

export interface EventPlace {
  turn: number;
  offset: number;
}

/** @throws TaskError for an id that is not ours */
export function placeOf(id: string): EventPlace {
  const [, turn, offset] = /^(\d{1,9})-(\d{1,9})$/.exec(id) ?? [];
  if (turn === undefined) throw new TaskError('invalid', `"${id}" is not the id of an event.`);
  return { turn: Number(turn), offset: Number(offset) };
}

export function taskEvent(event: StreamResponse, { turn, offset }: EventPlace): TaskEvent {
  return { id: `${turn}-${offset}`, event, isLast: endsTurn(event) };
}

/** While a turn runs its task is working; any other state ends it. */
export function endsTurn(event: StreamResponse): boolean {
  const state = stateOf(event);
  return state === TaskState.TASK_STATE_INPUT_REQUIRED || isOver(state);
}

/** The present state as the last event of a turn whose events are not kept any more. */
export function stateEvent({ id: taskId, contextId, task, model }: TaskRecord): StreamResponse {
  const metadata = { coderAgent: { kind: 'state-change' }, ...(model && { model }) };
  return { payload: { $case: 'statusUpdate', value: { taskId, contextId, status: task.status, metadata } } };
}

/** They become names of queues. */
function isLabels(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string' && LABEL.test(one));
}

const LABEL = /^[^\p{Cc}\p{Cs}]{1,64}$/u;
