/** A task that works in this process, or did lately: its record, the turns that wait, the events of the last turns. */
import type { Message } from '@a2a-js/sdk';
import type { TaskRecord } from '../contract.js';
import { stateEvent } from '../tasks/new-task.js';
import { TurnLog } from './turn-log.js';

export interface QueuedTurn {
  message: Message;
  log: TurnLog;
  /** Of an earlier process. */
  journal?: Record<string, unknown>;
}

/** A reader that lost its connection asks for the last turn, or the one before. */
const KEPT_LOGS = 2;

export class LiveTask {
  readonly queue: QueuedTurn[] = [];
  running: { log: TurnLog; abort: AbortController; done: Promise<void> } | undefined;
  lastUsed = performance.now();
  /** One change of the record at a time. */
  private changes: Promise<unknown> = Promise.resolve();
  private logs: TurnLog[] = [];

  constructor(public record: TaskRecord) {}

  get isIdle(): boolean {
    return !this.running && this.queue.length === 0;
  }

  /** Number of the message that was accepted last. */
  get accepted(): number {
    return this.logs.at(-1)?.turn ?? this.record.turn;
  }

  accept(message: Message): QueuedTurn {
    const log = new TurnLog(this.accepted + 1);
    // Those of turns that have not ended stay, however many messages wait.
    const kept = this.logs.filter(({ ended }, index) => !ended || index > this.logs.length - KEPT_LOGS);
    this.logs = [...kept, log];
    const turn = { message, log };
    this.queue.push(turn);
    return turn;
  }

  /** A turn that an earlier process began. */
  acceptAgain(message: Message, journal: Record<string, unknown>): void {
    const log = new TurnLog(this.record.turn);
    this.logs = [log];
    this.queue.push({ message, log, journal });
  }

  /** When the task is over: they will not run. */
  endTurns(turns: readonly QueuedTurn[]): void {
    for (const { log } of turns) {
      log.add([stateEvent(this.record)]);
      log.end();
    }
  }

  logOf(turn: number): TurnLog | undefined {
    return this.logs.find((log) => log.turn === turn);
  }

  /** The turn in which a message was accepted; undefined: it is not known. */
  turnOf(messageId: string): number | undefined {
    const index = this.record.messageIds.lastIndexOf(messageId);
    return index === -1 ? undefined : this.accepted - (this.record.messageIds.length - 1 - index);
  }

  change<T>(work: () => Promise<T>): Promise<T> {
    const done = this.changes.then(work);
    this.changes = done.catch(() => undefined);
    return done;
  }
}
