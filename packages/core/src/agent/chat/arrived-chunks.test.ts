/** Chunks for a slow reader: what has arrived meanwhile comes as one. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { GenerateResponse } from '../../model/content-generator.js';
import type { Part } from '../../protocol/messages.js';
import { arrivedTogether, joinChunks } from './arrived-chunks.js';

const chunk = (...parts: Part[]): GenerateResponse => ({
  candidates: [{ content: { role: 'model', parts } }],
});
const textOf = (response: GenerateResponse) => response.candidates?.[0]?.content?.parts?.[0]?.text;

/** Chunks that the test lets arrive. */
class Wire {
  private readonly arrived: (GenerateResponse | Error | 'end')[] = [];
  private wake: () => void = () => undefined;
  taken = 0;
  isClosed = false;

  push(...items: (GenerateResponse | Error | 'end')[]): void {
    this.arrived.push(...items);
    this.wake();
  }

  async *read(): AsyncGenerator<GenerateResponse> {
    try {
      for (;;) {
        const item = this.arrived.shift();
        if (item === undefined) {
          await new Promise<void>((resolve) => {
            this.wake = resolve;
          });
          continue;
        }
        if (item === 'end') return;
        if (item instanceof Error) throw item;
        this.taken++;
        yield item;
      }
    } finally {
      this.isClosed = true;
    }
  }
}

describe('arrivedTogether', () => {
  it('joins what arrived while the reader worked, and does not wait for more', async () => {
    const wire = new Wire();
    const stream = arrivedTogether(wire.read());
    wire.push(chunk({ text: 'a' }));
    expect(textOf((await stream.next()).value)).toBe('a');
    wire.push(chunk({ text: 'b' }), chunk({ text: 'c' }), chunk({ text: 'd' }));
    expect(textOf((await stream.next()).value)).toBe('bcd');
    wire.push(chunk({ text: 'e' }), 'end');
    expect(textOf((await stream.next()).value)).toBe('e');
    expect((await stream.next()).done).toBe(true);
  });

  it('takes nothing from the stream while the reader works, but one chunk', async () => {
    const wire = new Wire();
    const stream = arrivedTogether(wire.read());
    wire.push(chunk({ text: 'a' }));
    await stream.next();
    wire.push(...Array.from({ length: 50 }, () => chunk({ text: 'x' })));
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    expect(wire.taken).toBeLessThanOrEqual(2);
  });

  it('hands over what came before a failure', async () => {
    const wire = new Wire();
    const stream = arrivedTogether(wire.read());
    wire.push(chunk({ text: 'a' }), chunk({ text: 'b' }), new Error('broken'));
    expect(textOf((await stream.next()).value)).toBe('ab');
    await expect(stream.next()).rejects.toThrow('broken');
  });

  it('closes the stream when the reader leaves', async () => {
    const wire = new Wire();
    const stream = arrivedTogether(wire.read());
    wire.push(chunk({ text: 'a' }));
    await stream.next();
    await stream.return(undefined);
    wire.push('end');
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    expect(wire.isClosed).toBe(true);
  });
});

describe('joinChunks', () => {
  it('joins texts, keeps calls, thoughts and signatures in order, and takes the last end and counts', () => {
    const call = { functionCall: { name: 'work', args: {} } };
    const thought = { text: 'hm', thought: true };
    const signed = { text: '', thoughtSignature: 's' };
    const last = {
      ...chunk({ text: 'c' }),
      usageMetadata: { totalTokenCount: 9 },
      modelVersion: 'm',
    };
    const end = { candidates: [{ finishReason: 'STOP' }] };
    const joined = joinChunks([
      { ...chunk(thought, { text: 'a' }), usageMetadata: { totalTokenCount: 1 } },
      chunk({ text: 'b' }, call),
      chunk(signed),
      last,
      end,
    ]);
    expect(joined).toEqual({
      candidates: [
        {
          content: { role: 'model', parts: [thought, { text: 'ab' }, call, signed, { text: 'c' }] },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: { totalTokenCount: 9 },
      modelVersion: 'm',
    });
  });

  it('is the chunk itself where there is one', () => {
    const only = chunk({ text: 'a' });
    expect(joinChunks([only])).toBe(only);
  });
});
