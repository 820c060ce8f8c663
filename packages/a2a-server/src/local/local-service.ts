/** Tasks whose turns run in this process: one at a time for each task, many tasks at once. */
import { Message, TaskState } from '@a2a-js/sdk';
import { createLog } from '@gemini-cli/core';
import type {
  Accepted,
  AgentSettings,
  TaskDescription,
  TaskEvent,
  TaskPage,
  TaskQuery,
  TaskRecord,
  TaskService,
  TaskStore,
  TurnRunner,
} from '../contract.js';
import { TaskError, tooManyTasks } from '../task-error.js';
import {
  asUserMessage,
  checkMessage,
  firstMessageKey,
  newTask,
  placeOf,
  settingsOf,
  stateEvent,
  taskEvent,
} from '../tasks/new-task.js';
import { isOver } from '../turns/events/event-factory.js';
import { TurnStop } from '../turns/turn-errors.js';
import { FirstMessages } from './first-messages.js';
import type { LiveTask } from './live-task.js';
import { LiveTasks } from './live-tasks.js';
import { LocalTurns } from './local-turns.js';
import { Slots } from './slots.js';

export interface LocalServiceOptions {
  store: TaskStore;
  runner: TurnRunner & {
    describe?(taskId: string): TaskDescription | undefined;
    /** Opens the engine of a task that rests. */
    prepare?(record: TaskRecord): Promise<void>;
  };
  limits?: LocalLimits;
}

export interface LocalLimits {
  /** Tasks that are kept; absent: any number. */
  maxTasks?: number;
  /** Turns that run at the same time; others wait. */
  maxRunning?: number;
  /** Messages of one task that wait. */
  maxQueued?: number;
}

const MAX_RUNNING = 64;
const MAX_QUEUED = 20;
/** Ids of messages that a task keeps. */
const MAX_IDS = 1000;

const log = createLog('a2a');

export async function openLocalService(options: LocalServiceOptions): Promise<TaskService> {
  const service = new LocalTaskService(options);
  await service.continueTurns();
  return service;
}

class LocalTaskService implements TaskService {
  readonly isDurable: boolean;
  private readonly live: LiveTasks;
  private readonly first = new FirstMessages();
  private readonly turns: LocalTurns;
  private readonly slots: Slots;
  private isClosing = false;

  constructor(private readonly options: LocalServiceOptions) {
    const { store, runner, limits = {} } = options;
    this.isDurable = store.isDurable;
    this.live = new LiveTasks(store);
    this.turns = new LocalTurns(store, runner);
    this.slots = new Slots(limits.maxRunning ?? MAX_RUNNING);
  }

  async create(settings: AgentSettings | undefined, contextId?: string): Promise<TaskRecord> {
    this.requireOpen();
    const { maxTasks } = this.options.limits ?? {};
    if (maxTasks !== undefined) {
      const { totalSize } = await this.options.store.list({ pageSize: 1 });
      if (totalSize >= maxTasks) throw tooManyTasks(maxTasks);
    }
    const record = newTask(settings, contextId);
    await this.turns.save(record);
    this.live.add(record);
    return structuredClone(record);
  }

  async send(message: Message): Promise<Accepted> {
    this.requireOpen();
    if (message.messageId === '') throw new TaskError('invalid', 'The message has no messageId.');
    const begin = () => this.create(settingsOf(message), message.contextId).then(({ id }) => id);
    const taskId = message.taskId || (await this.first.taskOf(firstMessageKey(message), begin));
    return this.accept(await this.live.find(taskId), message);
  }

  async *events(
    taskId: string,
    { after, signal }: { after?: string; signal: AbortSignal },
  ): AsyncIterable<TaskEvent> {
    const task = await this.live.find(taskId);
    const current = task.running?.log.turn ?? task.queue[0]?.log.turn ?? task.record.turn;
    let { turn, offset } = after === undefined ? { turn: current, offset: 0 } : placeOf(after);
    if (turn > task.accepted) throw new TaskError('invalid', `Task ${taskId} has no event ${after}.`);
    const turnLog = task.logOf(turn);
    if (turnLog?.ended && offset >= turnLog.events.length && turn < task.accepted) {
      turn++;
      offset = 0;
    }
    const found = task.logOf(turn);
    if (found) yield* found.read(offset, signal);
    else if (turn > 0 && offset === 0)
      yield { ...taskEvent(stateEvent(task.record), { turn, offset: 1 }), isLast: true };
  }

  async get(taskId: string): Promise<TaskRecord> {
    return structuredClone((await this.live.find(taskId)).record);
  }

