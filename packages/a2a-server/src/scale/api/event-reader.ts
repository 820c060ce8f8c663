/** Reads the events of a turn while another process writes them. */
import type { Pool } from 'pg';
import type { TaskEvent } from '../../contract.js';
import { stateEvent, taskEvent } from '../../tasks/new-task.js';
import type { Listener } from '../database/listener.js';
import { whileAway } from '../database/retry.js';
import { SCHEMA } from '../database/schema.js';
import { eventsFrom } from '../worker/turn-writer.js';
import { findTask } from './task-rows.js';

/** A notification may be lost with its connection. */
const LOOK_AGAIN_MS = 1000;
/** Readers of a stream wait this long for a database that restarts. */
const AWAY_MS = 60_000;

export interface EventsFrom {
  taskId: string;
  turn: number;
  /** Of the last event that the reader has. */
  offset: number;
  signal: AbortSignal;
}

interface Batch {
  first: number;
  events: string;
}

export class EventReader {
  constructor(
    private readonly pool: Pool,
    private readonly listener: Listener,
  ) {}

  async *read({ taskId, turn, offset, signal }: EventsFrom): AsyncGenerator<TaskEvent> {
    const news = new News(signal);
    const stop = this.listener.onEvents(taskId, () => news.tell());
    let last = offset;
    try {
      while (!signal.aborted) {
        const { batches, isKnown, hasEnded } = await whileAway(() => this.look(taskId, turn, last), {
          forMs: AWAY_MS,
          signal,
        });
        for (const { first, events } of batches) {
          for (const [index, event] of eventsFrom(events).entries()) {
            if (first + index <= last) continue;
            last = first + index;
            yield taskEvent(event, { turn, offset: last });
          }
        }
        if (!isKnown) {
          // It ended long ago, and its events were deleted.
          if (last > 0) return;
          const { record } = await whileAway(() => findTask(this.pool, taskId), { forMs: AWAY_MS, signal });
          yield { ...taskEvent(stateEvent(record), { turn, offset: 1 }), isLast: true };
          return;
        }
        if (hasEnded) return;
        await news.wait(LOOK_AGAIN_MS);
      }
    } finally {
      stop();
    }
  }

  /** One query, so that the end of the turn is never seen without its last events. */
  private async look(taskId: string, turn: number, last: number) {
    const { rows } = await this.pool.query<{ ended: boolean; batches: Batch[] | null }>(
      `SELECT ended_at IS NOT NULL AS ended, (
         SELECT json_agg(json_build_object('first', e.first, 'events', e.events) ORDER BY e.first)
         FROM ${SCHEMA}.event e WHERE e.task_id = t.task_id AND e.turn = t.turn AND e.last > $3
       ) AS batches
       FROM ${SCHEMA}.turn t WHERE task_id = $1 AND turn = $2`,
      [taskId, turn, last],
    );
    const [row] = rows;
    return { batches: row?.batches ?? [], isKnown: row !== undefined, hasEnded: row?.ended === true };
  }
}

/** Remembers that there was news while no reader waited. */
class News {
  private has = false;
  private wake: (() => void) | undefined;

  constructor(signal: AbortSignal) {
    signal.addEventListener('abort', () => this.tell(), { once: true });
  }

  tell(): void {
    this.has = true;
    this.wake?.();
  }

  async wait(ms: number): Promise<void> {
    if (!this.has) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.wake = undefined;
    this.has = false;
  }
}
