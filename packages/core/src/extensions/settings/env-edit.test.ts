import { expect, it } from 'vitest';
import { parseEnv } from '../../settings/env/env-parse.js';
import { editEnv } from './env-edit.js';

const set = (text: string, name: string, value?: string) => editEnv(text, new Map([[name, value]]));

it.each(['plain', 'two words', '#x', 'a#b', `it's`, 'say "x"', 'back\\slash', '$HOME', '', ' edge '])(
  'the value "%s" is read as it was written',
  (value) => {
    expect(parseEnv(set('', 'A', value)).variables.get('A')).toBe(value);
  },
);

it('changes one line and keeps the others, with their comments and line ends', () => {
  expect(set('# top\r\nA=1\r\nB=2', 'A', '3')).toBe('# top\r\nA=3\r\nB=2');
  expect(set('# top\nA=1', 'B', '2')).toBe('# top\nA=1\nB=2\n');
  expect(set('A=1\nexport B=2\n', 'B')).toBe('A=1\n');
  expect(set('A=1\n', 'A')).toBe('');
});

it('refuses a value of several lines, and a file in which a value has several lines', () => {
  expect(() => set('', 'A', 'x\ny')).toThrow('must be one line');
  expect(() => set('X="one\nA=1\ntwo"\n', 'A', '2')).toThrow('Change it in an editor');
});
