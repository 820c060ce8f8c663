/** Waits for work that cannot be cancelled, no longer than the signal allows. @throws the reason of the abort */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    // Also heard when it fails after the abort: an unheard failure would end the process.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
