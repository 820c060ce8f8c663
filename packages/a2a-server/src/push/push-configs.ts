/** Who is notified about which task, and the notifications: one for each change of state. */
import { randomUUID } from 'node:crypto';
import type { StreamResponse, Task, TaskPushNotificationConfig, TaskState } from '@a2a-js/sdk';
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import { V1PushNotificationSerializer } from '@a2a-js/sdk/server';
import { createLog } from '@gemini-cli/core';
import type { TaskEvent, TaskRecord, TaskService } from '../contract.js';
import { isRunning } from '../protocol/task-state.js';
import type { ProtocolVersion } from '../protocol/version.js';
import { TaskError } from '../task-error.js';
import { placeOf, stateEvent } from '../tasks/new-task.js';
import type { PushContent, PushSender } from './push-sender.js';
import type { PushStore, PushTarget } from './push-store.js';

const MAX_TARGETS = 10;
const MAX_FIELD_CHARS = 4_096;
/** How often ends are looked for that a process which is gone did not tell. */
const CATCH_UP_MS = 15_000;
const PAGE = 100;

const log = createLog('a2a-push');

export interface PushParts {
  service: Pick<TaskService, 'events' | 'get' | 'list'>;
  store: PushStore;
  sender: PushSender;
}

export class PushConfigs {
  private readonly watching = new Map<string, { done: Promise<void>; after: string | undefined }>();
  private readonly closing = new AbortController();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: PushParts) {}

  /** What an earlier process, or another one that is gone, did not tell. */
  start(): void {
    const { isShared } = this.parts.store;
    const catchUp = () => this.catchUp().catch((error: unknown) => log.warn('cannot catch up', error));
    void catchUp();
    if (isShared) this.timer = setInterval(catchUp, CATCH_UP_MS).unref();
  }

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
    const { task, turn } = await this.parts.service.get(config.taskId);
    const runs = isRunning(task.status?.state);
    const made = await this.add(config, version, runs ? turn - 1 : turn);
    if (runs && !this.watching.has(made.taskId)) this.startWatch(made.taskId, undefined);
    return made;
  }

  /** @param told ends of turns up to this one are not to be told */
  async add(
    config: TaskPushNotificationConfig,
    version: ProtocolVersion,
    told: number,
  ): Promise<TaskPushNotificationConfig> {
    await this.check(config);
    const { taskId } = config;
    const made = { ...config, id: config.id || randomUUID() };
    const others = (await this.parts.store.load(taskId)).filter((target) => target.config.id !== made.id);
    if (others.length >= MAX_TARGETS)
      throw new TaskError('invalid', `A task has up to ${MAX_TARGETS} push notifications.`);
    await this.parts.store.save(taskId, [...others, { config: made, version }], told);
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
      0,
    );
  }

  async isWatched(taskId: string): Promise<boolean> {
    return this.watching.has(taskId) || (await this.parts.store.load(taskId)).length > 0;
  }

  /** Follows the turn of a message, once, if anyone is to be notified about it. */
  async watch(taskId: string, after: string): Promise<void> {
    if (this.watching.get(taskId)?.after === after) return;
    if (await this.isWatched(taskId)) this.startWatch(taskId, after);
  }

  /** Of a task that has changed without a turn. */
  tellState(record: TaskRecord): void {
    this.inOrder(record.id, () => this.notify(record.id, stateEvent(record)));
  }

  /** Notifications that are being sent are given up; a later process tells the ends of turns. */
  async close(): Promise<void> {
    this.closing.abort();
    clearInterval(this.timer);
    await Promise.all([...this.watching.values()].map(({ done }) => done));
    this.parts.sender.close();
  }

  private async catchUp(): Promise<void> {
    const { store } = this.parts;
    for await (const record of this.withTargets()) {
      const taskId = record.id;
      if (this.closing.signal.aborted) return;
      if (this.watching.has(taskId)) continue;
      if (!isRunning(record.task.status?.state))
        this.inOrder(taskId, () => this.tellEnd(taskId, record.turn, stateEvent(record)));
      // Of several processes, another one may follow it; if that is lost, the end is found here.
      else if (!store.isShared) this.startWatch(taskId, undefined);
    }
  }

  private async *withTargets(): AsyncGenerator<TaskRecord> {
    const { store, service } = this.parts;
    const wanted = new Set(await store.tasks());
    if (store.isShared) {
      for (const taskId of wanted) {
        const record = await service.get(taskId).catch(() => undefined);
        if (record) yield record;
      }
      return;
    }
    // To get a task is to load it with all that belongs to it; a list reads what it shows.
    let pageToken = '';
    do {
      if (wanted.size === 0) return;
      const page = await service.list({ pageSize: PAGE, ...(pageToken && { pageToken }) });
      yield* page.records.filter(({ id }) => wanted.delete(id));
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
  }

  private startWatch(taskId: string, after: string | undefined): void {
    this.inOrder(taskId, () => this.follow(taskId, after), after);
  }

  /** One turn after the other: the end of one may still be on its way when the next begins. */
  private inOrder(taskId: string, work: () => Promise<void>, after?: string): void {
    const before = this.watching.get(taskId)?.done ?? Promise.resolve();
    const done: Promise<void> = before
      .then(work)
      .catch((error: unknown) => log.error(`notifications of ${taskId} ended`, error))
      .finally(() => {
        if (this.watching.get(taskId)?.done === done) this.watching.delete(taskId);
      });
    this.watching.set(taskId, { done, after });
  }

  private async follow(taskId: string, after: string | undefined): Promise<void> {
    const { signal } = this.closing;
    let told: TaskState | undefined;
    const options = { signal, ...(after && { after }) };
    for await (const { id, event, isLast } of this.parts.service.events(taskId, options)) {
      if (isLast) return this.tellEnd(taskId, placeOf(id).turn, event);
      const state = stateOf(event);
      if (state === undefined || state === told) continue;
      told = state;
      await this.notify(taskId, event);
    }
  }

  /** Once, also where several processes notify; again after one was lost while it told it. */
  private async tellEnd(taskId: string, turn: number, event: TaskEvent['event']): Promise<void> {
    const { store } = this.parts;
    if ((await store.load(taskId)).length === 0 || !(await store.claimEnd(taskId, turn))) return;
    await this.notify(taskId, event);
    if (!this.closing.signal.aborted) await store.endTold(taskId, turn);
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
