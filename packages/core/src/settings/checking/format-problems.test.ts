/** Problems in settings files, formatted for the user. */
import { expect, it } from 'vitest';
import type { FileProblem } from '../types.js';
import { formatProblems } from './format-problems.js';

it('cuts a long list, but never problems with a restriction, which come first', () => {
  const problems = Array.from(
    { length: 9 },
    (_, index): FileProblem => ({
      severity: 'warning',
      file: '/s.json',
      line: index + 1,
      message: 'wrong',
      ...(index >= 7 && { guard: true }),
    }),
  );
  expect(formatProblems(problems).join('').split('\n')).toEqual([
    'Problems in /s.json:',
    '  line 8: wrong.',
    '  line 9: wrong.',
    '  line 1: wrong.',
    '  line 2: wrong.',
    '  line 3: wrong.',
    '  ...and 4 more; gemini doctor lists all.',
  ]);
});
