import { describe, expect, it } from 'vitest';
import { checkResponse } from './check-response.js';

describe('checkResponse', () => {
  it('does not change a valid response', () => {
    const sound = () => ({
      candidates: [
        {
          content: {
            role: 'model',
            parts: [{ text: 'a', thoughtSignature: 's' }, { functionCall: { name: 'x' } }],
          },
          finishReason: 'STOP',
          citationMetadata: { citations: [{ uri: 'u' }] },
        },
      ],
      usageMetadata: { totalTokenCount: 3, trafficType: 'ON_DEMAND' },
      modelVersion: 'm',
    });
    expect(checkResponse(sound())).toEqual(sound());
  });

  it.each([null, 5, 'text', [[]]])('rejects %j', (value) => {
    expect(checkResponse(value)).toBeUndefined();
  });

  it.each([
    [{ candidates: 5, usageMetadata: 'x', modelVersion: {}, promptFeedback: 7 }, {}],
    [{ candidates: [null] }, { candidates: [] }],
    [{ candidates: [{ content: null, finishReason: 5 }] }, { candidates: [{}] }],
    [{ candidates: [{ content: { parts: 'x' } }] }, { candidates: [{ content: {} }] }],
    [
      { candidates: [{ content: { parts: [null, 5, { text: 7 }, { functionCall: null }, {}] } }] },
      { candidates: [{ content: { parts: [] } }] },
    ],
    [
      { candidates: [{ content: { parts: [{ text: null, functionCall: { name: 'x', id: null } }] } }] },
      { candidates: [{ content: { parts: [{ functionCall: { name: 'x' } }] } }] },
    ],
    [
      { candidates: [{ citationMetadata: { citations: { a: 1 } } }] },
      { candidates: [{ citationMetadata: {} }] },
    ],
    [
      { usageMetadata: { totalTokenCount: '7', promptTokenCount: 1 } },
      { usageMetadata: { promptTokenCount: 1 } },
    ],
  ])('removes invalid values from %j', (value, expected) => {
    expect(checkResponse(value)).toEqual(expected);
  });
});
