/** Git without a question: it only shows something, of the workspace's own repository, and starts nothing for it. */
import { lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isInside } from '../../platform/files/real-path.js';
import { type GitSetting, readGitConfig, startsPrograms } from './git-config.js';
import { nestedRepositoriesIn } from './git-index.js';
import { onlyShows } from './git-options.js';
import { type GitRepository, repositoryOf, submoduleAt } from './git-repository.js';
import { isReadablePath } from './readable-path.js';
import { answerOnce, foldersOf, homesOf, type Places, type Surroundings } from './surroundings.js';
import type { Word } from './types.js';

/** More nested repositories than this are not looked at. */
const MOST_NESTED = 50;
/** Variables that point git elsewhere. */
const ELSEWHERE = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_COMMON_DIR', 'GIT_OBJECT_DIRECTORY', 'GIT_INDEX_FILE'];

export function isUnaskedGit(args: readonly Word[], around: Surroundings, places: Places): boolean {
  const end = args.findIndex(({ text }) => text === '--');
  // Of an unquoted pattern a file may become an option, except behind `--`.
  if (!args.every(({ literal, glob }, index) => literal && (!glob || (end >= 0 && index > end))))
    return false;
  if (!onlyShows(args.map(({ text }) => text))) return false;
  if (ELSEWHERE.some((name) => around.env[name])) return false;
  if (!pathsOf(args).every((word) => isReadablePath(word, around, places))) return false;
  return answerOnce(places, 'own repository', () => isOwnRepository(around, places));
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
      // The text of a search or a format is not a path.
      const isText =
        /^(?:-[SGnUMCBl]|--(?:format|pretty|grep|author|committer|date|sort|since|until|after|before)=)/.test(
          text,
        );
      if (isText) return [];
      const parts = [value, ...value.split(/[:)!^]/)].filter((part) => part !== '');
      return parts.map((part) => ({ ...word, text: part, source: part === text ? word.source : part }));
    });
}

/** From everywhere it may stand, git finds the repository of that workspace, or none. */
function isOwnRepository(around: Surroundings, { reachable }: Places): boolean {
  const { workspaces } = around;
  const checked = new Map<string, boolean>();
  const ofUser = userSettings(around);
  return foldersOf(reachable).every((real) => {
    const workspace = workspaces.find((folder) => isInside(real, folder));
    const found = repositoryOf(real);
    if (workspace === undefined || found === 'doubtful') return false;
    if (found === 'none') return true;
    const own = repositoryOf(workspace);
    if (typeof own === 'string' || own.gitDir !== found.gitDir) return false;
    const isHarmless = checked.get(own.gitDir) ?? startsNothing(own, { left: MOST_NESTED, ofUser });
    checked.set(own.gitDir, isHarmless);
    return isHarmless;
  });
}

interface Scope {
  /** Nested repositories that may still be looked at. */
  left: number;
  ofUser: readonly GitSetting[];
}

/** Their programs are the user's choice; only a folder of hooks may be one of the repository. */
function userSettings(around: Surroundings): GitSetting[] {
  const { XDG_CONFIG_HOME: chosen } = around.env;
  return homesOf(around)
    .flatMap((home) => [join(home, '.gitconfig'), join(chosen || join(home, '.config'), 'git', 'config')])
    .flatMap((file) => readGitConfig(file) ?? []);
}

/** Settings and hooks of the repository, and of those nested in it, into which `git status` looks. */
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
  // A submodule names its own folder.
  const isOwnFolder = ({ name, value }: GitSetting) =>
    name === 'core.worktree' && resolve(gitDir, value) === top;
  return files.flatMap((settings) => settings ?? []).filter((setting) => !isOwnFolder(setting));
}

/** `git status` writes the index it has refreshed, and this hook runs after that. Other hooks are for changes. */
function hasIndexHook({ top, commonDir }: GitRepository, settings: readonly GitSetting[]): boolean {
  const chosen = settings.filter(({ name, value }) => name === 'core.hookspath' && !value.startsWith('~'));
  if (chosen.some(({ value }) => /[\\"]/.test(value))) return true;
  const folders = [join(commonDir, 'hooks'), ...chosen.map(({ value }) => resolve(top, value))];
  return folders.some((folder) => exists(join(folder, 'post-index-change')));
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
