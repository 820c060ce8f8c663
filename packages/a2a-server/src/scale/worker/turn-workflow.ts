/** One turn as a durable workflow: claims it, runs the engine, writes the end. */
import { TaskState } from '@a2a-js/sdk';
import { createLog, messageOf } from '@gemini-cli/core';
import type { Pool } from 'pg';
import type { TaskRecord, TurnRunner } from '../../contract.js';
import { asUserMessage } from '../../tasks/new-task.js';
import { EventFactory, textPart } from '../../turns/events/event-factory.js';
import { TurnLostError, TurnStop } from '../../turns/turn-errors.js';
import { type ClaimedTurn, type TurnKey, TurnWriter } from './turn-writer.js';

const log = createLog('a2a');

/** A turn that ends every process that takes it must not go through all of them for ever. */
const MAX_ATTEMPTS = 20;

/** Ids of messages that a task keeps beyond its turns, to know one that is sent twice. */
const MAX_IDS = 1000;

interface RunningTurn {
  taskId: string;
  abort: AbortController;
}

export class TurnWorkflow {
  private readonly running = new Set<RunningTurn>();

  constructor(
    private readonly pool: Pool,
    private readonly runner: TurnRunner,
    private readonly onBroken: () => void,
  ) {}

  get count(): number {
    return this.running.size;
  }

  /** Ends the turn of a task here, or frees its idle engine. */
  cancel(taskId: string): void {
    const turns = [...this.running].filter((turn) => turn.taskId === taskId);
    for (const { abort } of turns) abort.abort(new TurnStop('cancel'));
    if (turns.length === 0) void this.runner.evict(taskId);
  }

  /** This process must not work on any turn from now on. */
  stop(): void {
    for (const { abort } of this.running) abort.abort(new TurnStop('stop'));
  }

  async run(key: TurnKey, workflowId: string, executorId: string): Promise<void> {
    const abort = new AbortController();
    const writer = new TurnWriter(this.pool, key, (error) => abort.abort(error));
    const running = { taskId: key.taskId, abort };
    this.running.add(running);
    try {
      const claimed = await writer.claim(workflowId, executorId);
      if (!claimed) return;
      if (claimed.cancels) abort.abort(new TurnStop('cancel'));
      await writer.end(await this.runTurn(key, claimed, writer, abort.signal));
    } catch (error) {
      if (error instanceof TurnLostError) log.debug(error.message);
      // The database was away for too long. The turn is still ours: only the end of this process gives it to another.
      const isBroken = error instanceof TurnLostError && error.cause !== undefined;
      if (isBroken) this.onBroken();
      // It was cancelled, or another process has it: DBOS notes this end only if the turn is not another one's.
      if (error instanceof TurnLostError && !isBroken) return;
      // DBOS must not note an end here: another process continues the turn.
      if (isBroken || error instanceof TurnStop) return await new Promise(() => undefined);
      throw error;
    } finally {
      this.running.delete(running);
    }
  }

  private async runTurn(
    { turn }: TurnKey,
    { record, message, emitted, attempt, cancels }: ClaimedTurn,
    writer: TurnWriter,
    signal: AbortSignal,
  ): Promise<TaskRecord> {
    const user = asUserMessage(message, record);
    const working: TaskRecord = {
      ...record,
      turn,
      messageIds: [...record.messageIds, message.messageId].slice(-MAX_IDS),
      task: { ...record.task, history: [...record.task.history, user] },
    };
    const emit = writer.emit.bind(writer);
    const { TASK_STATE_INPUT_REQUIRED, TASK_STATE_CANCELED } = TaskState;
    if (cancels) return endAt(working, TASK_STATE_CANCELED, undefined, emit);
    if (attempt > MAX_ATTEMPTS) {
      const text = `The turn was given up after ${MAX_ATTEMPTS} interruptions.`;
      return endAt(working, TASK_STATE_INPUT_REQUIRED, text, emit);
    }
    try {
      const done = await this.runner.run({
        record: working,
        message: user,
        journal: writer,
        emit,
        signal,
        emitted,
      });
      return done.record;
    } catch (error) {
      if (error instanceof TurnLostError || error instanceof TurnStop) throw error;
      if (signal.reason instanceof TurnLostError) throw signal.reason;
      log.error(`Turn ${turn} of task ${record.id} failed.`, error);
      return endAt(working, TASK_STATE_INPUT_REQUIRED, messageOf(error), emit);
    }
  }
}

function endAt(
  record: TaskRecord,
  state: TaskState,
  error: string | undefined,
  emit: (events: ReturnType<EventFactory['status']>[]) => void,
): TaskRecord {
  const { id: taskId, contextId } = record;
  const factory = new EventFactory({ taskId, contextId, model: () => record.model });
  const parts = error === undefined ? [] : [textPart(error)];
  const event = factory.status('state-change', state, parts, error === undefined ? {} : { error });
  emit([event]);
  const status = event.payload?.$case === 'statusUpdate' ? event.payload.value.status : undefined;
  return { ...record, task: { ...record.task, status }, updatedAt: factory.timestamp() };
}
