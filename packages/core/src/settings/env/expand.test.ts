import { describe, expect, it } from 'vitest';
import { expand, expandSettings } from './expand.js';

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

describe('expandSettings', () => {
  it('leaves the commands of hooks to the shell, and expands the variables of their environment', () => {
    const hook = { type: 'command', command: 'echo "$NAME" \'$NAME\'', env: { A: '$NAME' } };
    const root = { model: '$NAME', hooks: { BeforeTool: [{ matcher: '^$NAME$', hooks: [hook] }] } };
    expect(expandSettings(root, env)).toEqual({
      model: 'x',
      hooks: { BeforeTool: [{ matcher: '^$NAME$', hooks: [{ ...hook, env: { A: 'x' } }] }] },
    });
  });
});
