import { sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expandVariables, substitutePathVariables } from './variables.js';

describe('variables for places', () => {
  it('are replaced in every text, also in lists and maps', () => {
    const places = { extensionPath: '/ext', workspacePath: '/work' };
    const value = {
      a: [`\${extensionPath}\${/}x`, 5],
      b: { c: `\${workspacePath}\${pathSeparator}` },
      d: null,
    };
    expect(substitutePathVariables(value, places)).toEqual({
      a: [`/ext${sep}x`, 5],
      b: { c: `/work${sep}` },
      d: null,
    });
  });
});

describe('variables of settings and environment', () => {
  const lookup = (name: string) => ({ KEY: 'k', EMPTY: '' })[name];

  it.each([
    ['$KEY', 'k'],
    [`a\${KEY}b`, 'akb'],
    [`\${KEY:-d}`, 'k'],
    [`\${NONE:-d}`, 'd'],
    [`\${EMPTY:-d}`, 'd'],
    [`\${env:KEY}`, 'k'],
    ['$EMPTY', ''],
  ])('%s becomes "%s"', (text, expected) => {
    expect(expandVariables(text, lookup)).toBe(expected);
  });

  it.each(['$NONE', `\${NONE}`, '$1', '$$', '$(date)', `\${input:x}`, `\${a.b}`])(
    '%s stays as written',
    (text) => {
      expect(expandVariables(text, lookup)).toBe(text);
    },
  );
});
