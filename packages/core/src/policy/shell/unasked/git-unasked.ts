/** Decides whether a git command runs unasked: it only shows the workspace's own repository and starts no program. */
import { lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isInside } from '../../../platform/files/real-path.js';
import { isReadablePath } from '../paths/readable-path.js';
import {
  answerOnce,
  foldersOf,
  homesOf,
  type ShellContext,
  type WorkingDirectories,
} from '../paths/working-directories.js';
import type { Word } from '../types.js';
import { type GitSetting, readGitConfig, startsPrograms } from './git-config.js';
import { nestedRepositoriesIn } from './git-index.js';
import { onlyShows } from './git-options.js';
import { type GitRepository, repositoryOf, submoduleAt } from './git-repository.js';

/** With more nested repositories than this, git asks. */
const MAX_NESTED = 50;
/** Variables that make git use another repository. */
const ELSEWHERE = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_COMMON_DIR', 'GIT_OBJECT_DIRECTORY', 'GIT_INDEX_FILE'];

export function isUnaskedGit(
  args: readonly Word[],
  context: ShellContext,
  directories: WorkingDirectories,
): boolean {
  const end = args.findIndex(({ text }) => text === '--');
  // An unquoted glob may match a file named like an option, except after `--`.
  if (!args.every(({ literal, glob }, index) => literal && (!glob || (end >= 0 && index > end))))
    return false;
  if (!onlyShows(args.map(({ text }) => text))) return false;
  if (ELSEWHERE.some((name) => context.env[name])) return false;
  if (!pathsOf(args).every((word) => isReadablePath(word, context, directories))) return false;
  return answerOnce(directories, 'own repository', () => isOwnRepository(context, directories));
}

/** A word may be a revision, a path, or both (`HEAD:a.txt`, `:0:a.txt`, `:(top)a.txt`). */
function pathsOf(args: readonly Word[]): Word[] {
  return args
    .filter(({ text }) => text !== '--')
    .flatMap((word) => {
      const { text } = word;
      const value = text.startsWith('--')
        ? text.slice(text.indexOf('=') + 1)
        : text.replace(/^-[A-Za-z]/, '');
      // A search text or a format is not a path.
      const isText =
        /^(?:-[SGnUMCBl]|--(?:format|pretty|grep|author|committer|date|sort|since|until|after|before)=)/.test(
          text,
        );
      if (isText) return [];
      const parts = [value, ...value.split(/[:)!^]/)].filter((part) => part !== '');
      return parts.map((part) => ({ ...word, text: part, source: part === text ? word.source : part }));
    });
}

/** From every possible working directory git finds the workspace's repository, or none. */
function isOwnRepository(context: ShellContext, { reachable }: WorkingDirectories): boolean {
  const { workspaces } = context;
  const checked = new Map<string, boolean>();
  const ofUser = userSettings(context);
  return foldersOf(reachable).every((real) => {
    const workspace = workspaces.find((folder) => isInside(real, folder));
    const found = repositoryOf(real);
    if (workspace === undefined || found === 'doubtful') return false;
    if (found === 'none') return true;
    const own = repositoryOf(workspace);
    if (typeof own === 'string' || own.gitDir !== found.gitDir) return false;
    const isHarmless = checked.get(own.gitDir) ?? startsNothing(own, { left: MAX_NESTED, ofUser });
    checked.set(own.gitDir, isHarmless);
    return isHarmless;
  });
}

interface Scope {
  /** How many more nested repositories may be checked. */
  left: number;
  ofUser: readonly GitSetting[];
}

/** Programs in the user's own settings are the user's choice; only `core.hooksPath` may lead into the repository. */
function userSettings(context: ShellContext): GitSetting[] {
  const { XDG_CONFIG_HOME: chosen } = context.env;
  return homesOf(context)
    .flatMap((home) => [join(home, '.gitconfig'), join(chosen || join(home, '.config'), 'git', 'config')])
    .flatMap((file) => readGitConfig(file) ?? []);
}

/** Checks settings and hooks of the repository and of its nested repositories, which `git status` reads. */
function startsNothing(repository: GitRepository, scope: Scope): boolean {
  const { top, gitDir, commonDir } = repository;
  const settings = settingsOf(repository);
  if (!settings || settings.some(startsPrograms) || hasIndexHook(repository, [...scope.ofUser, ...settings]))
    return false;
  const isLong = settings.some(({ name, value }) => name === 'extensions.objectformat' && value !== 'sha1');
  const nested = nestedRepositoriesIn(gitDir, isLong ? 32 : 20);
  return (
    nested?.every((path) => {
      if (!exists(join(top, path, '.git'))) return true;
      if (--scope.left < 0) return false;
      const found = submoduleAt(join(top, path), commonDir);
      return found !== undefined && startsNothing(found, scope);
    }) ?? false
  );
}

function settingsOf({ top, gitDir, commonDir }: GitRepository): GitSetting[] | undefined {
  const files = [join(commonDir, 'config'), join(gitDir, 'config.worktree')].map(readGitConfig);
  if (files.includes(undefined)) return undefined;
  // A submodule's settings name its own folder.
  const isOwnFolder = ({ name, value }: GitSetting) =>
    name === 'core.worktree' && resolve(gitDir, value) === top;
  return files.flatMap((settings) => settings ?? []).filter((setting) => !isOwnFolder(setting));
}

/** `git status` writes the refreshed index, which runs this hook. Other hooks run only on changes. */
function hasIndexHook({ top, commonDir }: GitRepository, settings: readonly GitSetting[]): boolean {
  const chosen = settings.filter(({ name, value }) => name === 'core.hookspath' && !value.startsWith('~'));
  if (chosen.some(({ value }) => /[\\"]/.test(value))) return true;
  const folders = [join(commonDir, 'hooks'), ...chosen.map(({ value }) => resolve(top, value))];
  return folders.some((folder) => exists(join(folder, 'post-index-change')));
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
