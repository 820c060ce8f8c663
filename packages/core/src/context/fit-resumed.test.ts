import { describe, expect, it } from 'vitest';
import { firstThatFits } from './fit-resumed.js';
import { call, chatter, prompt, result, said, words } from './manager.test-helper.js';
import { TokenEstimator } from './size/token-estimate.js';

const estimator = new TokenEstimator();
const fit = (messages: Parameters<typeof firstThatFits>[0], limit: number, protectedTokens = 1_000) =>
  firstThatFits(messages, { estimator, limit, masking: { protectionThresholdTokens: protectedTokens } });

describe('the resumed part of a recorded conversation', () => {
  it('is the whole conversation if it fits', () => {
    expect(fit(chatter(10), 1_000_000)).toBe(0);
    expect(fit([], 10)).toBe(0);
  });

  it('is the newest part, beginning with a prompt, with room to spare', () => {
    const messages = chatter(50);
    const limit = estimator.messages(messages) / 2;
    const first = fit(messages, limit);
    expect(messages[first]?.origin).toBe('prompt');
    const kept = estimator.messages(messages.slice(first));
    expect(kept).toBeLessThanOrEqual(0.85 * limit);
    expect(kept).toBeGreaterThan(0.85 * limit - 2 * estimator.messages(messages.slice(0, 2)));
  });

  it('is not smaller because of old outputs that will be moved to files', () => {
    const turns = Array.from({ length: 20 }, (_, n) => [
      prompt(`q${n}`),
      call(`c${n}`),
      result(`c${n}`, words(5_000)),
      said('ok'),
    ]).flat();
    const limit = estimator.messages(turns) / 3;
    expect(fit(turns, limit, limit / 4)).toBe(0);
    expect(fit(turns, limit, 10 * limit)).toBeGreaterThan(0);
  });

  it('is at least the last turn, however long', () => {
    const messages = [...chatter(5), prompt('last'), said(words(50_000))];
    expect(fit(messages, 1_000)).toBe(10);
  });
});
