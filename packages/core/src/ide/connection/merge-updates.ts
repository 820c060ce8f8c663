/**
 * Server-sent events with fewer context updates: of several that arrive together only the last counts, since each has the
 * whole context. While they come fast the stream is read in steps, so that a hundred of them cost one read.
 */

/** So long nothing is read after an update: what arrives meanwhile waits in the connection, and is read at once. */
const STEP_MS = 40;
/** Real companions wait between two updates; one that does not costs less this way. */
const FLOOD_STEP_MS = 80;
const FLOOD = 4;

const UPDATE = Buffer.from('"method":"ide/contextUpdate"');
const BREAK = Buffer.from('\n\n');
const OTHER_BREAK = Buffer.from('\r\n\r\n');

/** Yields whole events, as they are on the wire. */
export async function* mergedEvents(
  body: AsyncIterable<Buffer>,
  check: (size: number) => void,
  rest: (ms: number) => Promise<void>,
): AsyncGenerator<Buffer> {
  const splitter = new EventSplitter();
  for await (const piece of body) {
    const events = splitter.push(piece);
    check(splitter.size);
    let update: Buffer | undefined;
    let updates = 0;
    for (const event of events) {
      if (isUpdate(event)) {
        update = event;
        updates++;
      } else yield event;
    }
    if (!update) continue;
    yield update;
    await rest(updates < FLOOD ? STEP_MS : FLOOD_STEP_MS);
  }
}

function isUpdate(event: Buffer): boolean {
  return event.includes(UPDATE);
}

/** The data of an event; undefined: it has none. */
export function dataOf(event: Buffer): string | undefined {
  const lines = event
    .toString('utf8')
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(line[5] === ' ' ? 6 : 5));
  const data = lines.join('\n');
  return data === '' ? undefined : data;
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
    // Each kind of line end is searched once: a stream has one of them, and the search for the other reads all of it.
    let [one, other] = [NOT_SEARCHED, NOT_SEARCHED];
    for (let start = 0; start < whole.length; ) {
      if (one <= start) one = endOf(BREAK, whole, start);
      if (other <= start) other = endOf(OTHER_BREAK, whole, start);
      const end = Math.min(one, other);
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

const NOT_SEARCHED = -1;

function endOf(mark: Buffer, buffer: Buffer, from: number): number {
  const at = buffer.indexOf(mark, from);
  return at < 0 ? Number.POSITIVE_INFINITY : at + mark.length;
}
