/**
 * Runs git for the program itself. The configuration of a repository may name programs for almost everything (hooks,
 * filters, diffs, file watching, transports); it may be hostile, so none of them runs.
 */
import { delimiter, isAbsolute } from 'node:path';
import { UserError } from '../../base/errors.js';
import type { Variables } from '../environment.js';
import { isInside, realPathOf } from '../files/real-path.js';
import { findProgram } from '../process/find-program.js';
import { type RunOptions, type RunResult, runProcess } from '../process/process-runner.js';

export interface GitOptions extends Omit<RunOptions, 'env' | 'cwd'> {
  cwd: string;
  /** The user's environment; git gets only a few of these variables. */
  variables: Variables;
  /** Our own repository for the user's files. */
  gitDir?: string;
  workTree?: string;
  /** Author of commits; git's own settings are not read. */
  identity?: { name: string; email: string };
}

/** Git is missing or too old, or the repository points elsewhere. */
export class GitError extends UserError {
  override readonly name = 'GitError';
  override readonly code = 'git';
}

/**
 * Runs git without the configuration of the repository, the environment and the machine. A failure of git itself is
 * in the result. @throws GitError when git cannot be run safely
 */
export async function runGit(args: readonly string[], options: GitOptions): Promise<RunResult> {
  const [command = '', ...rest] = args;
  const extra = COMMANDS[command];
  if (!extra) throw new Error(`git ${command} is not among the commands that are known to be safe.`);
  const git = findProgram('git', options.variables['PATH']);
  if (!git) throw new GitError('git was not found. Install it, or put it on the PATH.');
  const { cwd, variables, gitDir, workTree, identity, input, maxOutputBytes, ...run } = options;
  const call = (
    settings: Settings,
    words: readonly string[],
    io: Pick<RunOptions, 'input' | 'maxOutputBytes'> = {},
  ) =>
    runProcess(git, ['--no-pager', ...words], {
      ...run,
      ...io,
      cwd,
      env: environment({ variables, gitDir, workTree, identity, settings }),
    });
  const settings = new Map([...NEUTRAL, ...(await neutralized(call))]);
  if (settings.get(WORKTREE) === '') await requireOwnFiles(call, settings, options);
  settings.delete(WORKTREE);
  return call(settings, [command, ...extra, ...rest], { input, maxOutputBytes });
}

type Settings = ReadonlyMap<string, string>;
type Call = (settings: Settings, words: readonly string[]) => Promise<RunResult>;

const NO_PROGRAMS = ['--no-ext-diff', '--no-textconv'];
const NO_SUBMODULES = ['--ignore-submodules=all'];

/** Allowed commands, with the options that keep them from starting programs. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  status: NO_SUBMODULES,
  diff: [...NO_PROGRAMS, ...NO_SUBMODULES],
  log: NO_PROGRAMS,
  show: NO_PROGRAMS,
  ...Object.fromEntries(
    (
      'init add commit rev-parse rev-list ls-files ls-tree cat-file hash-object write-tree commit-tree ' +
      'read-tree checkout-index update-ref symbolic-ref for-each-ref branch merge-base check-ignore remote worktree'
    )
      .split(' ')
      .map((name) => [name, []]),
  ),
};

const WORKTREE = 'core.worktree';
/** Proves that git reads our settings. */
const CANARY = 'gemini.canary';
const NULL_DEVICE = process.platform === 'win32' ? 'NUL' : '/dev/null';

/** Settings that override all configuration files. */
const NEUTRAL: Settings = new Map([
  [CANARY, 'on'],
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', NULL_DEVICE],
  ['core.attributesFile', NULL_DEVICE],
  ['core.pager', 'cat'],
  ['core.editor', ':'],
  ['sequence.editor', ':'],
  ['core.askPass', ''],
  ['core.sshCommand', 'false'],
  ['core.gitProxy', 'false'],
  ['core.alternateRefsCommand', 'false'],
  ['credential.helper', ''],
  ['gpg.program', 'false'],
  ['commit.gpgSign', 'false'],
  ['log.showSignature', 'false'],
  ['protocol.allow', 'never'],
  ['submodule.recurse', 'false'],
  ['diff.ignoreSubmodules', 'all'],
  ['status.submoduleSummary', 'false'],
  ['safe.bareRepository', 'explicit'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
]);

/** The repository chooses the names of filters, so they are listed first; that runs no program. */
async function neutralized(call: Call): Promise<[string, string][]> {
  const listed = await call(NEUTRAL, ['config', '--list', '--name-only', '-z']);
  const { stdout, stderr, exitCode, endedBy, error, truncated } = listed;
  if (exitCode !== 0 || truncated) {
    const reason = error?.message ?? endedBy ?? (truncated ? 'there are too many' : stderr.trim());
    throw new GitError(`The settings of the git repository cannot be read: ${reason}`);
  }
  const keys = stdout.split('\0');
  if (!keys.includes(CANARY))
    throw new GitError('git is too old to be used safely: 2.31 or newer is needed.');
  return keys.flatMap((key): [string, string][] => {
    const filter = /^filter\..+(?=\.(?:clean|smudge|process|required)$)/s.exec(key)?.[0];
    if (filter) {
      const programs = ['clean', 'smudge', 'process'].map((kind): [string, string] => [
        `${filter}.${kind}`,
        '',
      ]);
      return [...programs, [`${filter}.required`, 'false']];
    }
    if (/^merge\..+\.driver$/s.test(key)) return [[key, 'false']];
    return key === WORKTREE ? [[key, '']] : [];
  });
}

/** A repository may claim files elsewhere, in the user's home for example. */
async function requireOwnFiles(call: Call, settings: Settings, { cwd, workTree }: GitOptions): Promise<void> {
  if (workTree) return;
  const active = new Map(settings);
  active.delete(WORKTREE);
  const { stdout } = await call(active, ['rev-parse', '--show-toplevel']);
  const top = stdout.replace(/\n$/, '');
  if (top !== '' && isInside(realPathOf(cwd), realPathOf(top))) return;
  throw new GitError(`The git repository of ${cwd} says that its files are elsewhere (core.worktree).`);
}

interface GitContext extends Pick<GitOptions, 'variables' | 'gitDir' | 'workTree' | 'identity'> {
  settings: Settings;
}

const KEPT = ['HOME', 'USER', 'LOGNAME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'USERPROFILE'];

/** Few variables only: git obeys many, and its children would get our secrets. */
function environment({
  variables,
  gitDir,
  workTree,
  identity,
  settings,
}: GitContext): Record<string, string> {
  const kept = KEPT.flatMap((name) => {
    const value = variables[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(kept),
    PATH: (variables['PATH'] ?? '').split(delimiter).filter(isAbsolute).join(delimiter),
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: NULL_DEVICE,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    // No transport, whatever protocols the configuration allows.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    ...(gitDir && { GIT_DIR: gitDir }),
    ...(workTree && { GIT_WORK_TREE: workTree }),
    ...(identity && {
      GIT_AUTHOR_NAME: identity.name,
      GIT_AUTHOR_EMAIL: identity.email,
      GIT_COMMITTER_NAME: identity.name,
      GIT_COMMITTER_EMAIL: identity.email,
    }),
    ...asVariables(settings),
  };
}

/** Not as `-c name=value`, which breaks names that contain `=`. */
function asVariables(settings: Settings): Record<string, string> {
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.size) };
  [...settings].forEach(([key, value], index) => {
    variables[`GIT_CONFIG_KEY_${index}`] = key;
    variables[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  return variables;
}
