import { expect, it } from 'vitest';
import { endsOf, headOf } from './cut-text.js';

it('the head of a text is as long as it may be, and never ends with half of a character', () => {
  expect(headOf('abc', 5)).toBe('abc');
  expect(headOf('abc', 2)).toBe('ab');
  expect(headOf('a😀b', 3)).toBe('a😀');
  expect(headOf('a😀b', 2)).toBe('a');
  expect(headOf('😀', 0)).toBe('');
});

it('the ends of a text hold no half of a character', () => {
  expect(endsOf('abcdef', 2, 3)).toEqual({ head: 'ab', tail: 'def' });
  expect(endsOf('😀b😀', 1, 1)).toEqual({ head: '', tail: '' });
  expect(endsOf('😀b😀', 2, 2)).toEqual({ head: '😀', tail: '😀' });
});
