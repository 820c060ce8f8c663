import { describe, expect, it } from 'vitest';
import {
  announcedAs,
  apiError,
  chunks,
  cut,
  errorInside,
  finish,
  pieces,
  raw,
  testRig,
  text,
  wrongContentType,
} from '../test-utils.js';

const quota = (quotaId: string) => [
  { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId }] },
];

describe('A temporary error', () => {
  it.each([
    ['429 with RetryInfo', apiError(429, 'slow down', { retryDelay: '0.05s' })],
    ['429 with RetryInfo in milliseconds', apiError(429, 'slow down', { retryDelay: '50ms' })],
    ['429 with Retry-After', apiError(429, 'slow down', { retryAfter: '0' })],
    ['429 with a hint in the text', apiError(429, 'Please retry in 40ms.')],
    ['503 with Retry-After', apiError(503, 'overloaded', { retryAfter: '0' })],
    ['200 with a 503 inside', errorInside(503, 'overloaded', { retryDelay: '0.05s' })],
  ])('(%s) is retried and reported only on stderr', async (_what, failure) => {
    const rig = await testRig();
    rig.model.replies([failure], [text('recovered')]);
    const run = await rig.cli('-p', 'x');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stdout).toBe('recovered\n');
    expect(run.stderr).toMatch(/attempt 1\/\d+.*retrying in/i);
    expect(rig.model.requests.map(({ body }) => body.contents)).toEqual([
      rig.model.requests[0]?.body.contents,
      rig.model.requests[0]?.body.contents,
    ]);
  });

  it('with 500 and without a hint is retried after about five seconds', async () => {
    const rig = await testRig();
    rig.model.replies([apiError(500, 'internal')], [text('recovered')]);
    const run = await rig.cli('-p', 'x');
    expect(run.stdout).toBe('recovered\n');
    const [first, second] = rig.model.requests;
    const waited = (second?.at ?? 0) - (first?.at ?? 0);
    expect(waited).toBeGreaterThan(3400);
    expect(waited).toBeLessThan(7500);
  });

  it('can be cancelled while it waits', async () => {
    const rig = await testRig();
    rig.model.replies([apiError(429, 'slow down', { retryDelay: '200s' })]);
    const run = rig.spawn('-p', 'x');
    await run.waitForStderr(/retrying in/i);
    run.kill('SIGINT');
    expect((await run.done).exitCode).toBe(130);
  });
});

