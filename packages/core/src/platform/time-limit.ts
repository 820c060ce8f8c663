/** A limit in time for one piece of work. */
import { DeveloperError } from '../base/errors.js';

/** Named like what `AbortSignal.timeout` gives. */
export class TimeLimitError extends DeveloperError {
  override readonly name = 'TimeoutError';
  constructor(limitMs: number) {
    super(`no answer within ${limitMs} ms`);
  }
}

/**
 * Runs `work` with a signal that aborts with `signal`, or when the time is over; then it fails with a
 * `TimeLimitError`, whatever the work made of it. Not `AbortSignal.any` with `AbortSignal.timeout`: Node 20 may
 * collect the latter as garbage before its time, and the work hangs.
 */
export async function withTimeLimit<T>(
  limitMs: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  const over = new TimeLimitError(limitMs);
  const timer = setTimeout(() => controller.abort(over), limitMs);
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.reason === over ? over : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
