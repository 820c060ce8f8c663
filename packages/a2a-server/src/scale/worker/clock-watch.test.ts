import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchClock } from './clock-watch.js';

const HOUR = 3_600_000;
let jump = 0;
let steady = 0;
const clocks = { wall: () => 1_000_000 + steady + jump, steady: () => steady };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  jump = 0;
  steady = 0;
});

afterEach(() => {
  vi.useRealTimers();
});

function pass(ms: number): void {
  steady += ms;
  vi.advanceTimersByTime(ms);
}

it('tells of a clock that is set back, once', async () => {
  const onSetBack = vi.fn(async () => undefined);
  const stop = watchClock(onSetBack, clocks);
  pass(1000);
  expect(onSetBack).not.toHaveBeenCalled();
  jump = -HOUR;
  pass(2000);
  expect(onSetBack).toHaveBeenCalledTimes(1);
  stop();
});

it('says nothing of one that is set forward, and of steps that hardly matter', () => {
  const onSetBack = vi.fn(async () => undefined);
  const stop = watchClock(onSetBack, clocks);
  jump = HOUR;
  pass(1000);
  jump -= 500;
  pass(1000);
  expect(onSetBack).not.toHaveBeenCalled();
  stop();
});

it('tells of a jump during the work for an earlier one when that has ended', async () => {
  let end: () => void = () => undefined;
  const onSetBack = vi.fn(() => new Promise<void>((resolve) => (end = resolve)));
  const stop = watchClock(onSetBack, clocks);
  jump -= HOUR;
  pass(300);
  jump -= HOUR;
  pass(300);
  expect(onSetBack).toHaveBeenCalledTimes(1);
  end();
  await vi.waitFor(() => {
    pass(300);
    expect(onSetBack).toHaveBeenCalledTimes(2);
  });
  stop();
});
