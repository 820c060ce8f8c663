import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorktree, worktreeAt, worktreeFarewell } from './worktrees.js';

let dir: ReturnType<typeof tempDir>;
const at = (...names: string[]) => join(dir.path, ...names);
const now = () => Date.UTC(2026, 10, 15, 16, 7, 8);
const open = (name?: string, cwd = at('repo')) =>
  openWorktree({ cwd, variables: process.env, ...(name !== undefined && { name }), now });

function git(cwd: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.com'];
  const env = { PATH: process.env['PATH'], HOME: at('home'), GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', [...identity, ...args], {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

beforeEach(() => {
  dir = tempDir('worktrees-');
  mkdirSync(at('home'));
  mkdirSync(at('repo', 'sub'), { recursive: true });
  git(at('repo'), 'init', '-q');
  writeFileSync(at('repo', 'sub', 'a.txt'), 'committed\n');
  git(at('repo'), 'add', '.');
  git(at('repo'), 'commit', '-q', '-m', 'one');
});

afterEach(() => dir.cleanup());

describe('a worktree', () => {
  it('is created from the last commit, on its own branch', async () => {
    writeFileSync(at('repo', 'not-committed.txt'), 'x');
    const tree = await open('fix');
    expect(tree).toEqual({
      name: 'fix',
      path: at('repo', '.gemini/worktrees/fix'),
      branch: 'worktree-fix',
      root: at('repo'),
      isNew: true,
    });
    expect(readFileSync(join(tree.path, 'sub/a.txt'), 'utf8')).toBe('committed\n');
    expect(existsSync(join(tree.path, 'not-committed.txt'))).toBe(false);
    expect(git(tree.path, 'branch', '--show-current')).toBe('worktree-fix\n');
  });

  it('is named after the time when no name is given', async () => {
    const [one, two] = [await open(), await open()];
    expect(one.name).toMatch(/^20261115-160708-[0-9a-f]{4}$/);
    expect(two.path).not.toBe(one.path);
  });

  it('is reused under the same name, with the work in it', async () => {
    const { path } = await open('fix');
    writeFileSync(join(path, 'work.txt'), 'half done');
    expect(await open('fix')).toMatchObject({ path, isNew: false });
    expect(readFileSync(join(path, 'work.txt'), 'utf8')).toBe('half done');
  });

  it('continues the branch of a removed worktree of the same name', async () => {
    const { path } = await open('fix');
    writeFileSync(join(path, 'work.txt'), 'done');
    git(path, 'add', '.');
    git(path, 'commit', '-q', '-m', 'work');
    git(at('repo'), 'worktree', 'remove', path);
    expect((await open('fix')).isNew).toBe(true);
    expect(readFileSync(join(path, 'work.txt'), 'utf8')).toBe('done');
  });

  it('is created in the main repository, from a folder in it or from another worktree', async () => {
    const first = await open('first', at('repo', 'sub'));
    const second = await open('second', join(first.path, 'sub'));
    expect([first, second].map(({ root }) => root)).toEqual([at('repo'), at('repo')]);
    expect(second.path).toBe(at('repo', '.gemini/worktrees/second'));
  });

  it("does not show in the user's repository", async () => {
    await open('fix');
    expect(git(at('repo'), 'status', '--porcelain', '-uall')).toBe('');
  });

  it('runs no program that the repository configures', async () => {
    const mark = at('mark');
    writeFileSync(at('repo', '.git/hooks/post-checkout'), `#!/bin/sh\n: > '${mark}'\n`, { mode: 0o755 });
    git(at('repo'), 'config', 'filter.evil.smudge', `sh -c ": > '${mark}'; cat"`);
    writeFileSync(at('repo', '.git/info/attributes'), '* filter=evil\n');
    await open('fix');
    expect(existsSync(mark)).toBe(false);
  });
});

describe('no worktree is created', () => {
  it.each([
    '../evil',
    'a/b',
    'a\\b',
    '.hidden',
    '-rf',
    '..',
    'a..b',
    'a.lock',
    'a.',
    'a b',
    'a\nb',
    '\u001b[2J',
    'ä',
    'x'.repeat(65),
  ])('under the name %j', async (name) => {
    const failure = await open(name).catch((error: Error) => error);
    expect(failure).toBeInstanceOf(Error);
    expect((failure as Error).message).toMatch(/^\P{C}*cannot name a worktree\P{C}*$/u);
    expect(existsSync(at('repo', '.gemini'))).toBe(false);
  });

  it('outside a repository', async () => {
    await expect(open('fix', at('home'))).rejects.toThrow(/needs a git repository/);
  });

  it('without a first commit, and the message says why', async () => {
    mkdirSync(at('empty'));
    git(at('empty'), 'init', '-q');
    await expect(open('fix', at('empty'))).rejects.toThrow(/git could not create the worktree .*HEAD/);
  });

  it('over an existing file or folder of that name', async () => {
    mkdirSync(at('repo', '.gemini/worktrees/fix'), { recursive: true });
    writeFileSync(at('repo', '.gemini/worktrees/fix/mine.txt'), 'x');
    await expect(open('fix')).rejects.toThrow(/is not a worktree of this repository/);
    expect(readdirSync(at('repo', '.gemini/worktrees/fix'))).toEqual(['mine.txt']);
  });

  it('through a link in the repository', async () => {
    mkdirSync(at('repo', '.gemini'));
    symlinkSync(at('home'), at('repo', '.gemini/worktrees'));
    await expect(open('fix')).rejects.toThrow(/leads elsewhere/);
    expect(readdirSync(at('home'))).toEqual([]);
  });
});

describe('the farewell message', () => {
  it('contains commands that work when pasted into a shell', async () => {
    const tree = { ...(await open('fix')), root: "/it's here", path: "/it's here/.gemini/worktrees/fix" };
    const [, resume, remove] = worktreeFarewell(tree, 'abc');
    const words = execFileSync('sh', ['-c', `set -- ${resume?.replace('To resume: cd', '')}; echo "$1"`]);
    expect(words.toString()).toContain("/it's here/.gemini/worktrees/fix");
    expect(resume).toContain('&& gemini --resume abc');
    expect(remove).toContain('branch -d worktree-fix');
  });

  it('contains a command that removes a worktree without uncommitted work', async () => {
    const tree = await open('fix');
    const command = worktreeFarewell(tree).at(-1)?.replace('To remove it: ', '') ?? '';
    execFileSync('sh', ['-c', command], { stdio: 'ignore' });
    expect(existsSync(tree.path)).toBe(false);
    expect(git(at('repo'), 'branch', '--list', 'worktree-*')).toBe('');
  });

  it('contains a command that keeps a worktree with uncommitted work', async () => {
    const tree = await open('fix');
    writeFileSync(join(tree.path, 'work.txt'), 'x');
    const command = worktreeFarewell(tree).at(-1)?.replace('To remove it: ', '') ?? '';
    expect(() => execFileSync('sh', ['-c', command], { stdio: 'ignore' })).toThrow();
    expect(existsSync(join(tree.path, 'work.txt'))).toBe(true);
  });
});

it('worktreeAt recognises our worktrees by their path', () => {
  expect(worktreeAt('/r/.gemini/worktrees/fix')).toMatchObject({ name: 'fix', root: '/r' });
  expect(worktreeAt('/r/.gemini/worktrees/fix/sub')).toBeUndefined();
  expect(worktreeAt('/r/worktrees/fix')).toBeUndefined();
});
