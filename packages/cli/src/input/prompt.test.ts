import { expect, it } from 'vitest';
import { isSlashCommand, joinPrompt } from './prompt.js';

it('joinPrompt puts piped text first, then a blank line, then the typed text', () => {
  expect(joinPrompt({ piped: 'data', typed: 'why?' })).toBe('data\n\nwhy?');
  expect(joinPrompt({ piped: 'data\n', typed: 'why?' })).toBe('data\n\nwhy?');
  expect(joinPrompt({ piped: 'data\n', typed: '' })).toBe('data\n');
  expect(joinPrompt({ piped: '', typed: 'why?' })).toBe('why?');
});

it('isSlashCommand distinguishes commands from comments', () => {
  expect(['/help', '/x y'].map(isSlashCommand)).toEqual([true, true]);
  expect(['// x', '/* x */', 'x /y', ''].map(isSlashCommand)).toEqual([false, false, false, false]);
});
