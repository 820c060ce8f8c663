import { describe, expect, it } from 'vitest';
import type { GenerateResponse } from '../content-generator.js';
import { chunksOf, mergeChunks } from './merge-chunks.js';

const part = (fields: object, more: object = {}): GenerateResponse => ({
  candidates: [{ content: { role: 'model', parts: [fields] }, ...more }],
});

describe('mergeChunks', () => {
  it('joins neighbouring texts, keeps the last usage, and changes nothing else', () => {
    const call = part({ functionCall: { name: 'f', args: {} } });
    const merged = mergeChunks([
      part({ text: 'a' }),
      { ...part({ text: 'b' }), usageMetadata: { totalTokenCount: 1 } },
      { ...part({ text: 'c' }), usageMetadata: { totalTokenCount: 2 } },
      part({ text: 'hm', thought: true }),
      part({ text: 'hm', thought: true }),
      part({ text: 'd' }),
      part({ text: 'e', thoughtSignature: 's' }),
      call,
      part({ text: 'f' }),
      part({ text: 'g' }, { finishReason: 'STOP' }),
    ]);
    expect(merged).toEqual([
      { ...part({ text: 'abc' }), usageMetadata: { totalTokenCount: 2 } },
      part({ text: 'hm', thought: true }),
      part({ text: 'hm', thought: true }),
      part({ text: 'd' }),
      part({ text: 'e', thoughtSignature: 's' }),
      call,
      part({ text: 'f' }),
      part({ text: 'g' }, { finishReason: 'STOP' }),
    ]);
  });

  it('accepts chunks without parts, candidates or any content', () => {
    const odd = [{}, { candidates: [] }, { candidates: [{}] }, { candidates: [{ content: {} }] }];
    expect(mergeChunks(odd)).toEqual(odd);
  });
});

describe('chunksOf', () => {
  it('returns the chunks before a failure, and then the failure', () => {
    const seen: unknown[] = [];
    const read = (payload: string) => {
      if (payload === 'bad') throw new Error('inside');
      return [{ candidates: [{ content: { role: 'model' as const, parts: [{ text: payload }] } }] }];
    };
    const take = () => {
      for (const chunk of chunksOf(['a', 'b', 'bad', 'c'], read))
        seen.push(chunk.candidates?.[0]?.content?.parts);
    };
    expect(take).toThrow('inside');
    expect(seen).toEqual([[{ text: 'ab' }]]);
  });
});
