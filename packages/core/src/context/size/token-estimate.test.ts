import { describe, expect, it } from 'vitest';
import type { Message, Part } from '../../protocol/messages.js';
import { estimateTextTokens } from './text-tokens.js';
import { estimatePart, TokenEstimator } from './token-estimate.js';
import { TOKEN_SAMPLES } from './token-samples.test-helper.js';

const user = (...parts: Part[]): Message => ({ role: 'user', origin: 'prompt', parts });

describe('estimateTextTokens', () => {
  it.each(TOKEN_SAMPLES)('is within 10 % of the real count: $name', ({ text, tokens }) => {
    expect(Math.abs(estimateTextTokens(text) / tokens - 1)).toBeLessThan(0.1);
  });

  it('is zero only for an empty text and accepts any character', () => {
    expect(estimateTextTokens('')).toBe(0);
    for (const text of ['\ud800', '😀👍🏽', '\0\x01', '한국어', 'مرحبا', '\ufffd', '\udfff\uffff']) {
      expect(estimateTextTokens(text)).toBeGreaterThan(0);
    }
  });

  it('estimates a very long text from samples about as the whole', () => {
    const piece = TOKEN_SAMPLES.map(({ text }) => text).join('\n');
    const copies = Math.ceil(300_000 / piece.length);
    const estimate = estimateTextTokens(`${piece}\n`.repeat(copies));
    expect(Math.abs(estimate / (estimateTextTokens(`${piece}\n`) * copies) - 1)).toBeLessThan(0.1);
  });
});

describe('estimatePart', () => {
  it('counts media at a fixed price', () => {
    expect(estimatePart({ inlineData: { mimeType: 'image/png', data: 'x'.repeat(9999) } })).toBe(3000);
    expect(estimatePart({ fileData: { mimeType: 'application/pdf', fileUri: 'gs://a' } })).toBe(25_800);
    expect(estimatePart({ inlineData: { mimeType: 'audio/wav', data: 'x'.repeat(40_000) } })).toBe(10_000);
  });

  it('counts calls and responses with their nested values, and thoughts as nothing', () => {
    const text = TOKEN_SAMPLES[0]?.text ?? '';
    const plain = estimateTextTokens(text);
    const response = { output: text, details: { nested: [text] } };
    const price = estimatePart({ functionResponse: { name: 'read_file', response } });
    expect(price).toBeGreaterThan(plain * 2);
    expect(price).toBeLessThan(plain * 2 + 20);
    expect(estimatePart({ text, thought: true })).toBe(0);
  });

  it('does not fail on values that contain themselves', () => {
    const args: Record<string, unknown> = {};
    args['self'] = { again: { deep: args } };
    expect(estimatePart({ functionCall: { name: 'f', args } })).toBeGreaterThan(0);
  });
});

describe('TokenEstimator', () => {
  it('estimates each message once', () => {
    let reads = 0;
    const message = user();
    Object.defineProperty(message, 'parts', {
      get: () => {
        reads++;
        return [{ text: 'hello' }];
      },
    });
    const estimator = new TokenEstimator();
    const once = estimator.messages([message]);
    expect(estimator.messages([message, message])).toBe(once * 2);
    expect(reads).toBe(1);
  });

  it('comes close to another tokenizer after a few answers, within bounds', () => {
    const estimator = new TokenEstimator();
    const message = user({ text: 'word '.repeat(1000) });
    const actual = estimator.message(message) * 1.4;
    for (let answer = 0; answer < 6; answer++) estimator.learn(estimator.message(message), actual);
    expect(Math.abs(estimator.message(message) / actual - 1)).toBeLessThan(0.02);
    for (let answer = 0; answer < 50; answer++) estimator.learn(1000, 1_000_000);
    expect(estimator.correction).toBeLessThanOrEqual(2);
    for (let answer = 0; answer < 50; answer++) estimator.learn(1_000_000, 1);
    expect(estimator.correction).toBeGreaterThanOrEqual(0.5);
  });

  it('learns nothing from tiny or senseless numbers', () => {
    const estimator = new TokenEstimator();
    for (const [estimated, actual] of [
      [10, 20],
      [1000, 0],
      [1000, Number.NaN],
      [Number.NaN, 5],
      [1000, Number.POSITIVE_INFINITY],
    ] as const) {
      estimator.learn(estimated, actual);
    }
    expect(estimator.correction).toBe(1);
  });
});
