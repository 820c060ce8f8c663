import { describe, expect, it } from 'vitest';
import { addRule, matches, ruleFor } from './rules.js';

describe('a rule of extension-enablement.json', () => {
  it('has slashes at both ends, a mark for disabling and one for folders below', () => {
    expect(ruleFor('/home/me', true)).toBe('/home/me/*');
    expect(ruleFor('/home/me/', false)).toBe('!/home/me/*');
    expect(ruleFor('C:\\Users\\me', true)).toBe('/C:/Users/me/*');
    expect(ruleFor('/', true)).toBe('/*');
  });

  it.each([
    ['/a/b/', '/a/b', true],
    ['/a/b/', '/a/b/c', false],
    ['/a/b/*', '/a/b', true],
    ['/a/b/*', '/a/b/c', true],
    ['/a/b/*', '/a/bc', false],
    ['!/a/b/*', '/a/b/c', true],
    ['/*', '/anything', true],
    ['/C:/x/*', 'C:\\x\\y', true],
  ])('%s applies to %s: %s', (rule, path, expected) => {
    expect(matches(rule, path)).toBe(expected);
  });

  it('replaces rules that it repeats, contradicts or contains, and keeps those above it', () => {
    const rules = ['/home/*', '/home/me/*', '!/home/me/work/', '/other/*'];
    expect(addRule(rules, '!/home/me/*')).toEqual(['/home/*', '/other/*', '!/home/me/*']);
  });
});
