import { expect, it } from 'vitest';
import { programsOf } from './sandbox-line.js';

it.each([
  ['npm install', ['npm']],
  ['cd sub && npm ci | tee log', ['cd', 'npm', 'tee']],
  ['/usr/bin/git push', ['git']],
  ['CI=1 npm test', ['npm']],
  ['timeout 5 curl x', ['timeout', 'curl']],
])('programsOf names the programs of %s', async (command, names) => {
  expect((await programsOf(command)).names).toEqual(names);
});

it.each([
  ['./npm install'],
  ['bin/npm install'],
  ['PATH=.:$PATH npm install'],
  ['export PATH=.; npm install'],
  ['GIT_SSH_COMMAND=evil git push'],
  ['$PROGRAM install'],
  ['npm install | bash'],
  ['npm "$(install'],
])('programsOf names none if another program may run: %s', async (command) => {
  expect((await programsOf(command)).names).toEqual([]);
});

it('programsOf checks the variables of the call', async () => {
  expect((await programsOf('npm install', { NODE_OPTIONS: '--require ./evil' })).names).toEqual([]);
  expect((await programsOf('npm install', { CI: '1' })).names).toEqual(['npm']);
});

it('programsOf lists the commands even if it names no programs', async () => {
  const { commands } = await programsOf('HOME=/x npm install --save left-pad');
  expect(commands).toEqual([{ program: 'npm', args: ['install', '--save', 'left-pad'] }]);
});
