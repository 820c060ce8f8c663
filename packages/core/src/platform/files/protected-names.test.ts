import { describe, expect, it } from 'vitest';
import { protectedNameIn } from './protected-names.js';

describe('protected names', () => {
  it.each([
    ['src/a.ts', undefined],
    ['/sub/.git/hooks/x', '.git'],
    ['.GEMINI/settings.json', '.gemini'],
    ['a/.env', '.env'],
  ])('%s: %s', (path, name) => {
    expect(protectedNameIn(path)?.name).toBe(name);
  });

  it.each(['.gemini/worktrees/coder-1a2b/src/a.ts', '/.gemini/worktrees/fix/a.txt'])(
    'count in a worktree as in the project: %s',
    (path) => {
      expect(protectedNameIn(path)).toBeUndefined();
    },
  );

  it.each([
    ['.gemini/worktrees/.gitignore', '.gemini'],
    ['.gemini/worktrees/fix', '.gemini'],
    ['.gemini/worktrees/fix/.git', '.git'],
    ['.gemini/worktrees/fix/.git/hooks/x', '.git'],
    ['.gemini/worktrees/fix/.gemini/settings.json', '.gemini'],
    ['.gemini/worktrees/fix/.gemini/worktrees/x/a.ts', '.gemini'],
    ['.gemini/worktrees/fix/sub/.env', '.env'],
    ['.gemini/worktrees/../settings.json', '.gemini'],
    ['.gemini/worktrees/./settings.json', '.gemini'],
    ['.gemini/worktrees//settings.json', '.gemini'],
    ['.gemini/worktrees/fix/../../settings.json', '.gemini'],
    ['.gemini/worktrees/fix/\n/../../../settings.json', '.gemini'],
    ['.gemini/worktrees/\n/../../settings.json', '.gemini'],
    ['.gemini/agents/worktrees/x/a.md', '.gemini'],
    ['sub/.gemini/worktrees/fix/a.ts', '.gemini'],
    ['.GEMINI/worktrees/fix/a.ts', '.gemini'],
  ])('cannot be reached through the folder of worktrees: %s', (path, name) => {
    expect(protectedNameIn(path)?.name).toBe(name);
  });
});
