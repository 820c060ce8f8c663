/** What of a writable workspace stays read-only: `.gemini`, and of `.git` at least hooks and configuration. */
import { lstatSync, readFileSync, type Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { realPathOf } from '../real-path.js';
import { SandboxError } from './types.js';

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
  const gemini = join(workspace, '.gemini');
  const git = join(workspace, '.git');
  return [
    ...(isLifted(gemini) ? [] : [closed(gemini, true)]),
    ...(isLifted(git) ? [] : gitPaths(git, allowGitWrites)),
  ].filter(({ path, access }) => access === 'writable' || !isLifted(path));
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
