import { describe, expect, it } from 'vitest';
import { getCommandRoots, parseCommandDetails, stripShellWrapper } from './shell-line.js';

describe('getCommandRoots', () => {
  it.each([
    ['git status && npm test | head -n 3; ls &', ['git', 'npm', 'head', 'ls']],
    ['A=1 B=2 make all', ['make']],
    [`echo "a; b" 'c && d' e\\;f`, ['echo']],
    ['', []],
  ])('returns for %j the programs %j', (line, roots) => expect(getCommandRoots(line)).toEqual(roots));

  it.each([
    'echo $(id)',
    'echo `id`',
    '(ls)',
    'echo "$(id)"',
    "echo 'open",
    'if true; then ls; fi',
    'ls > x',
  ])('returns none when %j may run something else', (line) => {
    expect(getCommandRoots(line)).toEqual([]);
    expect(parseCommandDetails(line)).toEqual({ details: [], hasError: true });
  });
});

it.each([
  [`bash -c 'ls -l'`, 'ls -l'],
  ['/bin/sh -c "echo \\"a\\" b"', 'echo "a" b'],
  ['bash -c ls -l', 'bash -c ls -l'],
  [`bash -c "echo $HOME"`, `bash -c "echo $HOME"`],
  ['ls', 'ls'],
])('stripShellWrapper turns %s into %s', (line, script) => expect(stripShellWrapper(line)).toBe(script));
