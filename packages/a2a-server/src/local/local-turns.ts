/** Runs one turn of a task in this process, and saves what a later process needs to continue it. */
import { Message, type StreamResponse, TaskState } from '@a2a-js/sdk';
import { createLog, messageOf } from '@gemini-cli/core';
import type { TaskRecord, TaskStore, TurnRunner } from '../contract.js';
import { TaskError } from '../task-error.js';
import { endsTurn, stateEvent } from '../tasks/new-task.js';
import { EventFactory, isOver, textPart } from '../turns/events/event-factory.js';
import { TurnStop } from '../turns/turn-errors.js';
import type { LiveTask, QueuedTurn } from './live-task.js';

const log = createLog('a2a');
const { TASK_STATE_WORKING, TASK_STATE_INPUT_REQUIRED } = TaskState;

export class LocalTurns {
  constructor(
    private readonly store: TaskStore,
    private readonly runner: TurnRunner,
  ) {}

  async run(task: LiveTask, turn: QueuedTurn, signal: AbortSignal): Promise<void> {
    const { message, log: turnLog, journal = {} } = turn;
    const entries = new Map(Object.entries(journal));
    // Readers get the last event when the task has been saved: they may answer at once.
    const last: StreamResponse[] = [];
    const emit = (events: StreamResponse[]) => {
      turnLog.add(events.filter((event) => !endsTurn(event)));
      last.push(...events.filter(endsTurn));
    };
    const write = async (key: string, value: unknown) => {
      entries.set(key, value);
      await this.keepJournal(task, entries);
    };
    const emitted = entries.size === 0 ? [] : [stateEvent(task.record)];
    const ended = await this.begin(task, turn)
      .then(() => {
        const { record } = task;
        const kept = { entries: new Map(entries), write };
        return this.runner.run({ record, message, journal: kept, emit, signal, emitted });
      })
      .then(({ record }) => record)
      .catch((error: unknown) => this.failed(task, error, signal, emit));
    if (!ended) return;
    await this.end(task, turn, ended);
    turnLog.add(last);
  }

  /** @throws TaskError */
  async save(record: TaskRecord): Promise<void> {
    try {
      await this.store.save(record);
    } catch (error) {
      throw new TaskError('unavailable', `Task ${record.id} could not be saved: ${messageOf(error)}`, error);
    }
  }

  private begin(task: LiveTask, { message, log: turnLog, journal = {} }: QueuedTurn): Promise<void> {
    return task.change(async () => {
      const { record } = task;
      const queued = task.queue.map((waiting) => Message.toJSON(waiting.message));
      const history = isLastOf(record, message) ? record.task.history : [...record.task.history, message];
      const status = { state: TASK_STATE_WORKING, message: undefined, timestamp: new Date().toISOString() };
      task.record = {
        ...record,
        turn: turnLog.turn,
        task: { ...record.task, history, status },
        ...(this.store.isDurable && { running: { message: Message.toJSON(message), journal }, queued }),
      };
      await this.save(task.record);
    });
  }

  private async keepJournal(task: LiveTask, entries: ReadonlyMap<string, unknown>): Promise<void> {
    if (!this.store.isDurable) return;
    await task.change(async () => {
      const { running } = task.record;
      if (running) running.journal = Object.fromEntries(entries);
      await this.save(task.record);
    });
  }

  private end(task: LiveTask, { log: { turn } }: QueuedTurn, ended: TaskRecord): Promise<void> {
    return task.change(async () => {
      const { running: _, queued: __, ...record } = ended;
      const { messageIds, queued } = task.record;
      const isKept = queued !== undefined && !isOver(record.task.status?.state);
      task.record = { ...record, messageIds, turn, ...(isKept && { queued }) };
      // A full disk: the task continues in memory, and the next turn tries to save it again.
      await this.save(task.record).catch((error) => log.error(messageOf(error)));
    });
  }

  /** @returns the record to keep; undefined: a later process continues the turn */
  private failed(
    { record }: LiveTask,
    error: unknown,
    signal: AbortSignal,
    emit: (events: StreamResponse[]) => void,
  ): TaskRecord | undefined {
    const isStopping = signal.reason instanceof TurnStop && signal.reason.kind === 'stop';
    if (isStopping && this.store.isDurable) return undefined;
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
}

/** A turn that runs again has its message in the history already. */
function isLastOf({ task }: TaskRecord, { messageId }: Message): boolean {
  return task.history.at(-1)?.messageId === messageId;
}
