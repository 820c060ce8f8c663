/**
 * A stream of server-sent events with fewer context updates: of several that arrive together only the last counts, since
 * each has the whole context. While they come fast the stream is read in steps, so that a hundred of them cost one read.
 */
import type { HttpResponse } from '../../platform/net/http.js';

/** Contexts are passed on this often at most; the first one at once. */
const STEP_MS = 30;
/** Larger than any file that a diff can show. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

const UPDATE = Buffer.from('"method":"ide/contextUpdate"');
const BREAK = Buffer.from('\n\n');
const OTHER_BREAK = Buffer.from('\r\n\r\n');

export interface MergeOptions {
  /** The stream is over: it ended, failed, or was too large. */
  onEnd: (error?: Error) => void;
  tooLarge: () => Error;
  wait?: (ms: number) => Promise<void>;
}

export function mergeUpdates(
  response: Pick<HttpResponse, 'body' | 'dispose'>,
  { onEnd, tooLarge, wait = pause }: MergeOptions,
): ReadableStream<Uint8Array> {
  const events = new EventSplitter();
  const pieces = response.body[Symbol.asyncIterator]();
  let lastUpdate = Number.NEGATIVE_INFINITY;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        for (let isPassedOn = false; !isPassedOn; ) {
          const { done, value } = await pieces.next();
          if (done) {
            onEnd();
            return controller.close();
          }
          let passed = events.push(value);
          if (events.size > MAX_MESSAGE_BYTES) throw tooLarge();
          if (passed.some(isUpdate)) {
            const early = lastUpdate + STEP_MS - performance.now();
            if (early > 0) {
              // What arrives meanwhile waits in the connection, and is read at once.
              const others = passed.filter((event) => !isUpdate(event));
              if (others.length > 0) controller.enqueue(joined(others));
              const held = passed.findLast(isUpdate);
              await wait(early);
              passed = held ? [held] : [];
            }
            lastUpdate = performance.now();
            passed = withLastUpdate(passed);
          }
          if (passed.length === 0) continue;
          controller.enqueue(joined(passed));
          isPassedOn = true;
        }
      } catch (error) {
        response.dispose();
        onEnd(error instanceof Error ? error : undefined);
        controller.error(error);
      }
    },
    cancel: () => response.dispose(),
  });
}

function isUpdate(event: Buffer): boolean {
  return event.includes(UPDATE);
}

function withLastUpdate(events: readonly Buffer[]): Buffer[] {
  const last = events.findLastIndex(isUpdate);
  return events.filter((event, index) => index === last || !isUpdate(event));
}

function joined(events: readonly Buffer[]): Uint8Array {
  return Buffer.concat(events);
}

/** Cuts a stream into whole events, each with the empty line that ends it. */
export class EventSplitter {
  private rest: Buffer[] = [];
  /** The end of `rest`: an empty line may be cut in two. */
  private tail: Buffer = Buffer.alloc(0);
  /** Bytes of the event that is not complete yet. */
  size = 0;

  push(piece: Buffer): Buffer[] {
    const { tail } = this;
    const seen = tail.length > 0 ? Buffer.concat([tail, piece]) : piece;
    const end = lastBreak(seen);
    if (end < 0) {
      this.keep(piece, seen);
      return [];
    }
    const cut = end - tail.length;
    const events = this.take(Buffer.concat([...this.rest, piece.subarray(0, cut)]));
    const open = piece.subarray(cut);
    if (open.length > 0) this.keep(open, open);
    return events;
  }

  private keep(piece: Buffer, seen: Buffer): void {
    this.rest.push(piece);
    this.size += piece.length;
    this.tail = seen.subarray(-(OTHER_BREAK.length - 1));
  }

  private take(whole: Buffer): Buffer[] {
    this.rest = [];
    this.tail = Buffer.alloc(0);
    this.size = 0;
    const events: Buffer[] = [];
    for (let start = 0; start < whole.length; ) {
      const end = firstBreak(whole, start);
      events.push(whole.subarray(start, end));
      start = end;
    }
    return events;
  }
}

function lastBreak(buffer: Buffer): number {
  const [one, other] = [buffer.lastIndexOf(BREAK), buffer.lastIndexOf(OTHER_BREAK)];
  return Math.max(one < 0 ? -1 : one + BREAK.length, other < 0 ? -1 : other + OTHER_BREAK.length);
}

function firstBreak(buffer: Buffer, from: number): number {
  const [one, other] = [buffer.indexOf(BREAK, from), buffer.indexOf(OTHER_BREAK, from)];
  const ends = [
    one < 0 ? buffer.length : one + BREAK.length,
    other < 0 ? buffer.length : other + OTHER_BREAK.length,
  ];
  return Math.min(...ends);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
