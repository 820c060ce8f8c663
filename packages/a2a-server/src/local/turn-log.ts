/** The events of one turn, for readers that come at any time. */
import type { StreamResponse } from '@a2a-js/sdk';
import type { TaskEvent } from '../contract.js';
import { taskEvent } from '../tasks/new-task.js';

export class TurnLog {
  readonly events: TaskEvent[] = [];
  private isEnded = false;
  private readonly readers = new Set<() => void>();

  constructor(readonly turn: number) {}

  get ended(): boolean {
    return this.isEnded;
  }

  add(events: readonly StreamResponse[]): void {
    for (const event of events) {
      this.events.push(taskEvent(event, { turn: this.turn, offset: this.events.length + 1 }));
    }
    if (events.length > 0) this.wake();
  }

  end(): void {
    this.isEnded = true;
    this.wake();
  }

  /** The events behind `offset`, until the turn ends or the reader leaves. */
  async *read(offset: number, signal: AbortSignal): AsyncGenerator<TaskEvent> {
    let next = offset;
    while (!signal.aborted) {
      const event = this.events[next];
      if (event) {
        next++;
        yield event;
      } else if (this.isEnded) return;
      else await this.change(signal);
    }
  }

  private change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.readers.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.readers.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  private wake(): void {
    for (const reader of [...this.readers]) reader();
  }
}
