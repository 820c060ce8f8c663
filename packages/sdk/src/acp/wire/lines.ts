/**
 * The messages of a connection over byte streams, as the library of the protocol wants them. One message is handed over
 * per turn of the event loop: the library looks for a message's handler in steps, and a later message could overtake.
 */
import type { Readable, Writable } from 'node:stream';
import { type AnyMessage, RequestError, type Stream } from '@agentclientprotocol/sdk';
import { tolerated } from './tolerance.js';

/** A longer line ends the connection: no client sends one, and it would fill the memory. */
const MAX_LINE_BYTES = 128 * 1024 * 1024;
const NEWLINE = 10;

export interface LineIo {
  input: Readable;
  output: Writable;
  /** Read from the input before, by a program that answers the first message early. */
  received?: Buffer;
  /** The id of the request among them that is answered already. */
  answeredId?: string | number;
}

export function lineStream({ input, output, received, answeredId }: LineIo): Stream {
  // A client that is gone is noticed by the end of the input.
  output.on('error', () => undefined);
  const messages = readMessages(input, received, (answer) => void writeLine(output, answer));
  let answered = answeredId;
  return {
    readable: new ReadableStream<AnyMessage>(
      {
        async pull(controller) {
          await new Promise(setImmediate);
          const next = await messages.next();
          if (next.done) controller.close();
          else controller.enqueue(next.value);
        },
        async cancel() {
          input.destroy();
          await messages.return(undefined);
        },
      },
      { highWaterMark: 0 },
    ),
    writable: new WritableStream<AnyMessage>({
      write(message) {
        if (answered === undefined || !('id' in message) || message.id !== answered)
          return writeLine(output, message);
        answered = undefined;
        return undefined;
      },
    }),
  };
}

async function* readMessages(
  input: Readable,
  received: Buffer | undefined,
  answer: (message: AnyMessage) => void,
): AsyncGenerator<AnyMessage, undefined> {
  let pieces: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunksOf(input, received)) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const line = Buffer.concat([...pieces, chunk.subarray(start, end)]).toString('utf8');
      pieces = [];
      size = 0;
      start = end + 1;
      if (line.trim() === '') continue;
      const message = parsed(line);
      if (message === undefined) answer(PARSE_ERROR);
      else yield message;
    }
    pieces.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > MAX_LINE_BYTES) throw new RangeError(`A message is longer than ${MAX_LINE_BYTES} bytes.`);
  }
  const message = parsed(Buffer.concat(pieces).toString('utf8'));
  // Half a message at the end: the client is gone, and no program reads an answer.
  if (message !== undefined) yield message;
  return undefined;
}

async function* chunksOf(input: Readable, received: Buffer | undefined): AsyncGenerator<Buffer> {
  if (received && received.length > 0) yield received;
  for await (const chunk of input) yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
}

const { code, message } = RequestError.parseError();
const PARSE_ERROR: AnyMessage = { jsonrpc: '2.0', id: null, error: { code, message } };

/** Whether it is a message is checked by the library. */
function parsed(line: string): AnyMessage | undefined {
  try {
    return tolerated(JSON.parse(line)) as AnyMessage;
  } catch {
    return undefined;
  }
}

function writeLine(output: Writable, message: AnyMessage): Promise<void> | undefined {
  if (output.destroyed || output.writableEnded) return undefined;
  if (output.write(`${JSON.stringify(message)}\n`)) return undefined;
  return new Promise((resolve) => {
    const done = () => {
      output.off('drain', done);
      output.off('close', done);
      resolve();
    };
    output.once('drain', done);
    output.once('close', done);
  });
}
