import { describe, expect, it } from 'vitest';
import { expand } from './expand.js';

const env = { NAME: 'x', EMPTY: '', _A1: 'y' };

describe('expand', () => {
  it.each([
    ['$NAME', 'x'],
    [`a\${NAME}b$NAME/c`, 'axbx/c'],
    [`\${NAME:-other}`, 'x'],
    [`\${MISSING:-other}`, 'other'],
    [`\${EMPTY:-other}`, 'other'],
    [`\${MISSING:-}`, ''],
    ['$EMPTY.', '.'],
    ['$_A1', 'y'],
    [`$MISSING and \${MISSING}`, `$MISSING and \${MISSING}`],
    [`$constructor \${__proto__} $5 $ \${} \${a b} $$`, `$constructor \${__proto__} $5 $ \${} \${a b} $$`],
    ['$$NAME', '$x'],
    ['plain', 'plain'],
  ])('turns %s into %s', (text, expected) => {
    expect(expand(text, env)).toBe(expected);
  });

  it('expands every text and nothing else, in a copy', () => {
    const value = { a: ['$NAME', 1, true, null, { b: `\${NAME}` }], $NAME: 2 };
    const before = structuredClone(value);
    expect(expand(value, env)).toEqual({ a: ['x', 1, true, null, { b: 'x' }], $NAME: 2 });
    expect(value).toEqual(before);
  });

  it('does not expand a value that looks like a variable again', () => {
    expect(expand('$A', { A: '$B', B: 'no' })).toBe('$B');
  });
});
