/** Server-sent events: bytes in, `data` payloads out. Handles any split, also inside a character. */
import { StringDecoder } from 'node:string_decoder';
import { DeveloperError } from '../../base/errors.js';

/** No model sends a payload of this size; an endless one must not fill our memory. */
const PAYLOAD_LIMIT = 128 * 1024 * 1024;

/** The body is not a model's event stream. */
export class OversizedPayloadError extends DeveloperError {
  override readonly name = 'OversizedPayloadError';
  constructor(limit: number) {
    super(`the server sent a chunk longer than ${limit} characters`);
  }
}

export class SseParser {
  private readonly decoder = new StringDecoder('utf8');
  /** Pieces of the incomplete line; joined once, so that a long line stays linear. */
  private rest: string[] = [];
  private data: string[] = [];
  /** Characters held in `rest` and `data`. */
  private held = 0;

  constructor(private readonly limit = PAYLOAD_LIMIT) {}

  /** A payload has begun and is incomplete: a long one may take minutes on a slow connection. */
  get isInPayload(): boolean {
    return this.rest[0]?.startsWith('data:') ?? false;
  }

  /** The payloads completed by this piece of the body. */
  feed(piece: Buffer): string[] {
    const text = this.decoder.write(piece);
    const events: string[] = [];
    let start = 0;
    for (;;) {
      const end = text.indexOf('\n', start);
      if (end < 0) break;
      this.line(this.complete(text.slice(start, end)), events);
      start = end + 1;
    }
    if (start < text.length) this.hold(this.rest, start === 0 ? text : text.slice(start));
    return events;
  }

  /** A payload that was not closed by a blank line before the body ended. */
  finish(): string[] {
    const events: string[] = [];
    const last = this.complete(this.decoder.end());
    if (last) this.line(last, events);
    this.line('', events);
    return events;
  }

  /** The line that ends with `end`, without its carriage return. */
  private complete(end: string): string {
    let line = end;
    if (this.rest.length > 0) {
      line = this.rest.join('') + end;
      this.held -= line.length - end.length;
      this.rest = [];
    }
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }

  private line(line: string, events: string[]): void {
    if (line === '') {
      if (this.data.length === 0) return;
      events.push(this.data.length === 1 ? (this.data[0] as string) : this.data.join('\n'));
      for (const item of this.data) this.held -= item.length;
      this.data = [];
    } else if (line.startsWith('data:')) {
      this.hold(this.data, line.charCodeAt(5) === 32 ? line.slice(6) : line.slice(5));
    }
  }

  private hold(list: string[], text: string): void {
    list.push(text);
    this.held += text.length;
    if (this.held <= this.limit) return;
    throw new OversizedPayloadError(this.limit);
  }
}
