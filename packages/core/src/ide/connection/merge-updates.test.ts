import { describe, expect, it } from 'vitest';
import { EventSplitter, MAX_MESSAGE_BYTES, mergeUpdates } from './merge-updates.js';

describe('EventSplitter', () => {
  it.each([1, 2, 3, 7, 1000])('finds whole events in pieces of %i bytes', (size) => {
    const stream = Buffer.from('data: a\n\nid: 1\ndata: b\n\ndata: c\r\n\r\ndata: d\n\n');
    const splitter = new EventSplitter();
    const events: string[] = [];
    for (let at = 0; at < stream.length; at += size)
      events.push(...splitter.push(stream.subarray(at, at + size)).map(String));
    expect(events).toEqual(['data: a\n\n', 'id: 1\ndata: b\n\n', 'data: c\r\n\r\n', 'data: d\n\n']);
    expect(splitter.size).toBe(0);
  });
});

describe('mergeUpdates', () => {
  it('passes on the last of the updates that arrive together, and everything else', async () => {
    const { text } = await passed([update(1) + other('x') + update(2) + update(3)]);
    expect(text).toBe(other('x') + update(3));
  });

  it('passes on the first update at once, and one for each step while they come fast', async () => {
    const { text, waits } = await passed([update(1), update(2) + update(3), update(4)]);
    expect(text).toBe(update(1) + update(3) + update(4));
    expect(waits.every((ms) => ms > 0 && ms <= 30)).toBe(true);
  });

  it('does not take an answer that quotes an update for one', async () => {
    const quoted = other(JSON.stringify('"method":"ide/contextUpdate"'));
    const { text } = await passed([quoted + update(1) + quoted + update(2)]);
    expect(text).toBe(quoted + quoted + update(2));
  });

  it('says when the stream has ended', async () => {
    const { ends } = await passed([other('x')]);
    expect(ends).toEqual([undefined]);
  });

  it('ends a stream whose event does not end', async () => {
    const piece = Buffer.alloc(2 ** 20, 'x');
    const pieces = Array.from({ length: MAX_MESSAGE_BYTES / piece.length + 1 }, () => piece);
    const { ends, disposed } = await passed(pieces);
    expect([ends[0]?.message, disposed]).toEqual(['too large', 1]);
  });
});

function update(number: number): string {
  return `data: {"jsonrpc":"2.0","method":"ide/contextUpdate","params":{"n":${number}}}\n\n`;
}

function other(text: string): string {
  return `data: {"jsonrpc":"2.0","result":${JSON.stringify(text)},"id":1}\n\n`;
}

async function passed(pieces: readonly (string | Buffer)[]) {
  const ends: (Error | undefined)[] = [];
  const waits: number[] = [];
  let disposed = 0;
  async function* body() {
    for (const piece of pieces) yield Buffer.from(piece);
  }
  const stream = mergeUpdates(
    { body: body(), dispose: () => void disposed++ },
    {
      onEnd: (error) => void ends.push(error),
      tooLarge: () => new Error('too large'),
      wait: async (ms) => void waits.push(ms),
    },
  );
  let text = '';
  try {
    for await (const chunk of stream) text += Buffer.from(chunk).toString();
  } catch {
    // Its reason is in `ends`.
  }
  return { text, ends, waits, disposed };
}
