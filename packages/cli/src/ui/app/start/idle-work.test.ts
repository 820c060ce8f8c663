import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IdleWork } from './idle-work.js';

describe('work for idle moments', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function make() {
    const done: string[] = [];
    const problems: unknown[] = [];
    const state = { isBusy: false };
    const idle = new IdleWork({
      isBusy: () => state.isBusy,
      now: () => Date.now(),
      onFailure: (error) => problems.push(error),
    });
    return { idle, done, problems, state };
  }

  it('runs in order once the user has not typed for a while', async () => {
    const { idle, done } = make();
    idle.add(
      () => done.push('one'),
      () => done.push('two'),
    );
    await vi.advanceTimersByTimeAsync(400);
    idle.keyPressed();
    await vi.advanceTimersByTimeAsync(400);
    expect(done).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(done).toEqual(['one', 'two']);
  });

  it('waits while an answer comes in', async () => {
    const { idle, done, state } = make();
    state.isBusy = true;
    idle.add(() => done.push('one'));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(done).toEqual([]);
    state.isBusy = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(done).toEqual(['one']);
  });

  it('continues after a task that failed, and stops with the app', async () => {
    const { idle, done, problems } = make();
    idle.add(
      () => {
        throw new Error('broken');
      },
      () => done.push('two'),
    );
    await vi.advanceTimersByTimeAsync(2_000);
    expect(problems).toHaveLength(1);
    expect(done).toEqual(['two']);
    idle.add(() => done.push('three'));
    idle.stop();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(done).toEqual(['two']);
  });
});
