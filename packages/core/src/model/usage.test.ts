import { expect, it } from 'vitest';
import { toUsage } from './usage.js';

it("uses the server's counts, and computes missing ones", () => {
  const raw = {
    promptTokenCount: 10,
    candidatesTokenCount: 5,
    thoughtsTokenCount: 2,
    cachedContentTokenCount: 4,
  };
  const usage = { prompt: 10, candidates: 5, thoughts: 2, tool: 0, cached: 4 };
  expect(toUsage(raw)).toEqual({ ...usage, total: 17 });
  expect(toUsage({ ...raw, totalTokenCount: 20 })).toEqual({ ...usage, total: 20 });
});

it.each([-1, -1e9, 1e308, Number.NaN, Number.POSITIVE_INFINITY])('does not count %s', (bad) => {
  const raw = { promptTokenCount: bad, candidatesTokenCount: 5, totalTokenCount: bad };
  expect(toUsage(raw)).toMatchObject({ prompt: 0, candidates: 5, total: 5 });
});
