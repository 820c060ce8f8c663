import { expect, it } from 'vitest';
import { phrasesAt } from './phrases.js';

it('shows no phrases unless the setting asks for them', () => {
  expect(phrasesAt(undefined, 0, 0)).toEqual({});
  expect(phrasesAt({ loadingPhrases: 'off' }, 0, 0)).toEqual({});
});

it('tips change every ten seconds, jokes every five', () => {
  const tips = [0, 9_999, 10_000].map((ms) => phrasesAt({ loadingPhrases: 'tips' }, ms, 0));
  expect(tips[0]).toEqual(tips[1]);
  expect(tips[2]).not.toEqual(tips[1]);
  expect(tips[0]?.witty).toBeUndefined();
  const jokes = [0, 4_999, 5_000].map((ms) => phrasesAt({ loadingPhrases: 'witty' }, ms, 0).witty);
  expect(jokes[0]).toBe(jokes[1]);
  expect(jokes[2]).not.toBe(jokes[1]);
  expect(Object.keys(phrasesAt({ loadingPhrases: 'all' }, 0, 0)).sort()).toEqual(['tip', 'witty']);
});

it("the user's own phrases replace ours, cleaned", () => {
  const ui = { loadingPhrases: 'witty' as const, customWittyPhrases: ['one\x1b[31m', '', 'two'] };
  const seen = [0, 5_000, 10_000].map((ms) => phrasesAt(ui, ms, 0).witty);
  expect(seen[0]).not.toContain('\x1b');
  expect(seen[1]).toBe('two');
  expect(seen[2]).toBe(seen[0]);
});
