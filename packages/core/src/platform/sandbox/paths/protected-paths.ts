/** What of a writable workspace stays read-only: `.gemini`, `.vscode`, `.envrc`, and of each `.git` at least hooks and configuration. */
import { lstatSync, readFileSync, type Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PROTECTED_NAMES } from '../../files/protected-names.js';
import { realPathOf } from '../../files/real-path.js';
import { SandboxError } from '../types.js';
import { readDirectory } from './hidden-paths.js';

export interface ProtectedPath {
  path: string;
  access: 'readonly' | 'writable';
  isDirectory: boolean;
  /** If absent, stands there while the command runs, so that it cannot be created: content of a file, or null. */
  placeholder?: string | null;
}

/** Of the git directory, what decides which programs git starts. `commondir` would point it elsewhere. */
const GIT_FILES: readonly (readonly [name: string, content: string])[] = [
  ['config', ''],
  ['config.worktree', ''],
  ['commondir', '.'],
];

/** @param isLifted the user has granted writing to this very path */
export function protectedPaths(
  workspace: string,
  allowGitWrites: boolean,
  isLifted: (path: string) => boolean,
): ProtectedPath[] {
  const git = join(workspace, '.git');
  return [
    ...settingsOf(workspace, isLifted),
    ...(isLifted(git) ? [] : gitPaths(git, allowGitWrites)),
    ...nestedRepositories(workspace).filter(({ path }) => !isLifted(path)),
  ].filter(({ path, access }) => access === 'writable' || !isLifted(path));
}

function settingsOf(workspace: string, isLifted: (path: string) => boolean): ProtectedPath[] {
  return PROTECTED_NAMES.flatMap(({ name, isDirectory, inToolSandbox }) => {
    const path = join(workspace, name);
    if (inToolSandbox === undefined || isLifted(path)) return [];
    if (inToolSandbox === 'if there' && !statOf(path)?.isFile()) return [];
    return [closed(path, isDirectory)];
  });
}

/** A tree wider than this costs more to look through than most commands. */
const MOST_DIRECTORIES = 2_000;
const NESTED_DEPTH = 4;
const NOT_SEARCHED = new Set(['node_modules', '.git', '.hg', '.svn']);

/** Repositories in the workspace, which git uses when it is started there. What there is of their settings is closed. */
function nestedRepositories(workspace: string): ProtectedPath[] {
  const found: ProtectedPath[] = [];
  let level = [workspace];
  let visited = 0;
  for (let depth = 0; depth <= NESTED_DEPTH; depth++) {
    const next: string[] = [];
    for (const directory of level) {
      if (++visited > MOST_DIRECTORIES) return found;
      const entries = readDirectory(directory);
      if (depth > 0 && entries.some(({ name, kind }) => name === '.git' && kind === 'directory'))
        found.push(...nestedGit(join(directory, '.git')));
      const folders = entries.filter(({ name, kind }) => kind === 'directory' && !NOT_SEARCHED.has(name));
      next.push(...folders.map(({ name }) => join(directory, name)));
    }
    level = next;
  }
  return found;
}

/** As far as it is there: to keep what is absent from being made is for the workspace's own repository. */
function nestedGit(git: string): ProtectedPath[] {
  const settings = ['hooks', ...GIT_FILES.map(([name]) => name)].map((name) => join(git, name));
  const present = settings.filter((path) => statOf(path) && !statOf(path)?.isSymbolicLink());
  return [
    { path: git, access: 'writable', isDirectory: true },
    ...present.map((path) => closed(path, false)),
  ];
}

/** Directories outside that git needs for a linked worktree or a submodule. */
export function linkedGitDirectories(workspace: string): string[] {
  const git = join(workspace, '.git');
  if (!statOf(git)?.isFile()) return [];
  const target = /^gitdir: (.+?)\s*$/m.exec(readText(git))?.[1];
  if (!target) return [];
  const directory = realPathOf(resolve(workspace, target));
  const common = readText(join(directory, 'commondir')).trim();
  return common ? [directory, realPathOf(resolve(directory, common))] : [directory];
}

function gitPaths(git: string, allowWrites: boolean): ProtectedPath[] {
  const stats = statOf(git);
  // An empty directory is no repository: git looks further up, as without it.
  if (!stats) return [closed(git, true)];
  if (stats.isDirectory() && allowWrites) return writableGit(git);
  return [closed(git, stats.isDirectory()), ...(allowWrites ? writableWorktree(git) : [])];
}

/** Itself a mount point: renaming it, and with it its hooks, is refused by the kernel. */
function writableGit(git: string): ProtectedPath[] {
  const others = ['modules', 'worktrees'].map((name) => join(git, name)).filter((path) => statOf(path));
  return [
    { path: git, access: 'writable', isDirectory: true },
    closed(join(git, 'hooks'), true),
    ...GIT_FILES.map(([name, content]) => closed(join(git, name), false, content)),
    // Repositories of their own, with hooks and configuration of their own.
    ...others.map((path) => closed(path, true)),
  ];
}

/** Only if the repository knows this worktree: the file `.git` alone could name anybody's directory. */
function writableWorktree(gitFile: string): ProtectedPath[] {
  const [directory, common] = linkedGitDirectories(dirname(gitFile));
  if (!directory || !common || dirname(dirname(directory)) !== common) return [];
  if (realPathOf(readText(join(directory, 'gitdir')).trim()) !== gitFile) return [];
  return [
    ...writableGit(common),
    { path: directory, access: 'writable', isDirectory: true },
    closed(join(directory, 'gitdir'), false),
    closed(join(directory, 'commondir'), false),
    closed(join(directory, 'config.worktree'), false, ''),
  ];
}

/** @throws SandboxError for a link */
export function closed(path: string, isDirectory: boolean, content: string | null = null): ProtectedPath {
  const stats = statOf(path);
  if (!stats) return { path, access: 'readonly', isDirectory, placeholder: content };
  if (stats.isSymbolicLink()) {
    throw new SandboxError(
      `${path} is a symbolic link, and a link cannot be protected from being replaced.`,
      'Put the real directory or file there, or run without the sandbox.',
    );
  }
  return { path, access: 'readonly', isDirectory: stats.isDirectory(), placeholder: content };
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
