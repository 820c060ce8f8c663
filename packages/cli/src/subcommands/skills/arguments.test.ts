import { describe, expect, it } from 'vitest';
import { parseArguments } from './arguments.js';

describe('the arguments of gemini skills', () => {
  it.each([
    ['list', { verb: 'list', all: false }],
    ['list --all -d', { verb: 'list', all: true }],
    ['enable a', { verb: 'enable', name: 'a' }],
    ['enable --all', { verb: 'enable' }],
    ['disable a', { verb: 'disable', name: 'a', scope: 'workspace' }],
    ['disable --all -s user', { verb: 'disable', scope: 'user' }],
    ['install a.skill', { verb: 'install', source: 'a.skill', scope: 'user', consent: false }],
    [
      'install https://x.example/r.git#v1 --path=sub --ref main --scope workspace --consent',
      {
        verb: 'install',
        source: 'https://x.example/r.git#v1',
        path: 'sub',
        ref: 'main',
        scope: 'workspace',
        consent: true,
      },
    ],
    ['link . --consent', { verb: 'link', source: '.', scope: 'user', consent: true }],
    ['uninstall -- -d', { verb: 'uninstall', name: '-d', scope: 'user' }],
    ['uninstall -- -odd', { verb: 'uninstall', name: '-odd', scope: 'user' }],
  ])('%s', (line, expected) => {
    expect(parseArguments(line.split(' '))).toEqual(expected);
  });

  it.each([
    ['', 'a command is missing'],
    ['frobnicate', 'unknown command "frobnicate"'],
    ['enable', 'usage: gemini skills enable'],
    ['enable a b', 'usage: gemini skills enable'],
    ['enable a --all', 'usage: gemini skills enable'],
    ['list extra', 'usage: gemini skills list'],
    ['install a --scope system', '--scope is user or workspace'],
    ['install a --scope', '--scope needs a value'],
    ['install a --consent=yes', '--consent takes no value'],
    ['link a --ref x', 'unknown argument "--ref"'],
  ])('"%s" is refused with a reason', (line, problem) => {
    expect(parseArguments(line === '' ? [] : line.split(' '))).toContain(problem);
  });
});
