/** Tasks whose turns run in this process: one at a time for each task, many tasks at once. */
import { Message, type StreamResponse, TaskState } from '@a2a-js/sdk';
import { createLog, messageOf } from '@gemini-cli/core';
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
  endsTurn,
  firstMessageKey,
  newTask,
  placeOf,
  settingsOf,
  stateEvent,
  taskEvent,
} from '../tasks/new-task.js';
import { EventFactory, isOver, textPart } from '../turns/events/event-factory.js';
import { TurnStop } from '../turns/turn-errors.js';
import { LiveTask, type QueuedTurn } from './live-task.js';

export interface LocalServiceOptions {
  store: TaskStore;
  runner: TurnRunner & { describe?(taskId: string): TaskDescription | undefined };
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
/** Tasks whose last events stay in memory. */
const MAX_LIVE = 200;
/** First messages of tasks, to know one that is sent twice. */
const MAX_FIRST = 10_000;
/** Ids of messages that a task keeps. */
const MAX_IDS = 1000;

const log = createLog('a2a');
const { TASK_STATE_WORKING, TASK_STATE_INPUT_REQUIRED, TASK_STATE_CANCELED } = TaskState;

export async function openLocalService(options: LocalServiceOptions): Promise<TaskService> {
  const service = new LocalTaskService(options);
  await service.continueTurns();
  return service;
}

class LocalTaskService implements TaskService {
  readonly isDurable: boolean;
  private readonly live = new Map<string, LiveTask>();
  private readonly loading = new Map<string, Promise<LiveTask>>();
  /** Tasks by the key of their first message. */
  private readonly first = new Map<string, Promise<string>>();
  private readonly waiting: (() => void)[] = [];
  private running = 0;
  private isClosing = false;

  constructor(private readonly options: LocalServiceOptions) {
    this.isDurable = options.store.isDurable;
  }

  async create(settings: AgentSettings | undefined, contextId?: string): Promise<TaskRecord> {
    this.requireOpen();
    const { maxTasks } = this.options.limits ?? {};
    if (maxTasks !== undefined) {
      const { totalSize } = await this.options.store.list({ pageSize: 1 });
      if (totalSize >= maxTasks) throw tooManyTasks(maxTasks);
    }
    const record = newTask(settings, contextId);
    await this.save(record);
    this.live.set(record.id, new LiveTask(record));
    this.forgetOld();
    return structuredClone(record);
  }

  async send(message: Message): Promise<Accepted> {
    this.requireOpen();
    if (message.messageId === '') throw new TaskError('invalid', 'The message has no messageId.');
    if (message.taskId !== '') return this.accept(await this.find(message.taskId), message);
    const key = firstMessageKey(message);
    const known = this.first.get(key);
    const taskId = known ?? this.create(settingsOf(message), message.contextId).then(({ id }) => id);
    if (!known) this.rememberFirst(key, taskId);
    return this.accept(await this.find(await taskId), message);
  }

  async *events(
    taskId: string,
    { after, signal }: { after?: string; signal: AbortSignal },
  ): AsyncIterable<TaskEvent> {
    const task = await this.find(taskId);
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
    return structuredClone((await this.find(taskId)).record);
  }

  list(query: TaskQuery): Promise<TaskPage> {
    return this.options.store.list(query);
  }

