import { describe, expect, it } from 'vitest';
import { changesNothing } from './read-only.js';

describe('changesNothing', () => {
  it.each([
    'ls -la src',
    'echo hello',
    "grep -rn 'a b' src | head -5",
    'cat a.txt && wc -l b.txt',
    'cd src; pwd',
    'cat a 2>/dev/null',
    'echo $(cat a)',
  ])('is true for %s', async (command) => {
    expect(await changesNothing(command)).toBe(true);
  });

  it.each([
    'rm a',
    'echo a > b',
    'echo a >> b',
    'cat a | tee b',
    'ls; touch b',
    'echo $(rm a)',
    'ls() { rm a; }; ls',
    'PATH=. ls',
    'PATH=.; ls',
    './ls',
    'sudo ls',
    'git status',
    'uniq a b',
    '$X a',
    'echo "',
    '',
  ])('is false for %s', async (command) => {
    expect(await changesNothing(command)).toBe(false);
  });
});
