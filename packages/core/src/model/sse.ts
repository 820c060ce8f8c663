/** Server-sent events: bytes in, `data` payloads out. Survives any cut, also inside a character. */
import { StringDecoder } from 'node:string_decoder';

export class SseParser {
  private readonly decoder = new StringDecoder('utf8');
  private rest = '';
  private data: string[] = [];

  /** The payloads completed by this piece of the body. */
  feed(piece: Buffer): string[] {
    const text = this.rest + this.decoder.write(piece);
    const events: string[] = [];
    let start = 0;
    for (;;) {
      const end = text.indexOf('\n', start);
      if (end < 0) break;
      const stop = end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
      this.line(text.slice(start, stop), events);
      start = end + 1;
    }
    this.rest = start === 0 ? text : text.slice(start);
    return events;
  }

  /** A payload that was not closed by a blank line before the body ended. */
  finish(): string[] {
    const events: string[] = [];
    const last = this.rest + this.decoder.end();
    if (last) this.line(last, events);
    this.line('', events);
    this.rest = '';
    return events;
  }

  private line(line: string, events: string[]): void {
    if (line === '') {
      if (this.data.length > 0)
        events.push(this.data.length === 1 ? (this.data[0] as string) : this.data.join('\n'));
      this.data = [];
    } else if (line.startsWith('data:')) {
      this.data.push(line.charCodeAt(5) === 32 ? line.slice(6) : line.slice(5));
    }
  }
}
