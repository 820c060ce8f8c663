import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { lineStream } from './lines.js';

async function read(text: string[], received?: string): Promise<{ messages: unknown[]; written: string }> {
  const input = new PassThrough();
  const output = new PassThrough();
  const stream = lineStream({ input, output, ...(received && { received: Buffer.from(received) }) });
  for (const piece of text) input.write(piece);
  input.end();
  const messages: unknown[] = [];
  for await (const message of stream.readable) messages.push(message);
  return { messages, written: String(output.read() ?? '') };
}

describe('lineStream', () => {
  it('puts messages together from pieces, those received before first', async () => {
    const { messages } = await read(['{"a":', '2}\n{"a":3}', '\n\n'], '{"a":1}\n');
    expect(messages).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }]);
  });

  it('keeps characters that are cut in two', async () => {
    const bytes = Buffer.from('{"a":"ä"}\n');
    const input = new PassThrough();
    const stream = lineStream({ input, output: new PassThrough() });
    input.write(bytes.subarray(0, 7));
    input.end(bytes.subarray(7));
    const messages: unknown[] = [];
    for await (const message of stream.readable) messages.push(message);
    expect(messages).toEqual([{ a: 'ä' }]);
  });

  it('answers what is not JSON, and continues', async () => {
    const { messages, written } = await read(['nonsense\n{"a":1}\n']);
    expect(messages).toEqual([{ a: 1 }]);
    expect(JSON.parse(written)).toMatchObject({ id: null, error: { code: -32700 } });
  });

  it('drops half a message at the end', async () => {
    expect(await read(['{"a":1}\n{"b":'])).toEqual({ messages: [{ a: 1 }], written: '' });
  });

  it('does not send the answer that was given already', async () => {
    const output = new PassThrough();
    const { writable } = lineStream({ input: new PassThrough(), output, answeredId: 7 });
    const writer = writable.getWriter();
    await writer.write({ jsonrpc: '2.0', id: 7, result: {} });
    await writer.write({ jsonrpc: '2.0', id: 8, result: {} });
    expect(String(output.read())).toBe('{"jsonrpc":"2.0","id":8,"result":{}}\n');
  });
});
