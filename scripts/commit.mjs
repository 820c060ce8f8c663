import { spawnSync } from 'node:child_process';

/** The commit a build is made from, marked when files were changed since; `unknown` outside a repository. */
export function currentCommit(folder) {
  const git = spawnSync('git', ['describe', '--always', '--dirty', '--exclude=*'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return (git.status === 0 && git.stdout.trim()) || 'unknown';
}
