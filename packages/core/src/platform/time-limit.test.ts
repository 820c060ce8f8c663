import { describe, expect, it } from 'vitest';
import { TimeLimitError, withTimeLimit } from './time-limit.js';

/** Ends only when its signal aborts, with its own error. */
const endless = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const stop = () => reject(new Error('the work was stopped'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
  });

describe('withTimeLimit', () => {
  it('returns the result of the work', async () => {
    expect(await withTimeLimit(60_000, undefined, async () => 'done')).toBe('done');
    await expect(withTimeLimit(60_000, undefined, () => Promise.reject(new Error('no')))).rejects.toThrow(
      'no',
    );
  });

  it('stops the work when the time is over, and says so', async () => {
    const error = await withTimeLimit(5, undefined, endless).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TimeLimitError);
    expect(error).toMatchObject({ name: 'TimeoutError', message: 'no answer within 5 ms' });
  });

  it('stops the work with the signal, even one that was aborted before', async () => {
    const controller = new AbortController();
    const work = withTimeLimit(60_000, controller.signal, endless);
    controller.abort();
    await expect(work).rejects.toThrow('the work was stopped');
    await expect(withTimeLimit(60_000, controller.signal, endless)).rejects.toThrow('the work was stopped');
  });
});
