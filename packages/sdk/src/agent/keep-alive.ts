/** How a prompt is read: it keeps the process alive while the program waits for it, and a cancelled one ends unread. */

export interface ReadEvents<T, R> {
  stream: AsyncGenerator<T, R, undefined>;
  /** Goes on to the end for a program that may have stopped reading. What it has not read is kept for it. */
  readOn(): void;
}

/**
 * A tool may wait for something that does not keep the process alive, and the timer of `AbortSignal.timeout()` does not
 * either: the process would end in the middle of the prompt, and without a word.
 */
export function whileAwaited<T, R>(events: AsyncGenerator<T, R, undefined>): ReadEvents<T, R> {
  const original = events.next.bind(events);
  const next = async () => {
    const timer = setInterval(() => undefined, LONG_MS);
    try {
      return await original();
    } finally {
      clearInterval(timer);
    }
  };
  const kept: Promise<IteratorResult<T, R>>[] = [];
  events.next = () => kept.shift() ?? next();
  const readOn = async () => {
    let isOver: boolean | undefined = false;
    while (!isOver) {
      const item = next();
      kept.push(item);
      isOver = await item.then(
        ({ done }) => done,
        () => true,
      );
    }
  };
  return { stream: events, readOn: () => void readOn() };
}

const LONG_MS = 2 ** 30;
