/** Lists the branches and tags of a repository, for completion. */
import type { Variables } from '../environment.js';

/** Local ones first; empty when there is no repository or git cannot be run safely. */
export async function listBranches(
  cwd: string,
  variables: Variables,
  signal?: AbortSignal,
): Promise<string[]> {
  const { runGit } = await import('./git.js');
  const refs = ['refs/heads', 'refs/remotes', 'refs/tags'];
  try {
    const { stdout, exitCode } = await runGit(['for-each-ref', '--format=%(refname:short)', ...refs], {
      cwd,
      variables,
      ...(signal && { signal }),
    });
    return exitCode === 0 ? stdout.split('\n').filter((name) => name !== '') : [];
  } catch {
    return [];
  }
}
