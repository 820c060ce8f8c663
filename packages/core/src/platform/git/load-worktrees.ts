/** Loads the worktrees on first use: few runs need one. */
export type Worktrees = Pick<
  typeof import('./worktrees.js'),
  'openWorktree' | 'worktreeAt' | 'worktreeFarewell'
>;

export function loadWorktrees(): Promise<Worktrees> {
  return import('./worktrees.js');
}
