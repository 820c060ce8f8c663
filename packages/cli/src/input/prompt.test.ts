import { expect, it } from 'vitest';
import { isSlashCommand, joinPrompt } from './prompt.js';

it('puts piped text first, then a blank line, then the question', () => {
  expect(joinPrompt({ piped: 'data', typed: 'why?' })).toBe('data\n\nwhy?');
  expect(joinPrompt({ piped: 'data\n', typed: 'why?' })).toBe('data\n\nwhy?');
  expect(joinPrompt({ piped: 'data\n', typed: '' })).toBe('data\n');
  expect(joinPrompt({ piped: '', typed: 'why?' })).toBe('why?');
});

it('tells commands from comments', () => {
  expect(['/help', '/x y'].map(isSlashCommand)).toEqual([true, true]);
  expect(['// x', '/* x */', 'x /y', ''].map(isSlashCommand)).toEqual([false, false, false, false]);
});