  async cancel(taskId: string): Promise<TaskRecord> {
    const task = await this.find(taskId);
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

  async describe(taskId: string): Promise<TaskDescription | undefined> {
    return this.options.runner.describe?.(taskId);
  }

  async close({ drainMs }: { drainMs: number }): Promise<void> {
    this.isClosing = true;
    const running = [...this.live.values()].flatMap((task) => task.running ?? []);
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
        const task = await this.find(id);
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
      await this.save(next);
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
    const done = this.slot()
      .then(() => this.runTurn(task, next, abort))
      .catch((error) => log.error(`A turn of task ${task.record.id} failed.`, error))
      .finally(() => {
        this.freeSlot();
        task.running = undefined;
        task.lastUsed = performance.now();
        next.log.end();
        if (isOver(task.record.task.status?.state)) task.endTurns(task.queue.splice(0));
        this.startNext(task);
      });
    task.running = { log: next.log, abort, done };
  }

  private async runTurn(
    task: LiveTask,
    { message, log: turnLog, journal = {} }: QueuedTurn,
    abort: AbortController,
  ) {
    const entries = new Map(Object.entries(journal));
    const { runner } = this.options;
    const begin = () =>
      task.change(async () => {
        const { record } = task;
        const queued = task.queue.map((turn) => Message.toJSON(turn.message));
        const history = isLastOf(record, message) ? record.task.history : [...record.task.history, message];
        const status = {
          state: TASK_STATE_WORKING,
          message: undefined,
          timestamp: new Date().toISOString(),
        };
        task.record = {
          ...record,
          turn: turnLog.turn,
          task: { ...record.task, history, status },
          ...(this.isDurable && { running: { message: Message.toJSON(message), journal }, queued }),
        };
        await this.save(task.record);
      });
    // Readers get the last event when the task has been saved: they may answer at once.
    const last: StreamResponse[] = [];
    const emit = (events: StreamResponse[]) => {
      turnLog.add(events.filter((event) => !endsTurn(event)));
      last.push(...events.filter(endsTurn));
    };
    const write = async (key: string, value: unknown) => {
      if (!this.isDurable) return;
      await task.change(async () => {
        entries.set(key, value);
        const { running } = task.record;
        if (running) running.journal = Object.fromEntries(entries);
        await this.save(task.record);
      });
    };
    const { signal } = abort;
    const emitted = entries.size === 0 ? [] : [stateEvent(task.record)];
    const ended = await begin()
      .then(() => {
        const { record } = task;
        return runner.run({
          record,
          message,
          journal: { entries: new Map(entries), write },
          emit,
          signal,
          emitted,
        });
      })
      .then(({ record }) => record)
      .catch((error: unknown) => this.failed(task, error, signal, emit));
    if (!ended) return;
    await task.change(async () => {
      const { running: _, queued: __, ...record } = ended;
      const { messageIds, queued } = task.record;
      const isKept = queued !== undefined && !isOver(record.task.status?.state);
      task.record = { ...record, messageIds, turn: turnLog.turn, ...(isKept && { queued }) };
      // A full disk: the task continues in memory, and the next turn tries to save it again.
      await this.save(task.record).catch((error) => log.error(messageOf(error)));
    });
    turnLog.add(last);
  }

  /** @throws TaskError */
  private async save(record: TaskRecord): Promise<void> {
    try {
      await this.options.store.save(record);
    } catch (error) {
      throw new TaskError('unavailable', `Task ${record.id} could not be saved: ${messageOf(error)}`, error);
    }
  }

  /** @returns the record to keep; undefined: a later process continues the turn */
  private failed(
    { record }: LiveTask,
    error: unknown,
    signal: AbortSignal,
    emit: (events: StreamResponse[]) => void,
  ): TaskRecord | undefined {
    const isStopping = signal.reason instanceof TurnStop && signal.reason.kind === 'stop';
    if (isStopping && this.isDurable) return undefined;
    if (!isStopping) log.error(`A turn of task ${record.id} failed.`, error);
    const { id: taskId, contextId } = record;
    const factory = new EventFactory({ taskId, contextId, model: () => record.model });
    const text = isStopping ? 'The server stopped while the task was working.' : messageOf(error);
    const parts = [textPart(text)];
    emit([factory.status('state-change', TASK_STATE_INPUT_REQUIRED, parts, { error: text })]);
    const status = {
      state: TASK_STATE_INPUT_REQUIRED,
      message: factory.message('state-change', parts),
      timestamp: factory.timestamp(),
    };
    return { ...record, task: { ...record.task, status } };
  }

  private async cancelIdle(task: LiveTask): Promise<void> {
    await this.options.runner.evict(task.record.id);
    await task.change(async () => {
      const { running: _, queued: __, ...record } = task.record;
      const timestamp = new Date().toISOString();
      const status = { state: TASK_STATE_CANCELED, message: undefined, timestamp };
      task.record = { ...record, updatedAt: timestamp, pending: [], task: { ...record.task, status } };
      await this.options.store.save(task.record);
    });
  }

  private async find(taskId: string): Promise<LiveTask> {
    const live = this.live.get(taskId);
    if (live) {
      live.lastUsed = performance.now();
      return live;
    }
    const loading = this.loading.get(taskId) ?? this.load(taskId);
    this.loading.set(taskId, loading);
    return loading.finally(() => this.loading.delete(taskId));
  }

  private async load(taskId: string): Promise<LiveTask> {
    const record = await this.options.store.load(taskId);
    if (!record) throw new TaskError('task_not_found', `There is no task ${taskId}.`);
    const task = new LiveTask(record);
    this.live.set(taskId, task);
    this.forgetOld();
    return task;
  }

  /** What was idle for longest is only in the store from then on. */
  private forgetOld(): void {
    if (this.live.size <= MAX_LIVE) return;
    const idle = [...this.live].filter(([, task]) => task.isIdle);
    idle.sort(([, a], [, b]) => a.lastUsed - b.lastUsed);
    for (const [taskId] of idle.slice(0, this.live.size - MAX_LIVE)) this.live.delete(taskId);
  }

  private rememberFirst(key: string, taskId: Promise<string>): void {
    this.first.set(key, taskId);
    taskId.catch(() => this.first.delete(key));
    if (this.first.size <= MAX_FIRST) return;
    for (const oldest of this.first.keys()) {
      this.first.delete(oldest);
      break;
    }
  }

  private requireOpen(): void {
    if (this.isClosing) throw new TaskError('unavailable', 'The server is stopping.');
  }

  private async slot(): Promise<void> {
    const { maxRunning = MAX_RUNNING } = this.options.limits ?? {};
    if (this.running >= maxRunning) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running++;
  }

  private freeSlot(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.running--;
  }
}

/** A turn that runs again has its message in the history already. */
function isLastOf({ task }: TaskRecord, { messageId }: Message): boolean {
  return task.history.at(-1)?.messageId === messageId;
}
