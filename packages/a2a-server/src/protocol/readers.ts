/**
 * Who waits for the turn of a task. When the last client has closed its connection before the turn ended, the turn is
 * ended, too: the user has closed the window. A client that only lost its connection may resume before that.
 */
import { createLog } from '@gemini-cli/core';
import type { TaskService } from '../contract.js';

const log = createLog('a2a-readers');

export class Readers {
  private readonly counts = new Map<string, number>();
  private readonly timers = new Map<string, NodeJS.Timeout>();

  constructor(
    private readonly service: Pick<TaskService, 'interrupt'>,
    private readonly graceMs: number,
  ) {}

  get count(): number {
    let sum = 0;
    for (const count of this.counts.values()) sum += count;
    return sum;
  }

  enter(taskId: string): void {
    clearTimeout(this.timers.get(taskId));
    this.timers.delete(taskId);
    this.counts.set(taskId, (this.counts.get(taskId) ?? 0) + 1);
  }

  /** @param isVanished the connection was closed before the turn ended */
  leave(taskId: string, isVanished: boolean): void {
    const left = (this.counts.get(taskId) ?? 1) - 1;
    if (left > 0) return void this.counts.set(taskId, left);
    this.counts.delete(taskId);
    if (!isVanished || !this.service.interrupt) return;
    const timer = setTimeout(() => {
      this.timers.delete(taskId);
      this.service
        .interrupt?.(taskId)
        .catch((error: unknown) => log.error('a turn could not be ended', error));
    }, this.graceMs);
    timer.unref();
    this.timers.set(taskId, timer);
  }

  /** The turn continues without readers: its client is notified, or asks later. */
  detach(taskId: string): void {
    clearTimeout(this.timers.get(taskId));
    this.timers.delete(taskId);
  }

  close(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }
}
