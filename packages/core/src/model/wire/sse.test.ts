import { describe, expect, it } from 'vitest';
import { SseParser } from './sse.js';

const STREAM = 'data: {"a":"ü€𝄞"}\r\n\r\n: comment\nevent: x\ndata: one\ndata: two\n\ndata:last';

describe('SseParser', () => {
  it('returns the same payloads however the bytes are cut', () => {
    const bytes = Buffer.from(STREAM);
    for (let cut = 1; cut < bytes.length; cut++) {
      const parser = new SseParser();
      const events = [
        ...parser.feed(bytes.subarray(0, cut)),
        ...parser.feed(bytes.subarray(cut)),
        ...parser.finish(),
      ];
      expect(events, `cut at ${cut}`).toEqual(['{"a":"ü€𝄞"}', 'one\ntwo', 'last']);
    }
  });

  it('returns nothing for a body of blank lines and comments', () => {
    const parser = new SseParser();
    expect(parser.feed(Buffer.from('\n\n: hello\n\n'))).toEqual([]);
    expect(parser.finish()).toEqual([]);
  });

  it('joins a line of 32 MB that comes in small pieces', () => {
    const parser = new SseParser();
    const piece = Buffer.from('x'.repeat(16 * 1024));
    parser.feed(Buffer.from('data: '));
    for (let count = 0; count < 2_000; count++) parser.feed(piece);
    const [payload] = parser.feed(Buffer.from('\n\n'));
    expect(payload?.length).toBe(2_000 * piece.length);
  });

  it('rejects an endless payload', () => {
    const parser = new SseParser(100);
    const endless = (text: string) => () => {
      for (let count = 0; count < 50; count++) parser.feed(Buffer.from(text));
    };
    expect(endless('data: x')).toThrow('longer than');
    expect(endless('data: x\n')).toThrow('longer than');
  });
});
