import { execFileSync } from 'node:child_process';
import { listBranches } from '@gemini-cli/core';
import { tempDir } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';

function newFolder(): string {
  const { path, cleanup } = tempDir();
  onTestFinished(cleanup);
  return path;
}

describe('completion in shell mode', () => {
  it('asks git for branches without running programs that a repository configures', async () => {
    const cwd = newFolder();
    const git = (...args: string[]) => execFileSync('git', ['-C', cwd, ...args]);
    git('init', '-q', '-b', 'trunk');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'x');
    git('branch', 'feature');
    expect(await listBranches(cwd, process.env)).toEqual(['feature', 'trunk']);
    expect(await listBranches(newFolder(), process.env)).toEqual([]);
  });
});
