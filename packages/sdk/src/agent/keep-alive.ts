/**
 * Keeps the process alive while a program waits for the next event. A tool may wait for something that does not, and the
 * timer of `AbortSignal.timeout()` does not either: the process would end in the middle of the prompt, and without a word.
 */
export function whileAwaited<T, R>(events: AsyncGenerator<T, R, undefined>): AsyncGenerator<T, R, undefined> {
  const next = events.next.bind(events);
  events.next = async () => {
    const timer = setInterval(() => undefined, LONG_MS);
    try {
      return await next();
    } finally {
      clearInterval(timer);
    }
  };
  return events;
}

const LONG_MS = 2 ** 30;
