import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { GitService, gitBranch } from './git-service.js';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'facts-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function git(cwd: string, ...args: string[]): void {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'init.defaultBranch=trunk'];
  execFileSync('git', [...identity, ...args], { cwd, stdio: 'ignore' });
}

it('gitBranch names the branch, also below the root and in a worktree', () => {
  const root = folder();
  git(root, 'init');
  writeFileSync(join(root, 'a'), 'a');
  git(root, 'add', '.');
  git(root, 'commit', '-m', 'a');
  mkdirSync(join(root, 'below'));
  expect(gitBranch(join(root, 'below'))).toBe('trunk');
  git(root, 'worktree', 'add', join(root, 'tree'), '-b', 'other');
  expect(gitBranch(join(root, 'tree'))).toBe('other');
  git(root, 'checkout', '--detach');
  expect(gitBranch(root)).toMatch(/^[0-9a-f]{7}$/);
});

it('gitBranch returns undefined without a repository, or with a broken one', () => {
  const root = folder();
  expect(gitBranch(root)).toBeUndefined();
  mkdirSync(join(root, '.git'));
  writeFileSync(join(root, '.git', 'HEAD'), '\x1b[31m broken');
  expect(gitBranch(root)).toBeUndefined();
});

it('GitService finds root and branch of its folder', async () => {
  const root = folder();
  git(root, 'init');
  mkdirSync(join(root, 'below'));
  const service = new GitService(join(root, 'below'));
  expect([await service.root(), await service.branch()]).toEqual([root, 'trunk']);
});
