import { describe, expect, it } from 'vitest';
import type { Clock } from '../../platform/clock.js';
import { RunClock } from './run-clock.js';

/** Time passes only when the test says so. */
class ManualClock implements Clock {
  private time = 0;
  private readonly sleepers: { until: number; wake: () => void }[] = [];

  now(): number {
    return this.time;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.sleepers.push({ until: this.time + ms, wake: resolve });
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  async pass(ms: number): Promise<void> {
    this.time += ms;
    for (const { until, wake } of this.sleepers) if (until <= this.time) wake();
    await Promise.resolve();
    await Promise.resolve();
  }
}

describe('the time limit of a run', () => {
  it('is over after the limit', async () => {
    const clock = new ManualClock();
    const run = new RunClock(clock, 100);
    await clock.pass(99);
    expect(run.signal.aborted).toBe(false);
    await clock.pass(1);
    expect(run.signal.aborted).toBe(true);
  });

  it('does not count the time in which any call waits for the user', async () => {
    const clock = new ManualClock();
    const run = new RunClock(clock, 100);
    await clock.pass(60);
    run.pause('a');
    run.pause('b');
    await clock.pass(1000);
    run.resume('a');
    await clock.pass(1000);
    run.resume('b');
    run.resume('b');
    await clock.pass(39);
    expect(run.signal.aborted).toBe(false);
    await clock.pass(1);
    expect(run.signal.aborted).toBe(true);
  });

  it('never ends once it is stopped', async () => {
    const clock = new ManualClock();
    const run = new RunClock(clock, 100);
    run.stop();
    await clock.pass(1000);
    expect(run.signal.aborted).toBe(false);
  });
});
