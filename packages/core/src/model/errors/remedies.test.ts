import { describe, expect, it } from 'vitest';
import { ApiError } from './api-error.js';
import { commandLineAdvice, remedyAfter, remedyForRefusal } from './remedies.js';

const NOW = new Date(2026, 0, 2, 10).getTime();

describe('the advice of the command line', () => {
  it.each([
    ['a limit', new ApiError(429, 'slow down'), 'Try again later, or choose another model with --model.'],
    ['trouble there', new ApiError(503, 'no'), 'Try again later, or choose another model with --model.'],
    [
      'a quota that is used up',
      new ApiError(429, 'x', [{ violations: [{ quotaId: 'PerDay' }] }, { retryDelay: '3600s' }]),
      'Quota used up until 11:00; choose another model with --model.',
    ],
    [
      'a long wait',
      new ApiError(429, 'x', [{ retryDelay: '5h' }]),
      'Quota used up until 15:00; choose another model with --model.',
    ],
    [
      'an outage with a known end',
      new ApiError(500, 'x', [{ retryDelay: '5h' }]),
      'Try again after 15:00, or choose another model with --model.',
    ],
    ['an account without credit, which has advice of its own', new ApiError(429, 'x', [], 0, true), ''],
    ['a bad request', new ApiError(400, 'x'), ''],
    ['a bug', new Error('x'), ''],
  ])('gives advice after %s', (_what, error, advice) => {
    const remedy = remedyAfter(error, NOW);
    expect(remedy ? commandLineAdvice(remedy, NOW) : '').toBe(advice);
  });
});

describe('remedyForRefusal', () => {
  it('does not show an endless address', () => {
    const text = remedyForRefusal(302, `https://x.example/${'a'.repeat(5_000)}`);
    expect(text).toMatch(/points to https:\/\/x\.example.*Check the base URL\.$/);
    expect(text.length).toBeLessThan(400);
  });
});
