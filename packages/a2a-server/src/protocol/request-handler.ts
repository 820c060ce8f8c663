/** The A2A protocol over a `TaskService`: what both versions and all transports have in common. */
import {
  type AgentCard,
  type CancelTaskRequest,
  type DeleteTaskPushNotificationConfigRequest,
  type GetTaskPushNotificationConfigRequest,
  type GetTaskRequest,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  type ListTasksRequest,
  type ListTasksResponse,
  type Message,
  type SendMessageRequest,
  type StreamResponse,
  type SubscribeToTaskRequest,
  type Task,
  type TaskPushNotificationConfig,
  TaskState,
} from '@a2a-js/sdk';
import { ExtendedAgentCardNotConfiguredError, PushNotificationNotSupportedError } from '@a2a-js/sdk/errors';
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server';
import type { TaskRecord } from '../contract.js';
import type { PushConfigs } from '../push/push-configs.js';
import type { ToldService } from '../push/told-service.js';
import { stateName } from '../stores/task-pages.js';
import { TaskError } from '../task-error.js';
import { placeOf } from '../tasks/new-task.js';
import { type Call, callOf } from './call.js';
import { checkedMessage, invalid } from './check-message.js';
import { toProtocolError } from './errors.js';
import type { Readers } from './readers.js';
import { isOver } from './task-state.js';
import { taskView } from './task-view.js';

export interface RequestHandlerParts {
  service: ToldService;
  push: PushConfigs | undefined;
  readers: Readers;
  card: () => AgentCard;
  /** Called for each accepted message. */
  onMessage?: (isDuplicate: boolean) => void;
}

const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 100;
const MAX_HISTORY = 1_000_000;

export class TaskRequestHandler implements A2ARequestHandler {
  constructor(private readonly parts: RequestHandlerParts) {}

  async getAgentCard(): Promise<AgentCard> {
    return this.parts.card();
  }

  async getAuthenticatedExtendedAgentCard(): Promise<AgentCard> {
    throw new ExtendedAgentCardNotConfiguredError();
  }

  async sendMessage(request: SendMessageRequest, context: ServerCallContext): Promise<Message | Task> {
    return this.answered(context, async (call) => {
      const { configuration } = request;
      // Before the message is accepted: a client that is refused sends it again.
      const view = { historyLength: historyLength(configuration?.historyLength) };
      const { taskId, after } = await this.accept(request, call);
      const isDetached = configuration?.returnImmediately === true;
      if (isDetached) this.parts.readers.detach(taskId);
      else for await (const _ of this.follow(taskId, after, call)) call.signal.throwIfAborted();
      const { task } = await this.parts.service.get(taskId);
      return taskView(task, view);
    });
  }

  async *sendMessageStream(
    request: SendMessageRequest,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const call = callOf(context);
    try {
      const accepted = await this.accept(request, call);
      const isNew = request.message?.taskId === '';
      // A task that is known already would come with all it has, on every message.
      if (call.version === '1.0' || isNew)
        yield await this.firstEvent(accepted.taskId, call, isNew ? undefined : 0);
      yield* this.follow(accepted.taskId, call.lastEventId ?? accepted.after, call);
    } catch (error) {
      throw toProtocolError(error, call);
    }
  }

  async *resubscribe(
    { id }: SubscribeToTaskRequest,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const call = callOf(context);
    try {
      const { task } = await this.parts.service.get(requireText(id, 'id'));
      const over = isOver(task.status?.state);
      if (over && call.version === '1.0' && call.lastEventId === undefined)
        throw new TaskError('unsupported', `The task ${id} is over; ask for it with GetTask.`);
      if (call.version === '1.0') yield await this.firstEvent(id, call, 0);
      yield* this.follow(id, call.lastEventId, call);
    } catch (error) {
      throw toProtocolError(error, call);
    }
  }

  async getTask(request: GetTaskRequest, context: ServerCallContext): Promise<Task> {
    return this.answered(context, async () => {
      const { task } = await this.parts.service.get(requireText(request.id, 'id'));
      return taskView(task, { historyLength: historyLength(request.historyLength) });
    });
  }

