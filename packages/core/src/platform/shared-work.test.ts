import { expect, it } from 'vitest';
import { SharedWork } from './shared-work.js';

it('runs once for all who wait, and again after it has ended', async () => {
  const shared = new SharedWork<number>();
  let runs = 0;
  const work = async () => ++runs;
  const { signal } = new AbortController();
  expect(await Promise.all([shared.run(signal, work), shared.run(signal, work)])).toEqual([1, 1]);
  expect(await shared.run(signal, work)).toBe(2);
});

it('continues while one still waits, and is aborted with the last one', async () => {
  const shared = new SharedWork<number>();
  let inner: AbortSignal | undefined;
  const work = (signal: AbortSignal) => {
    inner = signal;
    return new Promise<never>(() => {});
  };
  const [one, two] = [new AbortController(), new AbortController()];
  const waiting = [shared.run(one.signal, work), shared.run(two.signal, work)];
  one.abort(new Error('one'));
  await expect(waiting[0]).rejects.toThrow('one');
  expect(inner?.aborted).toBe(false);
  two.abort(new Error('two'));
  await expect(waiting[1]).rejects.toThrow('two');
  expect(inner?.aborted).toBe(true);
  // Work that was given up does not hold the next caller.
  expect(await shared.run(new AbortController().signal, async () => 1)).toBe(1);
});
