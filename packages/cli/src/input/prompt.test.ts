import { expect, it } from 'vitest';
import { joinPrompt } from './prompt.js';

it('joinPrompt puts piped text first, then a blank line, then the typed text', () => {
  expect(joinPrompt({ piped: 'data', typed: 'why?' })).toBe('data\n\nwhy?');
  expect(joinPrompt({ piped: 'data\n', typed: 'why?' })).toBe('data\n\nwhy?');
  expect(joinPrompt({ piped: 'data\n', typed: '' })).toBe('data\n');
  expect(joinPrompt({ piped: '', typed: 'why?' })).toBe('why?');
});