  async listTasks(request: ListTasksRequest, context: ServerCallContext): Promise<ListTasksResponse> {
    return this.answered(context, async () => {
      const pageSize = request.pageSize || PAGE_SIZE;
      if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > MAX_PAGE_SIZE)
        throw new TaskError('invalid', `pageSize is a number from 1 to ${MAX_PAGE_SIZE}.`);
      if (TaskState[request.status] === undefined || request.status === TaskState.UNRECOGNIZED)
        throw new TaskError('invalid', 'status is not a state of tasks.');
      const page = await this.parts.service.list({
        pageSize,
        ...(request.contextId && { contextId: request.contextId }),
        ...(request.status && { state: stateName(request.status) }),
        ...(request.pageToken && { pageToken: request.pageToken }),
      });
      const { statusTimestampAfter: since, includeArtifacts = false } = request;
      const view = { historyLength: historyLength(request.historyLength) ?? 0, includeArtifacts };
      return {
        tasks: page.records.filter(isChangedSince(since)).map(({ task }) => taskView(task, view)),
        nextPageToken: page.nextPageToken,
        pageSize,
        totalSize: page.totalSize,
      };
    });
  }

  async cancelTask({ id }: CancelTaskRequest, context: ServerCallContext): Promise<Task> {
    return this.answered(context, async () => {
      const { task } = await this.parts.service.cancel(requireText(id, 'id'));
      return task;
    });
  }

  async createTaskPushNotificationConfig(
    config: TaskPushNotificationConfig,
    context: ServerCallContext,
  ): Promise<TaskPushNotificationConfig> {
    return this.answered(context, async (call) => {
      await this.parts.service.get(requireText(config.taskId, 'taskId'));
      return this.push().create(config, call.version);
    });
  }

  async getTaskPushNotificationConfig(
    { taskId, id }: GetTaskPushNotificationConfigRequest,
    context: ServerCallContext,
  ): Promise<TaskPushNotificationConfig> {
    return this.answered(context, async () => {
      const found = (await this.pushOf(taskId)).find((config) => !id || config.id === id);
      if (!found) throw new TaskError('task_not_found', 'The task has no such push notification.');
      return found;
    });
  }

  async listTaskPushNotificationConfigs(
    { taskId }: ListTaskPushNotificationConfigsRequest,
    context: ServerCallContext,
  ): Promise<ListTaskPushNotificationConfigsResponse> {
    return this.answered(context, async () => ({ configs: await this.pushOf(taskId), nextPageToken: '' }));
  }

  async deleteTaskPushNotificationConfig(
    { taskId, id }: DeleteTaskPushNotificationConfigRequest,
    context: ServerCallContext,
  ): Promise<void> {
    return this.answered(context, async () => {
      await this.pushOf(taskId);
      await this.push().delete(taskId, requireText(id, 'id'));
    });
  }

  private async accept({ message, configuration, metadata }: SendMessageRequest, call: Call) {
    const checked = checkedMessage(withSettings(message, metadata));
    const push = configuration?.taskPushNotificationConfig;
    if (push) await this.push().check(push);
    const accepted = await this.parts.service.send(checked);
    const { taskId } = accepted;
    this.parts.onMessage?.(accepted.isDuplicate);
    if (push) {
      await this.push().add({ ...push, taskId }, call.version, placeOf(accepted.after).turn - 1);
      await this.push().watch(taskId, accepted.after);
    }
    return accepted;
  }

  /** The task as it is now: it is not an event of the log, so it has no id. */
  private async firstEvent(taskId: string, call: Call, history: number | undefined): Promise<StreamResponse> {
    const { task } = await this.parts.service.get(taskId);
    call.place = undefined;
    return { payload: { $case: 'task', value: taskView(task, { historyLength: history }) } };
  }

  private async *follow(
    taskId: string,
    after: string | undefined,
    call: Call,
  ): AsyncGenerator<StreamResponse> {
    const { service, readers } = this.parts;
    let isWhole = false;
    readers.enter(taskId);
    try {
      const options = { signal: call.signal, ...(after !== undefined && after !== '' && { after }) };
      for await (const { event, id, isLast } of service.events(taskId, options)) {
        call.place = { id, isLast };
        yield event;
        if (isLast) break;
      }
      isWhole = !call.signal.aborted;
    } finally {
      const isWatched = (await this.parts.push?.isWatched(taskId)) ?? false;
      readers.leave(taskId, !isWhole && !isWatched);
    }
  }

  private push(): PushConfigs {
    if (!this.parts.push)
      throw new PushNotificationNotSupportedError('This server sends no push notifications.');
    return this.parts.push;
  }

  private async pushOf(taskId: string): Promise<TaskPushNotificationConfig[]> {
    await this.parts.service.get(requireText(taskId, 'taskId'));
    return this.push().list(taskId);
  }

  private async answered<T>(context: ServerCallContext, work: (call: Call) => Promise<T>): Promise<T> {
    const call = callOf(context);
    try {
      return await work(call);
    } catch (error) {
      throw toProtocolError(error, call);
    }
  }
}

/** Some clients put the settings of a task beside the message. */
function withSettings(
  message: Message | undefined,
  metadata: SendMessageRequest['metadata'],
): Message | undefined {
  if (!message || metadata?.['coderAgent'] === undefined || message.metadata?.['coderAgent'] !== undefined)
    return message;
  return { ...message, metadata: { ...message.metadata, coderAgent: metadata['coderAgent'] } };
}

function historyLength(length: number | undefined): number | undefined {
  if (length === undefined) return undefined;
  if (!Number.isInteger(length) || length < 0 || length > MAX_HISTORY)
    throw new TaskError('invalid', 'historyLength is a number from 0.');
  return length;
}

function isChangedSince(since: string | undefined): (record: TaskRecord) => boolean {
  if (!since) return () => true;
  const time = Date.parse(since);
  if (Number.isNaN(time)) throw new TaskError('invalid', 'statusTimestampAfter is not a time.');
  return ({ updatedAt }) => Date.parse(updatedAt) >= time;
}

function requireText(value: unknown, field: string): string {
  if (typeof value !== 'string' || value === '') throw invalid(`${field} is missing`);
  return value;
}
