/** Paths of a writable workspace that stay read-only: `.gemini`, `.vscode`, `.envrc`, and hooks and config of each `.git`. */
import { dirname, join, resolve } from 'node:path';
import { PROTECTED_NAMES } from '../../files/protected-names.js';
import { realPathOf } from '../../files/real-path.js';
import { tryLstat, tryReadText } from '../../files/try-read.js';
import { SandboxError } from '../types.js';
import { readDirectory } from './hidden-paths.js';

export interface ProtectedPath {
  path: string;
  access: 'readonly' | 'writable';
  isDirectory: boolean;
  /** Created while the command runs if the path does not exist: content of the file, null for a directory. */
  placeholder?: string | null;
}

/** Files of the git directory that decide which programs git starts; `commondir` points to other ones. */
const GIT_FILES: readonly (readonly [name: string, content: string])[] = [
  ['config', ''],
  ['config.worktree', ''],
  ['commondir', '.'],
];

/** @param isLifted whether the user has granted writing to this very path */
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
    if (inToolSandbox === 'if there' && !tryLstat(path)?.isFile()) return [];
    return [readOnly(path, isDirectory)];
  });
}

/** Searching more would take longer than most commands. */
const MAX_DIRECTORIES = 2_000;
const NESTED_DEPTH = 4;
const NOT_SEARCHED = new Set(['node_modules', '.git', '.hg', '.svn']);

/** Nested repositories: git obeys their settings when it runs there, so the existing ones are read-only. */
function nestedRepositories(workspace: string): ProtectedPath[] {
  const found: ProtectedPath[] = [];
  let level = [workspace];
  let visited = 0;
  for (let depth = 0; depth <= NESTED_DEPTH; depth++) {
    const next: string[] = [];
    for (const directory of level) {
      if (++visited > MAX_DIRECTORIES) return found;
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

/** Only existing files; missing ones get placeholders only in the workspace's own repository. */
function nestedGit(git: string): ProtectedPath[] {
  const settings = ['hooks', ...GIT_FILES.map(([name]) => name)].map((name) => join(git, name));
  const present = settings.filter((path) => tryLstat(path) && !tryLstat(path)?.isSymbolicLink());
  return [
    { path: git, access: 'writable', isDirectory: true },
    ...present.map((path) => readOnly(path, false)),
  ];
}

/** Directories outside the workspace that git needs for a linked worktree or a submodule. */
export function linkedGitDirectories(workspace: string): string[] {
  const git = join(workspace, '.git');
  if (!tryLstat(git)?.isFile()) return [];
  const target = /^gitdir: (.+?)\s*$/m.exec(tryReadText(git) ?? '')?.[1];
  if (!target) return [];
  const directory = realPathOf(resolve(workspace, target));
  const common = tryReadText(join(directory, 'commondir'))?.trim() ?? '';
  return common ? [directory, realPathOf(resolve(directory, common))] : [directory];
}

function gitPaths(git: string, allowWrites: boolean): ProtectedPath[] {
  const stats = tryLstat(git);
  // The placeholder is an empty directory, which is not a repository: git searches the parents, as without it.
  if (!stats) return [readOnly(git, true)];
  if (stats.isDirectory() && allowWrites) return writableGit(git);
  return [readOnly(git, stats.isDirectory()), ...(allowWrites ? writableWorktree(git) : [])];
}

/** `.git` itself is a mount point, so that the kernel refuses to rename it with its hooks. */
function writableGit(git: string): ProtectedPath[] {
  const others = ['modules', 'worktrees'].map((name) => join(git, name)).filter((path) => tryLstat(path));
  return [
    { path: git, access: 'writable', isDirectory: true },
    readOnly(join(git, 'hooks'), true),
    ...GIT_FILES.map(([name, content]) => readOnly(join(git, name), false, content)),
    // Separate repositories with their own hooks and configuration.
    ...others.map((path) => readOnly(path, true)),
  ];
}

/**
 * The git directory of a linked worktree and that of its repository; undefined unless the repository knows the
 * worktree, because the file `.git` could name any directory.
 */
export function worktreeDirectories(workspace: string): { directory: string; common: string } | undefined {
  const [directory, common] = linkedGitDirectories(workspace);
  if (!directory || !common || dirname(dirname(directory)) !== common) return undefined;
  const named = realPathOf(tryReadText(join(directory, 'gitdir'))?.trim() ?? '');
  return named === join(workspace, '.git') ? { directory, common } : undefined;
}

function writableWorktree(gitFile: string): ProtectedPath[] {
  const found = worktreeDirectories(dirname(gitFile));
  if (!found) return [];
  const { directory, common } = found;
  return [
    ...writableGit(common),
    { path: directory, access: 'writable', isDirectory: true },
    readOnly(join(directory, 'gitdir'), false),
    readOnly(join(directory, 'commondir'), false),
    readOnly(join(directory, 'config.worktree'), false, ''),
  ];
}

/** @throws SandboxError for a link */
export function readOnly(path: string, isDirectory: boolean, content: string | null = null): ProtectedPath {
  const stats = tryLstat(path);
  if (!stats) return { path, access: 'readonly', isDirectory, placeholder: content };
  if (stats.isSymbolicLink()) {
    throw new SandboxError(
      `${path} is a symbolic link, and a link cannot be protected from being replaced.`,
      'Put the real directory or file there, or run without the sandbox.',
    );
  }
  return { path, access: 'readonly', isDirectory: stats.isDirectory(), placeholder: content };
}
