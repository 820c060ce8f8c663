/** Counts the bytes of the event that is arriving: a stream may go on for ever, one event of it may not. */

/** Lines end with LF, CRLF or CR; an empty one ends an event. */
const ENDS = ['\n\n', '\r\n\r\n', '\r\r'];
/** An end may begin in one chunk and end in the next. */
const LONGEST_END = 4;

export class EventSize {
  private size = 0;
  private last: Buffer = Buffer.alloc(0);

  /** @returns the bytes since the last end of an event */
  add(chunk: Buffer): number {
    const seen = this.last.length > 0 ? Buffer.concat([this.last, chunk]) : chunk;
    const ends = ENDS.map((mark) => ({ mark, at: seen.lastIndexOf(mark) })).filter(({ at }) => at >= 0);
    const end = Math.max(-1, ...ends.map(({ mark, at }) => at + mark.length));
    this.size = end >= 0 ? seen.length - end : this.size + chunk.length;
    this.last = Buffer.from(seen.subarray(1 - LONGEST_END));
    return this.size;
  }
}
