/** A connection without streams: messages are handed over as objects. */
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';

export interface InProcess {
  stream: Stream;
  /** A message for the agent. */
  send(message: AnyMessage): void;
  end(): void;
}

/** @param onMessage gets what the agent sends; it must not throw */
export function inProcess(onMessage: (message: AnyMessage) => void): InProcess {
  const queue: AnyMessage[] = [];
  let isOver = false;
  let wake: () => void = () => undefined;
  const readable = new ReadableStream<AnyMessage>(
    {
      // One message per turn of the event loop, as over a wire (lines.ts).
      async pull(controller) {
        await new Promise(setImmediate);
        while (queue.length === 0 && !isOver)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        const next = queue.shift();
        if (next === undefined) controller.close();
        else controller.enqueue(next);
      },
      cancel() {
        isOver = true;
      },
    },
    { highWaterMark: 0 },
  );
  return {
    stream: {
      readable,
      // Both sides would share the objects otherwise.
      writable: new WritableStream({ write: (message) => onMessage(structuredClone(message)) }),
    },
    send: (message) => {
      queue.push(structuredClone(message));
      wake();
    },
    end: () => {
      isOver = true;
      wake();
    },
  };
}
