import { describe, expect, it } from 'vitest';
import { dataOf, EventSplitter, mergedEvents } from './merge-updates.js';

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

describe('mergedEvents', () => {
  it('passes on the last of the updates that arrive together, and everything else', async () => {
    const { text } = await passed([update(1) + other('x') + update(2) + update(3)]);
    expect(text).toBe(other('x') + update(3));
  });

  it('reads nothing for a moment after an update, so that the next ones arrive together', async () => {
    const { text, waits } = await passed([update(1), other('x'), update(2) + update(3)]);
    expect([text, waits]).toEqual([update(1) + other('x') + update(3), [40, 40]]);
  });

  it('reads less often while very many arrive', async () => {
    const { text, waits } = await passed([Array.from({ length: 50 }, (_, at) => update(at)).join('')]);
    expect([text, waits]).toEqual([update(49), [80]]);
  });

  it('does not take an answer that quotes an update for one', async () => {
    const quoted = other(JSON.stringify('"method":"ide/contextUpdate"'));
    const { text } = await passed([quoted + update(1) + quoted + update(2)]);
    expect(text).toBe(quoted + quoted + update(2));
  });

  it('stops where an event is too large', async () => {
    const check = (size: number) => {
      if (size >= 100) throw new Error('too large');
    };
    const events = mergedEvents(pieces([Buffer.alloc(100, 'x')]), check, async () => undefined);
    await expect(events.next()).rejects.toThrow('too large');
  });
});

it.each([
  ['data: a\n\n', 'a'],
  ['id: 1\ndata:{"a":1}\n\n', '{"a":1}'],
  ['data: a\r\ndata: b\r\n\r\n', 'a\nb'],
  [': ping\n\n', undefined],
  ['id: 1\ndata: \n\n', undefined],
])('the data of %j is %j', (event, data) => expect(dataOf(Buffer.from(event))).toBe(data));

function update(number: number): string {
  return `data: {"jsonrpc":"2.0","method":"ide/contextUpdate","params":{"n":${number}}}\n\n`;
}

function other(text: string): string {
  return `data: {"jsonrpc":"2.0","result":${JSON.stringify(text)},"id":1}\n\n`;
}

async function passed(parts: readonly string[]) {
  const waits: number[] = [];
  let text = '';
  const events = mergedEvents(
    pieces(parts),
    () => undefined,
    async (ms) => void waits.push(ms),
  );
  for await (const event of events) text += event.toString();
  return { text, waits };
}

async function* pieces(parts: readonly (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield Buffer.from(part);
}
