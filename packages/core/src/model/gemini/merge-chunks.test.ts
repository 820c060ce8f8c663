import { describe, expect, it } from 'vitest';
import type { GenerateResponse } from '../content-generator.js';
import { mergeChunks } from './merge-chunks.js';

const part = (fields: object, more: object = {}): GenerateResponse => ({
  candidates: [{ content: { role: 'model', parts: [fields] }, ...more }],
});

describe('mergeChunks', () => {
  it('joins neighbouring texts, keeps the last usage, and leaves all else alone', () => {
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

  it('takes chunks without parts, candidates or anything', () => {
    const odd = [{}, { candidates: [] }, { candidates: [{}] }, { candidates: [{ content: {} }] }];
    expect(mergeChunks(odd)).toEqual(odd);
  });
});