describe('A permanent error', () => {
  it('ends after general.maxAttempts with the last message of the server', async () => {
    const rig = await testRig({ settings: { general: { maxAttempts: 3 } } });
    rig.model.otherwise(() => [apiError(429, 'Out of capacity today.', { retryDelay: '0.01s' })]);
    const run = await rig.cli('-p', 'x', '-m', 'gemini-2.5-flash', '-o', 'json');
    expect(run.exitCode).toBe(1);
    expect(rig.model.requests).toHaveLength(3);
    expect(run.json().error).toMatchObject({
      message: expect.stringContaining('Out of capacity today.'),
      code: 429,
    });
  });

  it.each([
    ['400', apiError(400, 'the reason')],
    ['403', apiError(403, 'the reason')],
    ['404', apiError(404, 'the reason')],
    ['200 with a 400 inside', errorInside(400, 'the reason')],
    ['a daily quota', apiError(429, 'the reason', { details: quota('RequestsPerDay'), retryDelay: '0.01s' })],
    ['a limit of zero', apiError(429, 'the reason, limit: 0', { retryDelay: '0.01s' })],
    ['a delay over five minutes', apiError(429, 'the reason', { retryDelay: '301s' })],
  ])('(%s) ends at once with the message', async (_what, failure) => {
    const rig = await testRig();
    rig.model.replies([failure]);
    const run = await rig.cli('-p', 'x', '-m', 'gemini-2.5-flash', '-o', 'json');
    expect(run.exitCode).toBe(1);
    expect(rig.model.requests).toHaveLength(1);
    expect(run.json().error?.message).toContain('the reason');
  });

  it('is shown unwrapped when its message is JSON itself, or an array', async () => {
    const rig = await testRig();
    const nested = JSON.stringify({ error: { message: JSON.stringify({ error: { message: 'the core' } }) } });
    rig.model.replies([apiError(400, nested)]);
    const run = await rig.cli('-p', 'x');
    expect(run.stderr).toContain('the core');
    expect(run.stderr).not.toContain('{');
  });

  it('of a missing server is reported', async () => {
    const rig = await testRig({ settings: { general: { maxAttempts: 1 } } });
    const run = await rig.cli('-p', 'x', '-o', 'json', {
      env: { GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9' },
    });
    expect(run.exitCode).toBe(1);
    expect(run.json().error?.message).toMatch(/127\.0\.0\.1:9|refuse/);
  });
});

describe('A broken stream', () => {
  it('is requested again, and its text is printed once', async () => {
    const rig = await testRig();
    rig.model.replies([text('One, '), text('two, '), cut()], [chunks(['One, two', ', three'])]);
    const run = await rig.cli('-p', 'x');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stdout).toBe('One, two, three\n');
    expect(rig.model.requests).toHaveLength(2);
  });

  it('gives only the complete answer in json', async () => {
    const rig = await testRig();
    rig.model.replies([text('Something else'), text(' entirely'), cut()], [text('The answer')]);
    expect((await rig.cli('-p', 'x', '-o', 'json')).json().response).toBe('The answer');
  });

  it('cut before the first byte is retried', async () => {
    const rig = await testRig();
    rig.model.replies([cut()], [text('ok')]);
    expect((await rig.cli('-p', 'x')).stdout).toBe('ok\n');
  });

  it('that is always cut ends with one clear message', async () => {
    const rig = await testRig({ settings: { general: { maxAttempts: 2 } } });
    rig.model.otherwise(() => [text('a'), text('b'), cut()]);
    const run = await rig.cli('-p', 'x', '-o', 'stream-json');
    expect(run.exitCode).toBe(1);
    expect(rig.model.requests.length).toBeGreaterThan(1);
    expect(rig.model.requests.length).toBeLessThanOrEqual(8);
    expect(run.events().at(-1)).toMatchObject({
      type: 'result',
      status: 'error',
      error: { message: expect.any(String) },
    });
  });

  it('with an event that is not JSON skips that event', async () => {
    const rig = await testRig();
    rig.model.replies([
      text('a'),
      raw('data: {"candidates": [{"cont\r\n\r\n'),
      raw(': comment\r\nevent: ping\r\n\r\n'),
      text('b'),
    ]);
    expect((await rig.cli('-p', 'x')).stdout).toBe('ab\n');
  });

  it.each([1, 7])('in pieces of %i byte(s) still gives whole characters', async (size) => {
    const rig = await testRig();
    rig.model.replies([pieces(size, text('naïve — 日本語'), text(' 😀'))]);
    expect((await rig.cli('-p', 'x')).stdout).toBe('naïve — 日本語 😀\n');
  });

  it('with bytes that are not UTF-8 does no harm', async () => {
    const rig = await testRig();
    rig.model.replies([
      raw(Buffer.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0x20, 0xff, 0xfe, 0xc3, 0x0a, 0x0a])),
      text('fine'),
    ]);
    expect((await rig.cli('-p', 'x')).stdout).toBe('fine\n');
  });

  it('with another content type is refused, and the type is named', async () => {
    const rig = await testRig({ settings: { general: { maxAttempts: 1 } } });
    rig.model.otherwise(() => [announcedAs('application/octet-stream'), text('fine')]);
    const run = await rig.cli('-p', 'x', '-o', 'json');
    expect(run.exitCode).toBe(1);
    expect(run.json().error?.message).toContain('application/octet-stream');
  });

  it('that is a web page is an error that says so', async () => {
    const rig = await testRig({ settings: { general: { maxAttempts: 1 } } });
    rig.model.otherwise(() => [wrongContentType()]);
    const run = await rig.cli('-p', 'x', '-o', 'json');
    expect(run.exitCode).toBe(1);
    expect(run.stdout).not.toContain('<html>');
    expect(run.json().error?.message).toMatch(/text\/html/);
  });

  it('with a finish reason other than STOP is reported on stderr', async () => {
    const rig = await testRig();
    rig.model.replies([text('the beginning'), finish('MAX_TOKENS')]);
    const run = await rig.cli('-p', 'x');
    expect(run).toMatchObject({ exitCode: 0, stdout: 'the beginning\n' });
    expect(run.stderr.trim()).not.toBe('');
  });
});
