import { expect, it } from 'vitest';
import { PastedTexts } from './pasted-texts.js';

const LINES = Array.from({ length: 500 }, (_, line) => `line ${line}`).join('\n');

it('shows the label of a text that was pasted, also in a longer message', () => {
  const pasted = new PastedTexts();
  pasted.remember(new Map([['[Pasted Text: 500 lines]', LINES]]));
  expect(pasted.folded(`Why?\n${LINES}\nThanks`)).toBe('Why?\n[Pasted Text: 500 lines]\nThanks');
  expect(pasted.folded('Something else')).toBe('Something else');
});

it('tells two pastes with the same label apart, and takes the longest that fits', () => {
  const pasted = new PastedTexts();
  pasted.remember(new Map([['[Pasted Text: 500 lines]', LINES]]));
  pasted.remember(new Map([['[Pasted Text: 501 lines]', `${LINES}\nmore`]]));
  expect(pasted.folded(`${LINES}\nmore`)).toBe('[Pasted Text: 501 lines]');
  expect(pasted.folded(LINES)).toBe('[Pasted Text: 500 lines]');
});

it('forgets the oldest of very many', () => {
  const pasted = new PastedTexts();
  for (let number = 0; number < 60; number++) pasted.remember(new Map([['[P]', `text ${number}.`]]));
  expect(pasted.folded('text 1.')).toBe('text 1.');
  expect(pasted.folded('text 59.')).toBe('[P]');
});
