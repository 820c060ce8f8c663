/**
 * Agents that work in a git worktree of their own: their changes never touch the user's files. Loaded with the first
 * one, since it starts processes.
 */
import type { RunFolder } from '../../agents/run/ports.js';
import { runGit } from '../../platform/git/git.js';
import { openWorktree } from '../../platform/git/worktrees.js';
import type { Engine } from '../engine.js';

/** @throws WorktreeError, e.g. outside a git repository */
export async function openRunFolder(
  { targetDir, environment, clock }: Pick<Engine, 'targetDir' | 'environment' | 'clock'>,
  name: string,
): Promise<RunFolder> {
  const { variables } = environment;
  const worktree = await openWorktree({ cwd: targetDir, variables, name, now: clock.now });
  const { path, branch, root } = worktree;
  const place = { cwd: path, variables };
  const start = await headOf(place);
  return {
    path,
    close: async () => {
      const status = await runGit(['status', '--porcelain'], place);
      const isChanged =
        status.exitCode !== 0 || status.stdout.trim() !== '' || (await headOf(place)) !== start;
      if (isChanged)
        return `Its changes are in the worktree ${path} (branch ${branch}); they are not in the project's folder.`;
      // Git itself refuses to remove a worktree with changes, and a branch with commits.
      const removed = await runGit(['worktree', 'remove', path], { cwd: root, variables });
      if (removed.exitCode !== 0) return `It worked in ${path} (branch ${branch}).`;
      await runGit(['branch', '-d', branch], { cwd: root, variables });
      return undefined;
    },
  };
}

async function headOf(place: { cwd: string; variables: Readonly<Record<string, string | undefined>> }) {
  return (await runGit(['rev-parse', 'HEAD'], place)).stdout.trim();
}
