/** Who is notified about which task, and the notifications: one for each change of state. */
import { randomUUID } from 'node:crypto';
import type { StreamResponse, Task, TaskPushNotificationConfig, TaskState } from '@a2a-js/sdk';
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import { V1PushNotificationSerializer } from '@a2a-js/sdk/server';
import { createLog } from '@gemini-cli/core';
import type { TaskService } from '../contract.js';
import { isRunning } from '../protocol/task-state.js';
import type { ProtocolVersion } from '../protocol/version.js';
import { TaskError } from '../task-error.js';
import type { PushContent, PushSender } from './push-sender.js';
import type { PushStore, PushTarget } from './push-store.js';

const MAX_TARGETS = 10;
const MAX_FIELD_CHARS = 4_096;

const log = createLog('a2a-push');

export interface PushParts {
  service: Pick<TaskService, 'events' | 'get'>;
  store: PushStore;
  sender: PushSender;
}

export class PushConfigs {
  private readonly watching = new Map<string, Promise<void>>();
  private readonly closing = new AbortController();

  constructor(private readonly parts: PushParts) {}

  /** @throws TaskError */
  async check({ url, token, authentication }: TaskPushNotificationConfig): Promise<void> {
    for (const field of [url, token, authentication?.scheme, authentication?.credentials]) {
      if (field && (typeof field !== 'string' || field.length > MAX_FIELD_CHARS || /[\r\n]/.test(field)))
        throw new TaskError(
          'invalid',
          'A field of the push notification is not a text, is too long or has line breaks.',
        );
    }
    await this.parts.sender.check(url);
  }

  /** Also tells about the turn that runs. */
  async create(
    config: TaskPushNotificationConfig,
    version: ProtocolVersion,
  ): Promise<TaskPushNotificationConfig> {
    const made = await this.add(config, version);
    const { task } = await this.parts.service.get(made.taskId);
    if (isRunning(task.status?.state) && !this.watching.has(made.taskId))
      this.startWatch(made.taskId, undefined);
    return made;
  }

  /** For turns from the next one on that is watched. */
  async add(
    config: TaskPushNotificationConfig,
    version: ProtocolVersion,
  ): Promise<TaskPushNotificationConfig> {
    await this.check(config);
    const { taskId } = config;
    const made = { ...config, id: config.id || randomUUID() };
    const others = (await this.parts.store.load(taskId)).filter((target) => target.config.id !== made.id);
    if (others.length >= MAX_TARGETS)
      throw new TaskError('invalid', `A task has up to ${MAX_TARGETS} push notifications.`);
    await this.parts.store.save(taskId, [...others, { config: made, version }]);
    return made;
  }

  async list(taskId: string): Promise<TaskPushNotificationConfig[]> {
    return (await this.parts.store.load(taskId)).map(({ config }) => config);
  }

  async delete(taskId: string, id: string): Promise<void> {
    const targets = await this.parts.store.load(taskId);
    await this.parts.store.save(
      taskId,
      targets.filter(({ config }) => config.id !== id),
    );
  }

  async isWatched(taskId: string): Promise<boolean> {
    return this.watching.has(taskId) || (await this.parts.store.load(taskId)).length > 0;
  }

  /** Follows the turn of a message, if anyone is to be notified about it. */
  async watch(taskId: string, after: string): Promise<void> {
    if (await this.isWatched(taskId)) this.startWatch(taskId, after);
  }

  /** Notifications that are being sent are given up. */
  async close(): Promise<void> {
    this.closing.abort();
    await Promise.all(this.watching.values());
    this.parts.sender.close();
  }

  /** One turn after the other: the end of one may still be on its way when the next begins. */
  private startWatch(taskId: string, after: string | undefined): void {
    const watch: Promise<void> = (this.watching.get(taskId) ?? Promise.resolve())
      .then(() => this.follow(taskId, after))
      .catch((error: unknown) => log.error(`notifications of ${taskId} ended`, error))
      .finally(() => {
        if (this.watching.get(taskId) === watch) this.watching.delete(taskId);
      });
    this.watching.set(taskId, watch);
  }

  private async follow(taskId: string, after: string | undefined): Promise<void> {
    const { signal } = this.closing;
    let told: TaskState | undefined;
    const options = { signal, ...(after && { after }) };
    for await (const { event, isLast } of this.parts.service.events(taskId, options)) {
      const state = stateOf(event);
      if (state !== undefined && (state !== told || isLast)) {
        told = state;
        await this.notify(taskId, event);
      }
      if (isLast) return;
    }
  }

  private async notify(taskId: string, event: StreamResponse): Promise<void> {
    const targets = await this.parts.store.load(taskId);
    if (targets.length === 0) return;
    const { task } = await this.parts.service.get(taskId);
    const { signal } = this.closing;
    await Promise.all(
      targets.map((target) => this.parts.sender.send(target, contentOf(target, event, task), signal)),
    );
  }
}

/** Version 0.3 sends the task, 1.0 the event. */
function contentOf({ version }: PushTarget, event: StreamResponse, task: Task): PushContent {
  const whole: StreamResponse = { payload: { $case: 'task', value: withState(task, event) } };
  return version === '1.0'
    ? new V1PushNotificationSerializer().serialize(event)
    : new V03PushNotificationSerializer().serialize(whole);
}

/** The stored task may be behind or ahead of the event. */
function withState(task: Task, { payload }: StreamResponse): Task {
  return payload?.$case === 'statusUpdate' ? { ...task, status: payload.value.status } : task;
}

function stateOf({ payload }: StreamResponse): TaskState | undefined {
  return payload?.$case === 'statusUpdate' || payload?.$case === 'task'
    ? payload.value.status?.state
    : undefined;
}
