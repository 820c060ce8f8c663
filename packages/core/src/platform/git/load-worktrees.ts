/** Loads the worktrees on first use: few runs ask for one. */

export type Worktrees = Pick<
  typeof import('./worktrees.js'),
  'openWorktree' | 'worktreeAt' | 'worktreeFarewell'
>;

export function loadWorktrees(): Promise<Worktrees> {
  return import('./worktrees.js');
}
