/** Runs work with a time limit. */
import { DeveloperError } from '../base/errors.js';

/** Has the name of the error of `AbortSignal.timeout`. */
export class TimeLimitError extends DeveloperError {
  override readonly name = 'TimeoutError';
  constructor(limitMs: number) {
    super(`no answer within ${limitMs} ms`);
  }
}

/**
 * Runs `work` with a signal that aborts with `signal` or after the time limit, and then throws a `TimeLimitError`.
 * Not `AbortSignal.any` with `AbortSignal.timeout`: Node 20 may collect the latter as garbage too early, and the
 * work hangs.
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
