import { expect, it, onTestFinished, vi } from 'vitest';
import { ListRefresh } from './list-refresh.js';

function refreshing(changes: boolean[]) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let fetches = 0;
  const refresh = new ListRefresh(async () => changes[fetches++] ?? false);
  return { refresh, fetches: () => fetches, after: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
}

it('fetches a changed list once', async () => {
  const { refresh, fetches, after } = refreshing([true]);
  refresh.notify();
  await after(2_000);
  expect(fetches()).toBe(1);
});

it('fetches an unchanged list once more after a pause', async () => {
  const { refresh, fetches, after } = refreshing([false, true]);
  refresh.notify();
  await after(499);
  expect(fetches()).toBe(1);
  await after(2_000);
  expect(fetches()).toBe(2);
});

it('makes one fetch of a burst, and one after it', async () => {
  const { refresh, fetches, after } = refreshing([true, true, true]);
  for (let count = 0; count < 1_000; count++) refresh.notify();
  await after(5_000);
  expect(fetches()).toBe(2);
});

it('stops when the connection ends', async () => {
  const { refresh, fetches, after } = refreshing([false]);
  refresh.notify();
  refresh.close();
  await after(5_000);
  refresh.notify();
  expect(fetches()).toBe(1);
});
