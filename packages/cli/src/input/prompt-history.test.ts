import { expect, it } from 'vitest';
import { PromptHistory } from './prompt-history.js';

it('PromptHistory lists earlier sessions first, each prompt once, the newest last', async () => {
  const written: string[] = [];
  const history = new PromptHistory({
    read: async () => ['a', 'b', 'a', 'c'],
    append: (prompt) => void written.push(prompt),
  });
  history.add('b');
  await history.load();
  history.add('d');
  history.add('  ');
  history.add('a');
  expect(history.list()).toEqual(['c', 'b', 'd', 'a']);
  expect(written).toEqual(['b', 'd', 'a']);
});

it('PromptHistory works without a log, and with one that fails', async () => {
  const history = new PromptHistory({
    read: () => Promise.reject(new Error('unreadable')),
    append: () => Promise.reject(new Error('full')),
  });
  await history.load();
  history.add('x');
  expect(history.list()).toEqual(['x']);
  expect(new PromptHistory().list()).toEqual([]);
});

it('PromptHistory keeps a thousand prompts', () => {
  const history = new PromptHistory();
  for (let index = 0; index < 1_005; index++) history.add(`prompt ${index}`);
  expect(history.list()).toHaveLength(1_000);
  expect(history.list().at(-1)).toBe('prompt 1004');
});
