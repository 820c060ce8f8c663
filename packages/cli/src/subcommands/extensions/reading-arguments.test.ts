import { expect, it } from 'vitest';
import { plainArguments } from './reading-arguments.js';

it.each([
  ['--autoUpdate', ['--auto-update']],
  ['--consent=true', ['--consent']],
  ['--consent=false', []],
  ['--no-auto-update', []],
  ['-o=json', ['-o', 'json']],
  ['--outputFormat=json', ['--output-format=json']],
  ['--ref=true', ['--ref=true']],
  ['--scope=Workspace', ['--scope=Workspace']],
  ['https://a.example/--b=true', ['https://a.example/--b=true']],
])('reads %s as other programs do', (written, plain) => {
  expect(plainArguments([written])).toEqual(plain);
});

it('leaves what follows "--" as it is', () => {
  expect(plainArguments(['--consent=true', '--', '--consent=true'])).toEqual([
    '--consent',
    '--',
    '--consent=true',
  ]);
});
