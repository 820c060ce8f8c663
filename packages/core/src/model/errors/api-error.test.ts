import { describe, expect, it } from 'vitest';
import { ApiError, classifyFailure, failureText, toApiError } from './api-error.js';

const limit = (details: object[], message = 'slow down') =>
  toApiError(429, JSON.stringify({ error: { code: 429, message, status: 'RESOURCE_EXHAUSTED', details } }));

describe('toApiError', () => {
  it('unwraps JSON nested in the message', () => {
    const inner = JSON.stringify({
      error: { code: 429, message: 'the real reason', details: [{ reason: 'X' }] },
    });
    const error = toApiError(500, JSON.stringify([{ error: { code: 500, message: inner } }]));
    expect([error.status, error.message, error.details]).toEqual([429, 'the real reason', [{ reason: 'X' }]]);
  });

  it.each([
    [{ code: 14, status: 'UNAVAILABLE' }, 503],
    [{ code: 200, message: 'no' }, 500],
    [{ code: 429 }, 429],
    [{ status: 'toString' }, 500],
  ])('uses the status of %j, if it is valid', (error, status) => {
    expect(toApiError(500, JSON.stringify({ error })).status).toBe(status);
  });

  it('reads a body of nothing but opened tags, and a huge one, quickly', () => {
    const { message } = toApiError(502, '<'.repeat(256 * 1024));
    expect(message.length).toBeLessThan(320);
    expect(toApiError(502, '').message).toBe('the server gave no reason');
  });

  it('makes one line out of a page of HTML', () => {
    const error = toApiError(502, '<html><body>\n<h1>Bad   Gateway</h1></body></html>');
    expect(error.message).toBe('Bad Gateway');
  });

  it('keeps only details of the documented type', () => {
    const details = [null, 7, { reason: 3, retryDelay: { seconds: 5 }, violations: [null, { quotaId: 1 }] }];
    const body = JSON.stringify({ error: { code: 429, message: 'slow', details } });
    const error = toApiError(429, body);
    expect(error.details).toEqual([{ violations: [{}] }]);
    expect(classifyFailure(error)).toEqual({ kind: 'retryable' });
  });

  it('reads Retry-After as seconds and as a date', () => {
    expect(toApiError(503, '', '7').retryAfterMs).toBe(7000);
    const now = Date.parse('2026-01-01T00:00:00Z');
    expect(toApiError(503, '', 'Thu, 01 Jan 2026 00:00:09 GMT', now).retryAfterMs).toBe(9000);
  });
});

describe('classifyFailure', () => {
  it.each([
    ['404', new ApiError(404, 'no such model'), { kind: 'not_found' }],
    ['401', new ApiError(401, 'who are you'), { kind: 'auth' }],
    ['400', new ApiError(400, 'bad'), { kind: 'fatal' }],
    ['500', new ApiError(500, 'oops'), { kind: 'retryable' }],
    ['500 that asks for a day', new ApiError(500, 'oops', [], 86_400_000), { kind: 'terminal' }],
    ['503 with a header', new ApiError(503, 'busy', [], 0), { kind: 'retryable', delayMs: 0 }],
    ['RetryInfo in seconds', limit([{ retryDelay: '34.07s' }]), { kind: 'retryable', delayMs: 34070 }],
    ['RetryInfo in milliseconds', limit([{ retryDelay: '900ms' }]), { kind: 'retryable', delayMs: 900 }],
    ['too long a wait', limit([{ retryDelay: '301s' }]), { kind: 'terminal' }],
    [
      'daily quota',
      limit([{ violations: [{ quotaId: 'RequestsPerDay' }] }, { retryDelay: '1s' }]),
      { kind: 'terminal', limit: 'quota' },
    ],
    [
      'quota per minute',
      limit([{ violations: [{ quotaId: 'RequestsPerMinute' }] }]),
      { kind: 'retryable', delayMs: 60000 },
    ],
    ['limit of zero', limit([], 'quota exceeded, limit: 0'), { kind: 'terminal', limit: 'quota' }],
    [
      'credits used up',
      limit([{ reason: 'INSUFFICIENT_G1_CREDITS_BALANCE' }]),
      { kind: 'terminal', limit: 'quota' },
    ],
    [
      'no room on the server',
      limit([{ reason: 'MODEL_CAPACITY_EXHAUSTED' }, { retryDelay: '2s' }]),
      { kind: 'retryable', delayMs: 2000, limit: 'capacity' },
    ],
    [
      'no room for an hour',
      limit([{ reason: 'MODEL_CAPACITY_EXCEEDED' }], 'Please retry in 1h.'),
      { kind: 'retryable', limit: 'capacity' },
    ],
    [
      'no room, in words',
      limit([], 'No capacity available for model x'),
      { kind: 'retryable', limit: 'capacity' },
    ],
    ['a reset soon', limit([], 'Your quota will reset after 1m3s.'), { kind: 'retryable', delayMs: 63_000 }],
    ['a reset late', limit([], 'Your quota will reset after 5h12m3s.'), { kind: 'terminal' }],
    [
      'a reset in the metadata',
      limit([{ reason: 'RATE_LIMIT_EXCEEDED', metadata: { quotaResetDelay: '539.477ms' } }]),
      { kind: 'retryable', delayMs: 539.477 },
    ],
    [
      'a user Google wants to see',
      new ApiError(403, 'verify', [
        { reason: 'VALIDATION_REQUIRED', domain: 'cloudcode-pa.googleapis.com' },
        { links: [{ url: 'https://accounts.google.com/x' }] },
      ]),
      { kind: 'validation', link: 'https://accounts.google.com/x' },
    ],
    [
      'the same from a stranger',
      new ApiError(403, 'verify', [{ reason: 'VALIDATION_REQUIRED', domain: 'evilcloudcode-pa.com' }]),
      { kind: 'fatal' },
    ],
    ['wish in the text', limit([], 'Please retry in 2.5s.'), { kind: 'retryable', delayMs: 2500 }],
    [
      'cut connection',
      Object.assign(new Error('aborted'), { code: 'ECONNRESET' }),
      { kind: 'retryable', network: true },
    ],
    [
      'cause of a cause',
      new Error('x', {
        cause: new Error('y', { cause: Object.assign(new Error('z'), { code: 'ETIMEDOUT' }) }),
      }),
      { kind: 'retryable', network: true },
    ],
    ['a bug of ours', new TypeError('x is not a function'), { kind: 'fatal' }],
  ])('%s', (_name, error, expected) => {
    expect(classifyFailure(error)).toEqual(expected);
  });
});

describe('failureText', () => {
  it('says in words what happened to a connection', () => {
    const cut = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    expect(failureText(cut)).toBe('connection lost');
    expect(failureText(new ApiError(500, 'oops'))).toBe('oops');
  });
});