  list(query: TaskQuery): Promise<TaskPage> {
    return this.options.store.list(query);
  }

  async cancel(taskId: string): Promise<TaskRecord> {
    const task = await this.live.find(taskId);
    if (isOver(task.record.task.status?.state))
      throw new TaskError('not_cancelable', `Task ${taskId} is over.`);
    const dropped = task.queue.splice(0);
    if (task.running) {
      task.running.abort.abort(new TurnStop('cancel'));
      await task.running.done;
    }
    if (!isOver(task.record.task.status?.state)) await this.cancelIdle(task);
    task.endTurns(dropped);
    return structuredClone(task.record);
  }

  async interrupt(taskId: string): Promise<void> {
    const running = this.live.get(taskId)?.running;
    running?.abort.abort(new TurnStop('interrupt'));
    await running?.done;
  }

  async describe(taskId: string, { opens = false } = {}): Promise<TaskDescription | undefined> {
    const { runner } = this.options;
    const { record, isIdle } = await this.live.find(taskId);
    if (opens && isIdle && !isOver(record.task.status?.state) && !this.isClosing)
      await runner.prepare?.(record);
    return runner.describe?.(taskId);
  }

  async close({ drainMs }: { drainMs: number }): Promise<void> {
    this.isClosing = true;
    const running = this.live.all().flatMap((task) => task.running ?? []);
    const all = Promise.all(running.map(({ done }) => done));
    await Promise.race([all, new Promise((resolve) => setTimeout(resolve, drainMs).unref())]);
    for (const { abort } of running) abort.abort(new TurnStop('stop'));
    await all;
    await this.options.runner.close();
    await this.options.store.close();
  }

  /** Turns that an earlier process began and did not end. */
  async continueTurns(): Promise<void> {
    if (!this.isDurable) return;
    let pageToken = '';
    do {
      const page = await this.options.store.list({ pageSize: 100, ...(pageToken && { pageToken }) });
      for (const { id, running, queued = [] } of page.records) {
        if (!running && queued.length === 0) continue;
        const task = await this.live.find(id);
        if (running) task.acceptAgain(Message.fromJSON(running.message), running.journal);
        for (const message of queued) task.accept(Message.fromJSON(message));
        this.startNext(task);
      }
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
  }

  private accept(task: LiveTask, message: Message): Promise<Accepted> {
    return task.change(async () => {
      const { record } = task;
      const earlier = task.turnOf(message.messageId);
      if (earlier !== undefined) return { taskId: record.id, after: `${earlier}-0`, isDuplicate: true };
      checkMessage(record, message);
      const kept = asUserMessage(message, record);
      const { maxQueued = MAX_QUEUED } = this.options.limits ?? {};
      if (task.queue.length >= maxQueued)
        throw new TaskError('too_many', `${maxQueued} messages of task ${record.id} wait already.`);
      const next: TaskRecord = {
        ...record,
        settings: record.settings ?? settingsOf(message),
        messageIds: [...record.messageIds, message.messageId].slice(-MAX_IDS),
        ...(this.isDurable && { queued: [...(record.queued ?? []), Message.toJSON(kept)] }),
      };
      await this.turns.save(next);
      task.record = next;
      const { log: turnLog } = task.accept(kept);
      this.startNext(task);
      return { taskId: record.id, after: `${turnLog.turn}-0`, isDuplicate: false };
    });
  }

  private startNext(task: LiveTask): void {
    if (task.running || this.isClosing) return;
    const next = task.queue.shift();
    if (!next) return;
    const abort = new AbortController();
    const done = this.slots
      .run(abort.signal, () => this.turns.run(task, next, abort.signal))
      .catch((error) => log.error(`A turn of task ${task.record.id} failed.`, error))
      .finally(() => {
        task.running = undefined;
        task.lastUsed = performance.now();
        next.log.end();
        if (isOver(task.record.task.status?.state)) task.endTurns(task.queue.splice(0));
        this.startNext(task);
      });
    task.running = { log: next.log, abort, done };
  }

  private async cancelIdle(task: LiveTask): Promise<void> {
    await this.options.runner.evict(task.record.id);
    await task.change(async () => {
      const { running: _, queued: __, ...record } = task.record;
      const timestamp = new Date().toISOString();
      const status = { state: TaskState.TASK_STATE_CANCELED, message: undefined, timestamp };
      task.record = { ...record, updatedAt: timestamp, pending: [], task: { ...record.task, status } };
      await this.options.store.save(task.record);
    });
  }

  private requireOpen(): void {
    if (this.isClosing) throw new TaskError('unavailable', 'The server is stopping.');
  }
}
