/** `--worktree`: moves the run into a git worktree before the settings of the folder are used. */
import { resolve } from 'node:path';
import {
  FatalUntrustedWorkspaceError,
  type LoadedSettings,
  loadWorktrees,
  setting,
  type TrustAnswer,
  type Worktree,
} from '@gemini-cli/core';
import { FLAGS, type FlagSpec, type FlagValues } from '../command-line/flags.js';
import { UsageError } from './usage-error.js';

export interface WorktreeEntry {
  /** Changed: paths become absolute, since the user typed them in the old directory. */
  flags: FlagValues;
  /** Changed: gets the variable `GEMINI_CLI_WORKTREE_HANDLED`. */
  env: NodeJS.ProcessEnv;
  cwd: string;
  settings: LoadedSettings;
  trust: TrustAnswer;
}

/** Tells the program restarted in a sandbox that it is already in its worktree. */
const HANDLED = 'GEMINI_CLI_WORKTREE_HANDLED';

/** Changes the current directory. @throws Error with one line for the user */
export async function enterWorktree({ flags, env, cwd, settings, trust }: WorktreeEntry): Promise<Worktree> {
  settings.activate({ trusted: trust.trusted, env: { ...env } });
  if (!setting(settings.merged, 'experimental.worktrees')) {
    throw new UsageError('--worktree needs the setting experimental.worktrees: true in settings.json.');
  }
  if (!trust.trusted) {
    throw new FatalUntrustedWorkspaceError(
      `--worktree needs a trusted folder, and this one is not trusted: ${cwd}. For this run, use --skip-trust.`,
    );
  }
  const name = flags.worktree || undefined;
  const { openWorktree, worktreeAt } = await loadWorktrees();
  const current = env[HANDLED] ? worktreeAt(cwd) : undefined;
  if (current && (name === undefined || name === current.name)) return current;
  const worktree = await openWorktree({
    cwd,
    variables: env,
    ...(name !== undefined && { name }),
    now: Date.now,
  });
  Object.assign(flags, withAbsolutePaths(flags, cwd));
  process.chdir(worktree.path);
  env[HANDLED] = '1';
  return worktree;
}

export function withAbsolutePaths(flags: FlagValues, cwd: string): FlagValues {
  const specs: readonly FlagSpec[] = FLAGS;
  const isPath = (name: string) =>
    /^(?:paths?|file)$/.test(specs.find((spec) => spec.name === name)?.value ?? '');
  const absolute = (path: string) => (path === '' || path.startsWith('~') ? path : resolve(cwd, path));
  return Object.fromEntries(
    Object.entries(flags).map(([name, value]) => {
      if (!isPath(name)) return [name, value];
      return [name, Array.isArray(value) ? value.map(absolute) : absolute(String(value))];
    }),
  );
}
