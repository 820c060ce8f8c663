import { describe, expect, it } from 'vitest';
import type { CodeAssistApi } from './api.js';
import { retrieveUserQuota } from './quota.js';

const answering = (answer: unknown) => {
  const calls: unknown[] = [];
  const api = {
    call: async (method: string, body: unknown) => {
      calls.push([method, body]);
      return answer;
    },
  } as Pick<CodeAssistApi, 'call'> as CodeAssistApi;
  return { calls, ask: () => retrieveUserQuota(api, 'my-project', new AbortController().signal) };
};

describe('the quota of the user', () => {
  it('is reported by model', async () => {
    const bucket = { modelId: 'gemini-2.5-pro', remainingFraction: 0.25, resetTime: '2026-11-16T00:00:00Z' };
    const { ask, calls } = answering({ buckets: [bucket, { modelId: 'x', remainingFraction: 7 }] });
    expect(await ask()).toEqual([
      { model: 'gemini-2.5-pro', remainingFraction: 0.25, resetTime: '2026-11-16T00:00:00Z' },
      { model: 'x', remainingFraction: 1 },
    ]);
    expect(calls).toEqual([['retrieveUserQuota', { project: 'my-project' }]]);
  });

  it.each([[undefined], [{}], [{ buckets: 'x' }], [{ buckets: [null, 1, { modelId: 1 }] }]])(
    'is empty for %j',
    async (answer) => {
      expect(await answering(answer).ask()).toEqual([]);
    },
  );
});
