/** Sub-commands of git and npm for completion in shell mode. */

export const GIT_COMMANDS: readonly string[] =
  'add am apply archive bisect blame branch bundle checkout cherry-pick clean clone commit config describe diff fetch format-patch gc grep init log ls-files merge mv notes pull push range-diff rebase reflog remote reset restore revert rm shortlog show show-ref sparse-checkout stash status submodule switch tag worktree'.split(
    ' ',
  );

/** Sub-commands that take a branch or tag. */
export const GIT_WITH_BRANCHES: ReadonlySet<string> = new Set(
  'branch checkout cherry-pick diff fetch log merge pull push range-diff rebase reset revert show switch tag worktree'.split(
    ' ',
  ),
);

export const NPM_COMMANDS: readonly string[] =
  'access audit ci config dedupe deprecate dist-tag docs doctor exec explain fund help init install link list login logout ls outdated pack ping pkg prefix prune publish rebuild remove repo restart root run search start stop test uninstall unpublish update version view whoami'.split(
    ' ',
  );

/** `npm` needs `run` before a script; the others do not. */
export const RUNNERS: ReadonlyMap<string, 'npm' | 'direct'> = new Map([
  ['npm', 'npm'],
  ['pnpm', 'direct'],
  ['yarn', 'direct'],
  ['bun', 'direct'],
]);
