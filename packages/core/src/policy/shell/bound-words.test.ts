/** How far an answer for a command reaches: which words of it become the rule. */
import { describe, expect, it } from 'vitest';
import { parseCommand } from './parse.js';
import { textOf } from './parsing/words.js';
import { boundWords, runsOthers } from './programs.js';

describe('an answer for a command holds for', () => {
  const bound = async (command: string) => {
    const parsed = await parseCommand(command);
    return textOf(boundWords(parsed?.commands[0]?.words ?? []));
  };
  it.each([
    ['ls -la', 'ls'],
    ['mkdir -p a', 'mkdir'],
    ['git add a', 'git add'],
    ['git -C x commit -m y', 'git -C x commit'],
    ['git push origin main', 'git push'],
  ])('%s: the words %s', async (command, words) => expect(await bound(command)).toBe(words));

  it.each([
    'python3.11 a.py',
    'nodejs a.js',
    'perl5.36 a.pl',
    'ruby3.1 a.rb',
    'php8.2 a.php',
    'lua5.4 a.lua',
    'gcc-12 a.c',
    'x86_64-linux-gnu-gcc-12 a.c',
    'pip3.11 install x',
    'npm test',
    'yarn build',
    'cargo build',
    'sed -n 1p a',
    'tar xf a',
    'awk 1 a',
    'make all',
    'vim.tiny a',
    "sqlite3 a 'select 1'",
    'sort a',
    'cp a b',
    'git config user.name x',
    'git bisect good',
    'git rebase main',
    'git push --receive-pack=./p',
    './script a',
    'some-unknown-tool a',
    '/usr/bin/python3 a.py',
  ])('%s: all words', async (command) => expect(await bound(command)).toBe(command));

  it('knows programs that run others under every version', () => {
    for (const name of ['python3.11', 'nodejs', 'pip3', 'clang++-15', '/usr/bin/perl5.36', 'docker'])
      expect([name, runsOthers(name)]).toEqual([name, true]);
    for (const name of ['ls', 'mkdir', '/bin/cat']) expect([name, runsOthers(name)]).toEqual([name, false]);
  });
});
